// Fixed-window counters in bounded memory. Each process counts for itself: n replicas let n times as much through.
import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { TooMany } from '../errors.ts';

type LimiterOptions = { max: number; windowMs: number; now: () => Date; maxKeys?: number };

/** Takes a call out of the count again. */
type GiveBack = () => void;

/** Counts calls per key and throws TooMany beyond `max` within a window; a `max` of 0 never refuses. */
export function createLimiter({ max, windowMs, now, maxKeys = 100_000 }: LimiterOptions) {
  // In order of the windows' beginning, so that the first key is always the next to expire.
  const windows = new Map<string, { count: number; endsAt: number }>();

  return function count(key: string): GiveBack {
    if (max === 0) return () => {};
    const time = now().getTime();
    const window = windowOf(key, time);
    if (window.count >= max) {
      const seconds = Math.ceil((window.endsAt - time) / 1000);
      throw new TooMany(`Too many requests, try again in ${seconds} s`, seconds);
    }
    window.count += 1;
    return () => {
      window.count -= 1;
    };
  };

  function windowOf(key: string, time: number): { count: number; endsAt: number } {
    const open = windows.get(key);
    if (open && open.endsAt > time) return open;
    windows.delete(key);
    if (windows.size >= maxKeys) forgetOldest();
    const window = { count: 0, endsAt: time + windowMs };
    windows.set(key, window);
    return window;
  }

  function forgetOldest(): void {
    const [oldest] = windows.keys();
    if (oldest !== undefined) windows.delete(oldest);
  }
}

/** Counts a read of an address; null where reads are not limited, which then cost nothing. */
export type CountRead = ((address: string) => void) | null;

/** Counts what the routes of a plugin are asked, whoever asks. */
export function countReads(app: FastifyInstance, count: CountRead): void {
  if (!count) return;
  app.addHook('onRequest', (request, _reply, done) => {
    count(addressKey(request.ip));
    done();
  });
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
