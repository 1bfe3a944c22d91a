// Keeps an embedded push server known to whoever publishes, for as long as its process lives.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/client.ts';
import type { Log } from '../log.ts';
import { addServer, hearServer, removeServer, type Heard, type ServerId } from './server-store.ts';

export type PresenceOptions = {
  db: Db;
  /** Where the other processes reach this server. */
  address: string;
  /** Events may have gone out without this server: its clients have to connect anew, and then read what they missed. */
  onMissed: () => void;
  log: Log;
};

export type Presence = {
  /** Takes the server off the list; who publishes does not wait for it any more. Once, however often it is called. */
  leave(): Promise<void>;
};

const HEARTBEAT_MS = 1000;

/** Resolves when the server is on the list: what is saved from then on reaches it. */
export async function enterPresence(options: PresenceOptions): Promise<Presence> {
  const server = { address: options.address, instance: randomUUID() };
  await addServer(options.db, server);
  const leaving = new AbortController();
  const finished = beat(options, server, leaving.signal);
  let left: Promise<void> | undefined;
  const leave = async () => {
    leaving.abort();
    await finished;
    // Without a database the row stays, and goes stale.
    await removeServer(options.db, server).catch((error: unknown) =>
      options.log.warn({ err: error }, 'the push server could not be taken off the list'),
    );
  };
  return { leave: () => (left ??= leave()) };
}

async function beat(options: PresenceOptions, server: ServerId, leaving: AbortSignal): Promise<void> {
  let before: Heard | 'unheard' = 'present';
  while (!leaving.aborted) {
    await sleep(HEARTBEAT_MS, undefined, { signal: leaving }).catch(() => undefined);
    if (leaving.aborted) return;
    const heard = await hearServer(options.db, server).catch(() => 'unheard' as const);
    if (heard === 'missing') options.onMissed();
    if (heard !== before) tell(options, heard);
    before = heard;
  }
}

function tell({ log, address }: PresenceOptions, heard: Heard | 'unheard'): void {
  switch (heard) {
    case 'present':
      return log.info({ address }, 'this push server is on the list');
    case 'missing':
      return log.warn({ address }, 'this push server was taken for dead; its clients connect again');
    case 'displaced':
      return log.error(
        { address },
        'another push server is listed at the address of this one: set HOST to an address that only this machine has',
      );
    case 'unheard':
      return log.warn({ address }, 'the heartbeat of this push server does not reach the database');
    default:
      return heard satisfies never;
  }
}
