// Turns at the connections of a pool: what waits for one lock, a competition's, must not hold them all.
import type { Pool } from 'pg';
import { Unavailable } from '../errors.ts';
import { WRITES } from './client.ts';

export type Turn = {
  /** The competition whose lock it takes. */
  of: string;
  /** What of it only one does at a time: the others would find that what they were made from is outdated, and wait for locks. */
  alone?: string;
};
type Waiting = { turn: Turn; start: () => void };
type Turns = { held: Map<string, number>; alone: Set<string>; free: number; waiting: Waiting[] };

const turnsOf = new WeakMap<Pool, Turns>();

/**
 * Runs work that holds one connection, and others of the same competition wait for. One has at most as many at a time as it
 * leaves free, the next one as many as that leaves: some are left as long as only a few of them hang.
 * @throws Unavailable after the time that a lock may take
 */
export async function inTurn<Result>(pool: Pool, turn: Turn, work: () => Promise<Result>): Promise<Result> {
  let turns = turnsOf.get(pool);
  if (!turns) {
    turns = { held: new Map(), alone: new Set(), free: pool.options.max, waiting: [] };
    turnsOf.set(pool, turns);
  }
  if (mayStart(turns, turn)) take(turns, turn);
  else await wait(turns, turn);
  try {
    return await work();
  } finally {
    giveBack(turns, turn);
  }
}

const mayStart = ({ held, alone, free }: Turns, turn: Turn): boolean =>
  (held.get(turn.of) ?? 0) < free && !(turn.alone !== undefined && alone.has(turn.alone));

function take(turns: Turns, { of, alone }: Turn): void {
  turns.free -= 1;
  turns.held.set(of, (turns.held.get(of) ?? 0) + 1);
  if (alone !== undefined) turns.alone.add(alone);
}

async function wait(turns: Turns, turn: Turn): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const waiting: Waiting = {
      turn,
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

function giveBack(turns: Turns, { of, alone }: Turn): void {
  const held = turns.held.get(of)! - 1;
  if (held > 0) turns.held.set(of, held);
  else turns.held.delete(of);
  if (alone !== undefined) turns.alone.delete(alone);
  turns.free += 1;
  // In the order in which they came, those that may: usually the first.
  for (let index = 0; index < turns.waiting.length && turns.free > 0;) {
    const next = turns.waiting[index]!;
    if (mayStart(turns, next.turn)) {
      turns.waiting.splice(index, 1);
      take(turns, next.turn);
      next.start();
    } else index += 1;
  }
}
