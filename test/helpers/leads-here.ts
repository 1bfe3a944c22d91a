// A process that publishes and numbers by itself, as its outbox's bell sees it: no other is told.
import type { OutboxBell } from '../../src/push/outbox-bell.ts';

export function leadsHere(bell: OutboxBell) {
  const heard = { times: 0 };
  const ends = [0, 1].map(() => bell.hear(() => void (heard.times += 1)));
  return { heard, end: () => ends.forEach((end) => end()) };
}
