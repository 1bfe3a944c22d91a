import { assert, json, property, uuid } from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { changeMessage } from '../../src/webhooks/messages.ts';
import { askedToWaitMs, ATTEMPTS_MAX, gateMs, retryAfterMs } from '../../src/webhooks/retries.ts';
import { newSecret, signatures } from '../../src/webhooks/signing.ts';

it('whatever is signed is verified by the package, with each of two secrets and no third', () => {
  assert(
    property(json(), uuid(), (body, id) => {
      const timestampSeconds = Math.floor(Date.now() / 1000);
      const [secret, former, foreign] = [newSecret(), newSecret(), newSecret()];
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': signatures([secret, former], { id, timestampSeconds, body }),
      };
      for (const one of [secret, former]) new Webhook(one).verify(body, headers);
      expect(() => new Webhook(foreign).verify(body, headers)).toThrow('No matching signature found');
      expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'other' })).toThrow(
        'No matching signature found',
      );
    }),
    { numRuns: 20 },
  );
});

it('signs as the specification shows', () => {
  const signed = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signatures(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], signed)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

it('a message stays far below 20 kB, whatever the names in it', () => {
  const long = '漢'.repeat(64);
  const row = {
    number: 1,
    type: 'competitor' as const,
    competitionId: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
    year: 2026,
    countryId: 'GBR',
    countries: 'GBR',
    slug: 'x'.repeat(80),
    eventId: long,
    objectId: long,
    round: 9999,
    heat: 9999,
    revision: 2 ** 50,
    deleted: false,
    updatedAt: '2026-07-18T13:05:27.412Z',
  };
  const { body, type } = changeMessage(row, '5d0c1f2ab39e', `https://${'x'.repeat(250)}`);
  expect(type).toBe('competitor.changed');
  expect(Buffer.byteLength(body)).toBeLessThan(20_000 / 5);
});

it('retries come at the times of the specification or somewhat later, and end', () => {
  const minutes = [1 / 12, 5, 30, 120, 300, 600, 840, 1200, 1440];
  const delays = (chance: number) => minutes.map((_, index) => retryAfterMs(index + 1, chance)! / 60_000);
  expect(delays(0)).toEqual(minutes);
  delays(1).forEach((delay, index) => expect(delay / minutes[index]!).toBeCloseTo(1.1));
  expect(retryAfterMs(ATTEMPTS_MAX, 0)).toBeNull();
});

it('a receiver is left alone for longer and longer, up to a minute', () => {
  expect([1, 2, 3, 4, 5, 100].map((failures) => gateMs(failures) / 1000)).toEqual([5, 10, 20, 40, 60, 60]);
});

it.each([
  ['120', 120_000],
  ['Sun, 22 Nov 2026 12:02:00 GMT', 120_000],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['999999999', 86_400_000],
  ['-5', 0],
  ['soon', 0],
  ['', 0],
  [undefined, 0],
])('Retry-After: %s is %i ms', (header, ms) => {
  expect(askedToWaitMs(header, Date.parse('2026-11-22T12:00:00Z'))).toBe(ms);
});
