// Work that only one process does at a time, however many there are.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionSettings, type DatabaseUrl, UNHURRIED } from './client.ts';

const POLL_MS = { first: 20, longest: 500 };
const SILENCE_MS = 5000;
const CLOSE_MS = 2000;
const FOLLOW_MS = 250;
const LOOK_MS = 1000;

type Options = {
  /** Hears once that somebody else has had the lock for seconds. */
  onWait: () => void;
};

/** Runs `work` while holding a session advisory lock on a connection of its own, which it may use; waits for the lock. */
export async function withSessionLock<Result>(
  url: DatabaseUrl,
  lock: number,
  { onWait }: Options,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(connectionSettings(url, 'athletics-data-service lock', UNHURRIED));
  // A lost connection loses the lock and fails the next query; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await takeLock(client, lock, onWait);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether the connection has the lock now; it keeps it to its end. */
export async function trySessionLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, 0) as locked', [
    lock,
  ]);
  return rows[0]?.locked === true;
}

export type Following = {
  lock: number;
  /** A session that says nothing for so long, or takes nothing that Postgres has for it, hangs and is ended. */
  silenceMs: number;
  tryLock?: () => Promise<boolean>;
  /** Hears of each try that came too early. */
  onRefused: () => void;
  /** Hears that the connection of one that hung was ended. */
  onEnded: () => void;
  until: AbortSignal;
};

/** Waits for the lock that another process leads with. @returns whether it leads now; not when the signal came first */
export async function follow(client: Client, options: Following): Promise<boolean> {
  const {
    lock,
    silenceMs,
    tryLock = () => trySessionLock(client, lock),
    onRefused,
    onEnded,
    until,
  } = options;
  await client.query(`set idle_session_timeout = ${silenceMs}`);
  let lookedMs = performance.now();
  // Polled, not waited for in the database: a statement that waits for hours would hold back vacuum everywhere.
  while (!until.aborted) {
    if (await tryLock()) return !until.aborted;
    onRefused();
    if (performance.now() - lookedMs > LOOK_MS) {
      lookedMs = performance.now();
      if (await endHanging(client, lock, silenceMs)) onEnded();
    }
    await sleep(FOLLOW_MS, undefined, { signal: until }).catch(() => undefined);
  }
  return false;
}

// A frozen process whose socket is full of notifications: Postgres waits for it to read, and while it waits so no time-out of
// the session counts, and on a Unix socket none of the network.
const END_HANGING = `
  select pg_terminate_backend(pid)
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and classid = $1 and objid = 0 and objsubid = 2 and granted
    and pg_locks.database = datid and datname = current_database() and usename = current_user
    and wait_event = 'ClientWrite' and state_change < clock_timestamp() - $2 * interval '1 ms'`;

/** Ends the connection that has the lock when its process has taken nothing for so long. @returns whether it did */
async function endHanging(client: Client, lock: number, silenceMs: number): Promise<boolean> {
  const { rowCount } = await client.query(END_HANGING, [lock, silenceMs]);
  return (rowCount ?? 0) > 0;
}

/** Ends a connection, and its locks with it, also on a network that is dead. */
export async function endSession(client: Client): Promise<void> {
  const patience = new AbortController();
  // There the goodbye is never answered.
  const waited = sleep(CLOSE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([client.end().catch(() => undefined), waited]);
  patience.abort();
}

// Polled, not waited for in the database: a statement that waits for minutes would hold back vacuum everywhere.
async function takeLock(client: Client, lock: number, onWait: () => void): Promise<void> {
  const sinceMs = performance.now();
  let told = false;
  for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 2, POLL_MS.longest)) {
    if (await trySessionLock(client, lock)) return;
    if (!told && performance.now() - sinceMs > SILENCE_MS) {
      told = true;
      onWait();
    }
    await sleep(pauseMs);
  }
}
