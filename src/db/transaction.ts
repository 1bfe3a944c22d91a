// Transactions: of writes, tried again when Postgres ended one over a deadlock or conflict; of reads, from one snapshot.
import { sql } from 'drizzle-orm';
import type { PgTransactionConfig } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { Uncertain, Unavailable } from '../errors.ts';
import { checkOut, type Db, type Executor, type Tx } from './client.ts';
import { isRetryable, outageOf, spoilsConnection } from './sqlstate.ts';
import { inTurn } from './turns.ts';

const TRIES = 5;
const commitHeard = new WeakMap<Pool, () => void>();

/** Has `hear` called ahead of every commit: from then on only the database knows what became of the transaction. */
export function beforeCommits(db: Db, hear: () => void): void {
  commitHeard.set(db.$client, hear);
}

type Effect = (db: Db) => void;
const effects = new WeakMap<Tx, Set<Effect>>();

/**
 * Has `effect` run once what was just written is committed: after the transaction, once however often it was asked for, and never
 * when that is undone; at once on the pool, where each statement is committed when it answers.
 */
export function afterCommit(executor: Executor, effect: Effect): void {
  if ('$client' in executor) effect(executor);
  else effects.get(executor)!.add(effect);
}

/**
 * Runs `work` in one transaction. It may run several times: what it does outside the database, it does afterCommit.
 * @param of what it locks, a competition say: transactions of one never hold all connections
 * @throws Unavailable when the database is away and nothing was changed; Uncertain when the answer to the commit was lost
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  of?: string,
): Promise<Result> {
  const run = () => retried(() => transact(db, work));
  return of === undefined ? run() : inTurn(db.$client, { of }, run);
}

/** Carries a result out of the transaction that it undoes. */
class Rehearsed extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('Nothing was stored: this was a rehearsal');
    this.result = result;
  }
}

/** As inTransaction, and then nothing of it is stored: what `work` finds and refuses is what it would. */
export async function inRehearsal<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  of?: string,
): Promise<Result> {
  const undone = async (tx: Tx): Promise<never> => {
    throw new Rehearsed(await work(tx));
  };
  try {
    return await inTransaction(db, undone, of);
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as Result;
    throw error;
  }
}

/** As inTransaction, for work that is a transaction by itself: its one write is one statement. */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === TRIES || !isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/**
 * Runs reads that all see the database as it was at the first of them.
 * @param idleMs how long it may do nothing between two of them, where that is longer than usual
 */
export async function inSnapshot<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  idleMs?: number,
): Promise<Result> {
  const patient = async (tx: Tx) => {
    // Raw: settings have no builder.
    if (idleMs) await tx.execute(sql.raw(`set local idle_in_transaction_session_timeout = ${idleMs}`));
    return work(tx);
  };
  return transact(db, patient, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/** The builder's own transaction, on a connection of which it is known at any time what has become of it. */
async function transact<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  config?: PgTransactionConfig,
): Promise<Result> {
  const client = await checkOut(db.$client);
  let released = false;
  const release = (error?: unknown) => {
    if (!released) client.release(error !== undefined && spoilsConnection(error));
    released = true;
  };
  let committing = false;
  let failure: unknown;
  const afterwards = new Set<Effect>();
  let done: Result;
  try {
    done = await drizzle({ client }).transaction(async (tx) => {
      effects.set(tx, afterwards);
      try {
        const result = await work(tx);
        committing = true;
        // What only read has left nothing to be known.
        if (config?.accessMode !== 'read only') commitHeard.get(db.$client)?.();
        return result;
      } catch (error) {
        failure = error;
        // A query that never came back would hold up the rollback, too: the connection goes first.
        if (spoilsConnection(error)) release(error);
        throw error;
      }
    }, config);
  } catch (error) {
    // When the rollback fails as well, what failed first tells more.
    failure ??= error;
    release(error);
    throw explained(failure, committing);
  } finally {
    release();
  }
  for (const effect of afterwards) effect(db);
  return done;
}

function explained(error: unknown, committing: boolean): unknown {
  if (outageOf(error) !== 'unknown') return error;
  return committing
    ? new Uncertain('The answer of the database was lost: it may have been saved', { cause: error })
    : new Unavailable('The connection was lost within a transaction', { cause: error });
}
