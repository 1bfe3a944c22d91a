// The numberer of changes, which every process runs: one of them leads and numbers, all hear of new numbers.
import type { Client } from 'pg';
import { type Bell, createBell, pause } from '../bell.ts';
import { LOCKS } from '../db/locks.ts';
import { endSession, follow } from '../db/session-lock.ts';
import type { Deps } from '../deps.ts';
import { createOutageLog, type OutageLog } from '../outage-log.ts';
import { outboxBellOf } from '../push/outbox-bell.ts';
import { OUTBOX_NOTIFICATION } from '../push/outbox-store.ts';
import { forgetDeletions, numberHinted, numberUnhinted, prepareFeed, settleFeed } from './number-changes.ts';
import { CHANGES_NOTIFICATION, createFeedClient, hasHints, listenTo, SILENCE_MS } from './numbering-store.ts';

type FeedDeps = Pick<Deps, 'config' | 'databaseUrl' | 'db' | 'log' | 'now'>;
export type Numberer = {
  /** Lets another process take over. */
  stop(): Promise<void>;
  leads(): boolean;
};

type Running = FeedDeps & {
  onChange: () => void;
  stopping: AbortSignal;
  outage: OutageLog;
  leading: boolean;
  failures: number;
};

// Where push is on, saves ring; of others the leader hears so often. One such look for all readers.
const LOOK_MS = 200;
// While there is always something to number, this much lies between the end of one time and the next: nine tenths of the
// processor are for others, and what is saved again and again is numbered once.
const REST = { times: 9, msMax: 25 };
// Longer, when it has been so for some times in a row: what is saved by the hundred is numbered by the hundred.
const LOADED = { passes: 5, msMax: 100 };
const SWEEP_MS = 60_000;
const PURGE_MS = 3_600_000;
const BACKOFF_MS = { first: 50, longest: 5000 };

/**
 * Resolves when everything that is stored has its number.
 * @param onChange hears that there may be new numbers, through whichever process
 */
export async function startNumberer(deps: FeedDeps, onChange: () => void): Promise<Numberer> {
  await prepareFeed(deps);
  const stopping = new AbortController();
  const outage = createOutageLog({
    log: deps.log,
    now: deps.now,
    level: 'warn',
    says: {
      begins: 'the feed of changes lost its database connection',
      lasts: 'the feed of changes still has no database connection',
      ends: 'the feed of changes has its database connection again',
    },
    counted: 'tries',
  });
  const { signal } = stopping;
  const running: Running = { ...deps, onChange, stopping: signal, outage, leading: false, failures: 0 };
  const finished = run(running);
  return {
    async stop() {
      stopping.abort();
      await finished;
    },
    leads: () => running.leading,
  };
}

async function run(running: Running): Promise<void> {
  while (!running.stopping.aborted) {
    try {
      await takePart(running);
    } catch (error) {
      running.failures += 1;
      running.outage.failed({ err: error });
    }
    const backoffMs = Math.min(BACKOFF_MS.first * 2 ** running.failures, BACKOFF_MS.longest);
    await pause(backoffMs * (0.5 + Math.random() / 2), running.stopping);
  }
}

/** One connection's life: hear of new numbers, wait for the lock, then number for as long as the connection holds it. */
async function takePart(running: Running): Promise<void> {
  const lost = new AbortController();
  const client = createFeedClient(running.databaseUrl);
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  const bell = createBell();
  client.on('notification', ({ channel }) => {
    if (channel === CHANGES_NOTIFICATION) running.onChange();
    else bell.ring();
  });
  const over = AbortSignal.any([running.stopping, lost.signal]);
  over.addEventListener('abort', bell.ring, { once: true });
  try {
    await client.connect();
    await settleFeed(running, client);
    await listenTo(client, CHANGES_NOTIFICATION);
    // What was told while nobody here listened.
    running.onChange();
    const leads = await follow(client, {
      lock: LOCKS.changes,
      silenceMs: SILENCE_MS,
      onRefused: () => isConnected(running),
      onEnded: () =>
        running.log.warn('the process that numbered changes hung; its database connection was ended'),
      until: over,
    });
    if (!leads) return;
    const stopHearing = outboxBellOf(running.db).hear(bell.ring);
    await lead(running, { client, bell, over }).finally(stopHearing);
  } finally {
    running.leading = false;
    await endSession(client);
  }
}

function isConnected(running: Running): void {
  running.failures = 0;
  running.outage.succeeded();
}

type Session = { client: Client; bell: Bell; over: AbortSignal };

async function lead(running: Running, { client, bell, over }: Session): Promise<void> {
  await listenTo(client, OUTBOX_NOTIFICATION);
  running.leading = true;
  const sweep = every(SWEEP_MS, performance.now.bind(performance), () => numberUnhinted(client));
  // By the clock that says how old something is: what a machine slept through is made up for when it wakes.
  const purge = every(PURGE_MS, nowMs(running), () => forgetDeletions(client, running));
  let passes = 0;
  while (!over.aborted) {
    await sweep();
    await purge();
    isConnected(running);
    if (await hasHints(client)) {
      const sinceMs = performance.now();
      await numberHinted(client);
      passes += 1;
      const { msMax } = passes > LOADED.passes ? LOADED : REST;
      await pause(Math.min((performance.now() - sinceMs) * REST.times, msMax), over);
    } else {
      passes = 0;
      await bell.wait(LOOK_MS);
    }
  }
}

const nowMs =
  ({ now }: FeedDeps) =>
  () =>
    now().getTime();

/** Does so at the first call, and at a later one when so much has passed since the beginning of the last. */
function every(ms: number, clockMs: () => number, work: () => Promise<void>): () => Promise<void> {
  let begunMs = -Infinity;
  return async () => {
    const atMs = clockMs();
    if (Math.abs(atMs - begunMs) < ms) return;
    await work();
    // What the clock leapt over meanwhile, as a machine does that wakes, was not looked at.
    begunMs = atMs;
  };
}
