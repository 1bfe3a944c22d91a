// The relay, which publishes the outbox. Any number of processes may run one on the same database; one of them publishes.
import { Client } from 'pg';
import { type Bell, createBell, pause } from '../bell.ts';
import { connectionSettings, type DatabaseUrl } from '../db/client.ts';
import { LOCKS } from '../db/locks.ts';
import { endSession, follow, trySessionLock } from '../db/session-lock.ts';
import type { Log } from '../log.ts';
import { createOutageLog, type OutageLog } from '../outage-log.ts';
import { publishPage, type Dispatch, type DispatchCounts } from './dispatch.ts';
import { createLease, LEASE_MS, type Held } from './lease.ts';
import type { OutboxBell } from './outbox-bell.ts';
import { OUTBOX_NOTIFICATION } from './outbox-store.ts';
import type { Publisher } from './publisher.ts';

export type RelayOptions = {
  /** A direct connection: through a transaction-mode pooler neither session locks nor LISTEN work. */
  url: DatabaseUrl;
  publisher: Publisher;
  maxEventBytes: number;
  /** Public address of the service, for the link in reduced events. A function where it is known after listening only. */
  baseUrl: string | (() => string);
  /** Of saves in this process; of others the database tells. */
  hear?: OutboxBell['hear'];
  /** The longest pause between two tries while the publisher takes nothing; five seconds when unset. */
  heldMsMax?: number;
  now: () => Date;
  log: Log;
};

export type RelayStatus = { leading: boolean; counts: DispatchCounts };
export type Relay = {
  /**
   * Lets another process take over: once nothing waits or the push service takes nothing, at the latest after `drainMs`,
   * and never in the midst of a batch.
   */
  stop(drainMs?: number): Promise<void>;
  status(): RelayStatus;
};

const POLL_MS = 1000;
const BACKOFF_MS = { first: 50, longest: 5000 };
const STATEMENTS = { statementMs: 8000, lockMs: 8000, queryMs: 10_000 };
// A session is ended that is silent for LEASE_MS; a leader that does not hang says so often enough.
const BEAT_MS = 2000;

/** Starts at once and goes on, whatever happens to the database or the push service, until stopped. */
export function startRelay(options: RelayOptions): Relay {
  const finishing = new AbortController();
  const stopping = new AbortController();
  const counts = { published: 0, reduced: 0, stale: 0, dead: 0, failed: 0 };
  const signals = { finishing: finishing.signal, stopping: stopping.signal };
  const relay: Running = {
    ...options,
    ...signals,
    counts,
    leading: false,
    failures: 0,
    ...outageLogs(options),
  };
  const finished = run(relay);
  return {
    stop: async (drainMs = 0) => {
      const timer = setTimeout(() => stopping.abort(), drainMs);
      if (drainMs === 0) stopping.abort();
      finishing.abort();
      await finished;
      clearTimeout(timer);
    },
    status: () => ({ leading: relay.leading, counts: { ...counts } }),
  };
}

function outageLogs({ log, now }: RelayOptions): Pick<Running, 'databaseOutage' | 'pushOutage'> {
  const options = { log, now, level: 'warn', counted: 'tries' } as const;
  const ofDatabase = {
    begins: 'the relay lost its database connection',
    lasts: 'the relay still has no database connection',
    ends: 'the relay has its database connection again',
  };
  const ofPush = {
    begins: 'the push service takes no events; they wait',
    lasts: 'the push service still takes no events; they wait',
    ends: 'the push service takes events again',
  };
  return {
    databaseOutage: createOutageLog({ ...options, says: ofDatabase }),
    pushOutage: createOutageLog({ ...options, says: ofPush }),
  };
}

type Running = RelayOptions & {
  counts: DispatchCounts;
  leading: boolean;
  /** Connections in a row that came to nothing. */
  failures: number;
  databaseOutage: OutageLog;
  pushOutage: OutageLog;
  /** Nothing new is to come: what waits is still published. */
  finishing: AbortSignal;
  /** Nothing more may be sent. */
  stopping: AbortSignal;
};

async function run(relay: Running): Promise<void> {
  while (!relay.finishing.aborted) {
    try {
      await takePart(relay);
    } catch (error) {
      relay.failures += 1;
      relay.databaseOutage.failed({ err: error });
    }
    await pause(backoffMs(relay.failures), relay.finishing);
  }
}

/** One connection's life: wait for the lock, then publish for as long as the connection holds it. */
async function takePart(relay: Running): Promise<void> {
  const lost = new AbortController();
  const client = createClient(relay.url, () => lost.abort());
  try {
    await client.connect();
    const leaving = AbortSignal.any([relay.finishing, lost.signal]);
    const lease = createLease(relay.now);
    const leads = await follow(client, {
      lock: LOCKS.relay,
      silenceMs: LEASE_MS,
      tryLock: () => lease.renew(() => trySessionLock(client, LOCKS.relay)),
      onRefused() {
        isConnected(relay);
        relay.pushOutage.forget();
      },
      onEnded: () => relay.log.warn('the process that published hung; its database connection was ended'),
      until: leaving,
    });
    if (!leads) return;
    const over = AbortSignal.any([relay.stopping, lost.signal]);
    const session = { client, lease, bell: createBell(), over };
    const stopBeating = beat(relay, session);
    const stopHearing = relay.hear?.(session.bell.ring);
    try {
      await lead(relay, session);
    } finally {
      stopBeating();
      stopHearing?.();
    }
  } finally {
    relay.leading = false;
    await endSession(client);
  }
}

function isConnected(relay: Running): void {
  relay.failures = 0;
  relay.databaseOutage.succeeded();
}

type Session = { client: Client; lease: Held; bell: Bell; over: AbortSignal };

// Beside the publishing, which may wait for a push service longer than a silent session lasts.
function beat({ publisher }: Running, { client, lease }: Session): () => void {
  let beating = false;
  const once = async () => {
    if (beating) return;
    beating = true;
    // When it fails the connection is lost, or will be: the next query of the publishing says so.
    await lease.renew(() => client.query('select')).catch(() => undefined);
    if (!lease.isOver()) await publisher.lookAfter?.();
    beating = false;
  };
  const timer = setInterval(() => void once(), BEAT_MS);
  return () => clearInterval(timer);
}

async function lead(relay: Running, { client, lease, bell, over }: Session): Promise<void> {
  client.on('notification', bell.ring);
  const wake = AbortSignal.any([relay.finishing, over]);
  wake.addEventListener('abort', bell.ring, { once: true });
  await client.query(`listen ${OUTBOX_NOTIFICATION}`);
  relay.leading = true;
  relay.log.info('this process publishes the outbox');
  const dispatch = createDispatch(relay, { client, lease, over });
  while (!over.aborted) {
    // Asked before the page is read: it then holds everything that was saved before.
    const last = relay.finishing.aborted;
    const progress = await publishPage(dispatch);
    isConnected(relay);
    if (last && progress.kind !== 'moved') return;
    if (progress.kind === 'empty') await bell.wait(POLL_MS);
    if (progress.kind === 'held') {
      const pauseMs = backoffMs(dispatch.failuresInARow, relay.heldMsMax);
      await pause(Math.max(pauseMs, progress.retryAfterMs), wake);
    }
  }
}

function createDispatch(relay: Running, { client, lease, over }: Omit<Session, 'bell'>): Dispatch {
  const { publisher, maxEventBytes, baseUrl, log, counts, pushOutage: outage } = relay;
  return {
    client,
    lease,
    publisher,
    maxEventBytes,
    baseUrl: typeof baseUrl === 'string' ? baseUrl : baseUrl(),
    log,
    outage,
    counts,
    failuresInARow: 0,
    over: () => over.aborted,
  };
}

function createClient(url: DatabaseUrl, onLost: () => void): Client {
  const client = new Client({
    ...connectionSettings(url, 'athletics-data-service relay', STATEMENTS),
    connectionTimeoutMillis: 5000,
  });
  client.on('error', onLost);
  client.on('end', onLost);
  return client;
}

// Jitter keeps processes that failed together from trying again together.
function backoffMs(failures: number, longestMs = BACKOFF_MS.longest): number {
  const fullMs = Math.min(BACKOFF_MS.first * 2 ** Math.max(failures - 1, 0), longestMs);
  return fullMs * (0.5 + Math.random() / 2);
}
