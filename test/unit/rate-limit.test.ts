import { describe, expect, it } from 'vitest';
import { TooMany } from '../../src/errors.ts';
import { addressKey, createLimiter } from '../../src/http/rate-limit.ts';

function world(max: number, maxKeys?: number) {
  const clock = { ms: 0 };
  const limiter = createLimiter({
    max,
    windowMs: 60_000,
    now: () => new Date(clock.ms),
    ...(maxKeys ? { maxKeys } : {}),
  });
  return { clock, limiter };
}

describe('rate limits', () => {
  it('refuses what exceeds the limit within a window and says when to come back', () => {
    const { clock, limiter } = world(2);
    limiter('a');
    clock.ms = 15_500;
    limiter('a');
    expect(() => limiter('a')).toThrow(expect.objectContaining({ retryAfterSeconds: 45 }));
    expect(() => limiter('a')).toThrow(TooMany);
  });

  it('counts each key for itself', () => {
    const { limiter } = world(1);
    limiter('a');
    expect(() => limiter('b')).not.toThrow();
  });

  it('begins again with the next window, also for a key that was refused', () => {
    const { clock, limiter } = world(1);
    limiter('a');
    expect(() => limiter('a')).toThrow(TooMany);
    clock.ms = 60_000;
    expect(() => limiter('a')).not.toThrow();
    expect(() => limiter('a')).toThrow(TooMany);
  });

  it('a count given back makes room again, and one refused takes none', () => {
    const { limiter } = world(2);
    const giveBack = limiter('a');
    limiter('a');
    expect(() => limiter('a')).toThrow(TooMany);
    giveBack();
    expect(() => limiter('a')).not.toThrow();
    expect(() => limiter('a')).toThrow(TooMany);
  });

  it('a count of an earlier window, given back late, does not make room in the present one', () => {
    const { clock, limiter } = world(1);
    const giveBack = limiter('a');
    clock.ms = 60_000;
    limiter('a');
    giveBack();
    expect(() => limiter('a')).toThrow(TooMany);
  });

  it('0 refuses nothing', () => {
    const { limiter } = world(0);
    for (let i = 0; i < 100; i++) expect(() => limiter('a')).not.toThrow();
  });

  it('forgets the oldest key rather than growing without end', () => {
    const { limiter } = world(1, 2);
    limiter('a');
    limiter('b');
    limiter('c');
    expect(() => limiter('c')).toThrow(TooMany);
    expect(() => limiter('b')).toThrow(TooMany);
    expect(() => limiter('a')).not.toThrow();
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('the address %s is counted as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });
});
