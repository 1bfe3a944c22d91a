// The heartbeat of a push server: whoever publishes knows of the server by it, for as long as its process lives.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/client.ts';
import type { Log } from '../log.ts';
import { createOutageLog } from '../outage-log.ts';
import { addServer, hearServer, removeServer, type Heard, type ServerId } from './server-store.ts';

export type HeartbeatOptions = {
  db: Db;
  /** Where the other processes reach this server. */
  address: string;
  /** Events may have gone out without this server: its clients have to connect anew, and then read what they missed. */
  onMissed: () => void;
  now: () => Date;
  log: Log;
};

export type Heartbeat = {
  /** Whether what is saved reaches this server. While it does not, no client should be let in. */
  isServed(): boolean;
  /** Takes the server off the list; who publishes does not wait for it any more. Once, however often it is called. */
  stop(): Promise<void>;
};

const PAUSE_MS = 1000;
// Given up: at each beat, for the sake of a client that was let in meanwhile.
const MISSED = new Set<string>(['late', 'missing', 'given up'] satisfies Heard[]);

/** Resolves when the server is on the list: what is saved from then on reaches it. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const server = { address: options.address, instance: randomUUID() };
  await addServer(options.db, server);
  const stopping = new AbortController();
  const state: State = { served: true };
  const finished = beat(options, { server, state, stopping: stopping.signal });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await finished;
    // Without a database the row stays, and goes stale.
    await removeServer(options.db, server).catch((error: unknown) =>
      options.log.warn({ err: error }, 'the push server could not be taken off the list'),
    );
  };
  return { isServed: () => state.served, stop: () => (stopped ??= stop()) };
}

type State = { served: boolean };
type Beating = { server: ServerId; state: State; stopping: AbortSignal };

async function beat(options: HeartbeatOptions, { server, state, stopping }: Beating): Promise<void> {
  let before: Heard = 'present';
  const outage = outageOf(options);
  while (!stopping.aborted) {
    await sleep(PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    const heard = await hearServer(options.db, server).catch((error: unknown) => {
      outage.failed({ address: options.address, err: error });
    });
    if (!heard) continue;
    outage.succeeded();
    state.served = heard !== 'given up';
    if (MISSED.has(heard)) options.onMissed();
    if (heard !== before) tell(options, heard);
    before = heard;
  }
}

const outageOf = ({ log, now }: HeartbeatOptions) =>
  createOutageLog({
    log,
    now,
    level: 'warn',
    says: {
      begins: 'the heartbeat of this push server does not reach the database',
      lasts: 'the heartbeat of this push server still does not reach the database',
      ends: 'the heartbeat of this push server reaches the database again',
    },
    counted: 'beats',
  });

function tell({ log, address }: HeartbeatOptions, heard: Heard): void {
  switch (heard) {
    case 'present':
      return log.info({ address }, 'this push server is on the list');
    case 'missing':
      return log.warn({ address }, 'this push server was taken for dead; its clients connect again');
    case 'late':
      return log.warn({ address }, 'the heartbeat of this push server was late; its clients connect again');
    case 'given up':
      return log.error(
        { address },
        'this push server takes no events; its clients are sent to others until it does',
      );
    case 'displaced':
      return log.error(
        { address },
        'another push server is listed at the address of this one: set HOST to an address that only this machine has',
      );
    default:
      return heard satisfies never;
  }
}
