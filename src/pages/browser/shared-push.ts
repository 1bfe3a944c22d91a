// Push clients by service: the widgets of a page that come from one service share a connection.
import { createPushClient, type PushClient } from './push-client.ts';

type Shared = {
  client: PushClient;
  /** Whether the connection stands; undefined before that is known. */
  connected: boolean | undefined;
  tell: Set<(connected: boolean) => void>;
};

const byOrigin = new Map<string, Shared>();

/** The client of a service for one more who listens; their `stop` ends what they hear, and that of the last the connection. */
export function sharePushClient(origin: string, onState: (connected: boolean) => void): PushClient {
  const shared = byOrigin.get(origin) ?? connect(origin);
  const forget = new Set<() => void>();
  shared.tell.add(onState);
  if (shared.connected !== undefined) onState(shared.connected);
  return {
    hear(...heard) {
      const unhear = shared.client.hear(...heard);
      forget.add(unhear);
      return unhear;
    },
    stop() {
      for (const unhear of forget) unhear();
      forget.clear();
      shared.tell.delete(onState);
      if (shared.tell.size > 0 || byOrigin.get(origin) !== shared) return;
      byOrigin.delete(origin);
      shared.client.stop();
    },
  };
}

function connect(origin: string): Shared {
  const shared: Shared = {
    client: createPushClient(origin, (connected) => {
      shared.connected = connected;
      for (const tell of shared.tell) tell(connected);
    }),
    connected: undefined,
    tell: new Set(),
  };
  byOrigin.set(origin, shared);
  return shared;
}
