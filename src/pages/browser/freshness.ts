// The currency of a page: push where it is on, asking again at intervals whatever push says, and after every sleep.
import type { LiveBar } from './live-bar.ts';
import { createPushClient, type PushClient } from './push-client.ts';

/** Something on the page that can be asked for again. Rejects when the server cannot be reached. */
type Refresh = () => Promise<void>;

export type Freshness = {
  push: PushClient | null;
  /** Has it asked for again at intervals. */
  keep: (refresh: Refresh) => void;
  refreshAll: () => void;
};

const INTERVAL_MS = { connected: 60_000, polling: 15_000, reconnecting: 5000 };
const DAY_MS = 86_400_000;

/** @param live where the page says how it is kept current: `data-push`, `data-finish` */
export function keepFresh(live: HTMLElement, bar: LiveBar): Freshness {
  const refreshes: Refresh[] = [];
  const withPush = live.dataset['push'] === 'on';
  const ended = Date.parse(`${live.dataset['finish']}T23:59:59`) + DAY_MS < Date.now();
  let state: keyof typeof INTERVAL_MS = withPush ? 'reconnecting' : 'polling';
  let timer: number | undefined;

  function become(next: keyof typeof INTERVAL_MS) {
    state = next;
    bar.hears(next);
  }

  function wait() {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void refreshAll(), INTERVAL_MS[state]);
  }

  async function refreshAll(): Promise<void> {
    const results = await Promise.allSettled(refreshes.map((refresh) => refresh()));
    const reached = results.every(({ status }) => status === 'fulfilled');
    if (reached) bar.fresh();
    // Without push, whether the server answers is all that is known.
    if (!withPush) become(reached ? 'polling' : 'reconnecting');
    wait();
  }

  if (ended) {
    bar.hears('off');
    return { push: null, keep: () => {}, refreshAll: () => {} };
  }
  bar.hears(state);
  const push = withPush
    ? createPushClient((connected) => {
        become(connected ? 'connected' : 'reconnecting');
        wait();
      })
    : null;
  wait();
  // A sleeping telephone and a tab in the background miss whatever came meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void refreshAll();
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) void refreshAll();
  });
  bar.onResume(() => void refreshAll());
  return { push, keep: (refresh) => refreshes.push(refresh), refreshAll: () => void refreshAll() };
}
