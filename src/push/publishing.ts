// Publishing in a running server: the relay, and the publisher for the push service that is configured.
import { networkInterfaces } from 'node:os';
import { connectBeside, type Db } from '../db/client.ts';
import type { Deps } from '../deps.ts';
import { publishAll, type PushServer } from './server/push-server.ts';
import { publishEndpoint, serverAddress } from './endpoints.ts';
import { createFanOut } from './fan-out.ts';
import type { DispatchCounts } from './dispatch.ts';
import { outboxBellOf } from './outbox-bell.ts';
import { startHeartbeat } from './server-heartbeat.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { startRelay } from './relay.ts';
import { giveUpServer, listGivenUp, listServers, sortOutServers, takeServerBack } from './server-store.ts';

export type PublishingOptions = {
  /** The push server of this process, and where it listens; null when there is none. */
  own: { server: PushServer; bound: { host: string; port: number } } | null;
  baseUrl: string;
};
export type Publishing = {
  counts: () => DispatchCounts;
  /** Whether this process is the one that publishes. */
  leads: () => boolean;
  /** Whether clients of this process get what is published. */
  isServed: () => boolean;
  /** Before this process stops listening: takes its push server off the list. It still gets what this process publishes. */
  signOff: () => Promise<void>;
  /** Publishes what waits, for so long at most, and lets another process take over. */
  stop: (drainMs?: number) => Promise<void>;
};

type Outlet = {
  publisher: Publisher;
  heldMsMax?: number;
  isServed: () => boolean;
  signOff: () => Promise<void>;
  close: () => Promise<void>;
};

// A push server that was killed is given up by its heartbeat: what waits for that should not wait much longer.
const HELD_MS_MAX = 500;

export async function startPublishing(deps: Deps, { own, baseUrl }: PublishingOptions): Promise<Publishing> {
  const { config, databaseUrl: url, log } = deps;
  // With PUSHER_HOST set, what listens there passes events on, and our own server is one of those behind it.
  const among = own && config.PUSHER_HOST === undefined;
  const { publisher, heldMsMax, isServed, signOff, close } = among
    ? await ownServers(deps, own)
    : service(deps);
  const relay = startRelay({
    url,
    publisher,
    hear: outboxBellOf(deps.db).hear,
    maxEventBytes: config.pushMaxEventBytes,
    baseUrl,
    now: deps.now,
    log,
    ...(heldMsMax !== undefined && { heldMsMax }),
  });
  return {
    counts: () => relay.status().counts,
    leads: () => relay.status().leading,
    isServed,
    signOff,
    stop: async (drainMs) => {
      await relay.stop(drainMs);
      await close();
    },
  };
}

function service({ config, pushApp: app, now }: Deps): Outlet {
  const publisher = createPublisher({ app, ...publishEndpoint(config), now });
  return {
    publisher,
    isServed: () => true,
    signOff: async () => {},
    close: async () => publisher.close(),
  };
}

/** The push servers of all processes on this database; ours is among them before it resolves. */
async function ownServers(
  deps: Deps,
  { server, bound }: NonNullable<PublishingOptions['own']>,
): Promise<Outlet> {
  const { databaseUrl, log, now } = deps;
  const db = connectBeside(databaseUrl, (error) => log.debug({ err: error }, 'the heartbeat was cut off'));
  const address = serverAddress(bound, networkInterfaces());
  try {
    const heartbeat = await startHeartbeat({ db, address, onMissed: () => void server.sendAway(), now, log });
    const publisher = fanOutTo(db, deps, { server, address });
    const close = async () => {
      await heartbeat.stop();
      publisher.close();
      await db.$client.end();
    };
    return {
      publisher,
      heldMsMax: HELD_MS_MAX,
      isServed: () => heartbeat.isServed(),
      signOff: () => heartbeat.stop(),
      close,
    };
  } catch (error) {
    await db.$client.end();
    throw error;
  }
}

function fanOutTo(
  db: Db,
  { pushApp: app, now, log }: Deps,
  own: { server: PushServer; address: string },
): Publisher {
  const servers = {
    // Our own is there until the end, also when it is off the list.
    addresses: async () => [...new Set([own.address, ...(await listServers(db))])],
    sortOut: (failing: string[]) => sortOutServers(db, failing),
    giveUp: (address: string) => giveUpServer(db, address),
    givenUp: () => listGivenUp(db),
    takeBack: (address: string) => takeServerBack(db, address),
  };
  const open = (address: string) => {
    if (address === own.address) return within(own.server);
    const { hostname: host, port } = new URL(address);
    return createPublisher({ app, host, port: Number(port) || 80, tls: false, isOwn: true, now });
  };
  return createFanOut({ servers, open, now, log });
}

// Without the way over the network, which ends before the last event is published.
function within(server: PushServer): Publisher {
  return {
    publish: async (batch, lease) => {
      if (lease?.isOver()) return { kind: 'temporary', error: 'the lease is over', retryAfterMs: undefined };
      await publishAll(
        server,
        batch.map(({ channel, ...event }) => ({ ...event, channels: [channel] })),
      );
      return { kind: 'ok' };
    },
    close: () => {},
  };
}
