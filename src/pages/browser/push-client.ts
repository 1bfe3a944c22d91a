// The push client of a page: connected as the service says, and made anew when the library gives up.
import Pusher from 'pusher-js';

type PushInfo = {
  key: string;
  cluster: string;
  host: string;
  port: number;
  tls: boolean;
  edge_cache_seconds?: number;
};

export type PushClient = {
  /**
   * Hears a channel from now on; `subscribed` is called each time that nothing may be missed from then on.
   * @returns what ends it
   */
  hear: (
    channel: string,
    handlers: { event: (name: string, data: unknown) => void; subscribed: () => void },
  ) => () => void;
  stop: () => void;
};

type Handlers = Parameters<PushClient['hear']>[1];

const RETRY_MS = 5000;
const REBUILD_MS = 2000;

/**
 * @param origin of the service
 * @param onState whether the connection stands
 */
export function createPushClient(origin: string, onState: (connected: boolean) => void): PushClient {
  const heard = new Map<string, Set<Handlers>>();
  let client: Pusher | undefined;
  let stopped = false;
  let edgeCacheMs = 0;

  async function connect(): Promise<void> {
    const info = await readInfo(origin);
    if (stopped) return;
    if (!info) return void setTimeout(() => void connect(), RETRY_MS);
    edgeCacheMs = (info.edge_cache_seconds ?? 0) * 1000;
    client = new Pusher(info.key, {
      cluster: info.cluster,
      wsHost: info.host,
      wsPort: info.port,
      wssPort: info.port,
      forceTLS: info.tls || location.protocol === 'https:',
      enabledTransports: ['ws', 'wss'],
      disableStats: true,
    } as never);
    client.connection.bind('state_change', ({ current }: { current: string }) => {
      if (stopped) return;
      onState(current === 'connected');
      if (current === 'failed') rebuild();
    });
    for (const channel of heard.keys()) bind(channel);
    // It may have given up before anybody could hear of it.
    if (client.connection.state === 'failed') rebuild();
  }

  // The library never leaves this state by itself.
  function rebuild() {
    client?.disconnect();
    client = undefined;
    setTimeout(() => void connect(), REBUILD_MS);
  }

  function bind(channel: string) {
    const subscription = client!.subscribe(channel);
    subscription.bind('pusher:subscription_succeeded', () => tellSubscribed(channel));
    subscription.bind_global((name: string, data: unknown) => {
      if (!name.startsWith('pusher')) for (const { event } of heard.get(channel) ?? []) event(name, data);
    });
  }

  function tellSubscribed(channel: string, handlers: Iterable<Handlers> = heard.get(channel) ?? []) {
    for (const { subscribed } of handlers) {
      subscribed();
      // A shared cache may still answer with what was saved before: fresh for so long, stale for as long again.
      if (edgeCacheMs > 0) setTimeout(subscribed, 2 * edgeCacheMs + 1000);
    }
  }

  void connect();
  return {
    hear(channel, handlers) {
      const all = heard.get(channel) ?? new Set();
      const isFirst = all.size === 0;
      heard.set(channel, all.add(handlers));
      if (client && isFirst) bind(channel);
      // Those who come later are told at once where the subscription stands already.
      else if (client?.channel(channel)?.subscribed) tellSubscribed(channel, [handlers]);
      return () => {
        if (!all.delete(handlers) || all.size > 0) return;
        heard.delete(channel);
        // One that is not subscribed yet would keep what is bound to it.
        client?.channel(channel)?.unbind_all();
        client?.unsubscribe(channel);
      };
    },
    stop() {
      stopped = true;
      client?.disconnect();
    },
  };
}

async function readInfo(origin: string): Promise<PushInfo | null> {
  try {
    const answer = await fetch(`${origin}/api/v1/push`);
    return answer.ok ? ((await answer.json()) as PushInfo) : null;
  } catch {
    return null;
  }
}
