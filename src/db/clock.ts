// The clock of the database, carried on between two looks at it: one time for all replicas, however wrong their machines' clocks.
import { sql } from 'drizzle-orm';
import type { Db } from './client.ts';

export type DatabaseClock = { now: () => Date; stop: () => void };

type ClockOptions = {
  /** Hears once how far the clock of this machine is from the database's, when that is seconds. */
  onDifference?: (seconds: number) => void;
  lookMs?: number;
  /** For tests: the clocks of this machine. Steady is the one that nobody sets. */
  machine?: { steadyMs: () => number; wallMs: () => number };
};

/** `errorMs`: how wrong the look can be, because nobody knows when on the way the database read its clock. */
type Look = { steadyMs: number; wallMs: number; timeMs: number; errorMs: number };

const LOOK_MS = 10_000;
const STEP_MS = 1000;
const DIFFERENCE_MS = 5000;
const MACHINE = { steadyMs: () => performance.now(), wallMs: () => Date.now() };

/** Fails when the database does not answer; later it goes on by the last look until there is another. */
export async function startClock(db: Db, options: ClockOptions = {}): Promise<DatabaseClock> {
  const { onDifference, lookMs = LOOK_MS, machine = MACHINE } = options;
  // The first look may have waited for a connection.
  await lookAt(db, machine);
  let last = await lookAt(db, machine);
  const sinceLook = () => ({
    steadyMs: machine.steadyMs() - last.steadyMs,
    wallMs: machine.wallMs() - last.wallMs,
  });
  const differenceMs = Math.abs(last.wallMs - last.timeMs);
  if (differenceMs > DIFFERENCE_MS) onDifference?.(Math.round((last.wallMs - last.timeMs) / 1000));

  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    try {
      const next = await lookAt(db, machine);
      // What a look finds within its own error is no news: the time does not tremble with the network.
      const expectedMs = last.timeMs + next.steadyMs - last.steadyMs;
      const isNews = Math.abs(next.timeMs - expectedMs) > next.errorMs + 1;
      last = isNews ? next : { ...next, timeMs: expectedMs };
    } catch {
      // The database is away: whoever needs it will say so.
    } finally {
      looking = false;
    }
  };
  const timer = setInterval(() => void look(), lookMs);
  timer.unref();
  return {
    now: () => {
      const passed = sinceLook();
      // The machine has slept, which the steady clock does not count, or its clock was set: which of both, the database knows.
      if (Math.abs(passed.wallMs - passed.steadyMs) > STEP_MS) void look();
      return new Date(last.timeMs + passed.steadyMs);
    },
    stop: () => clearInterval(timer),
  };
}

async function lookAt(db: Db, machine: typeof MACHINE): Promise<Look> {
  const askedMs = machine.steadyMs();
  const { rows } = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  const errorMs = (machine.steadyMs() - askedMs) / 2;
  return { steadyMs: askedMs + errorMs, wallMs: machine.wallMs() - errorMs, timeMs: rows[0]!.ms, errorMs };
}
