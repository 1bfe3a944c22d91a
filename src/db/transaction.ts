// Transactions: of writes, tried again when Postgres ended one over a deadlock or conflict; of reads, from one snapshot.
import type { Db, Tx } from './client.ts';
import { isRetryable } from './sqlstate.ts';

const TRIES = 5;

/** Runs `work` in one transaction. It may run several times, so it must not have effects outside the database. */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return retried(() => db.transaction(work));
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

/** Runs reads that all see the database as it was at the first of them. */
export async function inSnapshot<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(work, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}
