// The currency of a page: push where it is on, asking again at intervals whatever push says, and after every sleep.
import type { LiveBar } from './live-bar.ts';
import type { PushClient } from './push-client.ts';
import { sharePushClient } from './shared-push.ts';

/** Something on the page that can be asked for again. Rejects when the server cannot be reached. */
type Refresh = () => Promise<void>;

export type Freshness = {
  push: PushClient | null;
  /** Has it asked for again at intervals. */
  keep: (refresh: Refresh) => void;
  refreshAll: () => void;
  /** Ends it: nothing is heard or asked for any more. */
  stop: () => void;
};

const INTERVAL_MS = { connected: 60_000, polling: 15_000, reconnecting: 5000 };
const DAY_MS = 86_400_000;

type Competition = {
  push: boolean;
  /** Its last day. */
  finish: string;
};

/** @param origin of the service */
export function keepFresh(
  { push: withPush, finish }: Competition,
  { bar, origin }: { bar: LiveBar; origin: string },
): Freshness {
  const refreshes = new Set<Refresh>();
  const ended = Date.parse(`${finish}T23:59:59`) + DAY_MS < Date.now();
  let state: keyof typeof INTERVAL_MS = withPush ? 'reconnecting' : 'polling';
  let timer: number | undefined;
  let stopped = false;

  function become(next: keyof typeof INTERVAL_MS) {
    state = next;
    bar.hears(next);
  }

  function wait() {
    window.clearTimeout(timer);
    if (stopped) return;
    timer = window.setTimeout(() => void refreshAll(), INTERVAL_MS[state]);
  }

  async function refreshAll(): Promise<void> {
    const results = await Promise.allSettled([...refreshes].map((refresh) => refresh()));
    const reached = results.every(({ status }) => status === 'fulfilled');
    if (reached) bar.fresh();
    // Without push, whether the server answers is all that is known.
    if (!withPush) become(reached ? 'polling' : 'reconnecting');
    wait();
  }

  if (ended) {
    bar.hears('off');
    return { push: null, keep: () => {}, refreshAll: () => {}, stop: () => {} };
  }
  bar.hears(state);
  const push = withPush
    ? sharePushClient(origin, (connected) => {
        const next = connected ? 'connected' : 'reconnecting';
        // Each further try to connect is told as well: it must not put off what is to be asked for meanwhile.
        if (next === state) return;
        become(next);
        wait();
      })
    : null;
  wait();
  // A sleeping telephone and a tab in the background miss whatever came meanwhile.
  const seen = () => {
    if (document.visibilityState === 'visible') void refreshAll();
  };
  const shown = (event: PageTransitionEvent) => {
    if (event.persisted) void refreshAll();
  };
  document.addEventListener('visibilitychange', seen);
  window.addEventListener('pageshow', shown);
  bar.onResume(() => void refreshAll());
  return {
    push,
    keep: (refresh) => refreshes.add(refresh),
    refreshAll: () => void refreshAll(),
    stop() {
      stopped = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
      window.removeEventListener('pageshow', shown);
      push?.stop();
    },
  };
}
