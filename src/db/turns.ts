// Turns at the connections of a pool: what waits for one lock, a competition's, must not hold them all.
import type { Pool } from 'pg';
import { Unavailable } from '../errors.ts';
import { WRITES } from './client.ts';

type Waiting = { key: string; start: () => void };
type Turns = { held: Map<string, number>; free: number; waiting: Waiting[] };

const turnsOf = new WeakMap<Pool, Turns>();

/**
 * Runs work that holds one connection, and others of the same key wait for. One key has at most as many at a time as it leaves
 * free, the next one as many as that leaves: some are left as long as only a few of them hang.
 * @throws Unavailable after the time that a lock may take
 */
export async function inTurn<Result>(pool: Pool, key: string, work: () => Promise<Result>): Promise<Result> {
  let turns = turnsOf.get(pool);
  if (!turns) {
    turns = { held: new Map(), free: pool.options.max, waiting: [] };
    turnsOf.set(pool, turns);
  }
  if (mayStart(turns, key)) take(turns, key);
  else await wait(turns, key);
  try {
    return await work();
  } finally {
    giveBack(turns, key);
  }
}

const mayStart = ({ held, free }: Turns, key: string): boolean => (held.get(key) ?? 0) < free;

function take(turns: Turns, key: string): void {
  turns.free -= 1;
  turns.held.set(key, (turns.held.get(key) ?? 0) + 1);
}

async function wait(turns: Turns, key: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const waiting: Waiting = {
      key,
      start: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      turns.waiting.splice(turns.waiting.indexOf(waiting), 1);
      reject(new Unavailable('Too much waits for the same lock'));
    }, WRITES.lockMs);
    turns.waiting.push(waiting);
  });
}

function giveBack(turns: Turns, key: string): void {
  const held = turns.held.get(key)! - 1;
  if (held > 0) turns.held.set(key, held);
  else turns.held.delete(key);
  turns.free += 1;
  // In the order in which they came, those that may: usually the first.
  for (let index = 0; index < turns.waiting.length && turns.free > 0;) {
    const next = turns.waiting[index]!;
    if (mayStart(turns, next.key)) {
      turns.waiting.splice(index, 1);
      take(turns, next.key);
      next.start();
    } else index += 1;
  }
}
