// Fixed-window counters in bounded memory. Each process counts for itself: n replicas let n times as much through.
import { isIPv6 } from 'node:net';
import { TooMany } from '../errors.ts';

type LimiterOptions = { max: number; windowMs: number; now: () => Date; maxKeys?: number };

/** Counts calls per key and throws TooMany beyond `max` within a window; a `max` of 0 never refuses. */
export function createLimiter({ max, windowMs, now, maxKeys = 100_000 }: LimiterOptions) {
  // In order of the windows' beginning, so that the first key is always the next to expire.
  const windows = new Map<string, { count: number; endsAt: number }>();

  return function count(key: string): void {
    if (max === 0) return;
    const time = now().getTime();
    const open = windows.get(key);
    if (!open || open.endsAt <= time) {
      windows.delete(key);
      if (windows.size >= maxKeys) forgetOldest();
      windows.set(key, { count: 1, endsAt: time + windowMs });
      return;
    }
    open.count += 1;
    if (open.count <= max) return;
    const seconds = Math.ceil((open.endsAt - time) / 1000);
    throw new TooMany(`Too many requests, try again in ${seconds} s`, seconds);
  };

  function forgetOldest(): void {
    const [oldest] = windows.keys();
    if (oldest !== undefined) windows.delete(oldest);
  }
}

/** The key of a network address. An IPv6 host owns a whole /64, so that is what is counted. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(ip) ?? [];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = ip.toLowerCase().split('::');
  const start = head.split(':').filter(Boolean);
  const end = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - start.length - end.length)).fill('0');
  return [...start, ...zeros, ...end].slice(0, 4).join(':');
}
