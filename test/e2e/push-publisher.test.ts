import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPublisher, type Publisher, type PublisherOptions } from '../../src/push/publisher.ts';
import { GOOD_UNTIL, signatureFault } from '../../src/push/server/signature.ts';
import { startFakePushService, type FakePushService } from '../helpers/fake-push-service.ts';

let service: FakePushService;
let publishers: Publisher[];
const event = { id: 1, channel: 'c', event: 'e', data: '{"a": "ø"}' };

beforeEach(async () => {
  service = await startFakePushService();
  publishers = [];
});
afterEach(async () => {
  for (const publisher of publishers) publisher.close();
  await service.close();
});

function publisherTo(port: number, options: Partial<PublisherOptions> = {}): Publisher {
  const publisher = createPublisher({
    app: { id: '1', key: 'k', secret: 's' },
    host: '127.0.0.1',
    port,
    tls: false,
    now: () => new Date('2026-06-01T12:00:00Z'),
    ...options,
  });
  publishers.push(publisher);
  return publisher;
}

test('an accepted batch is ok, its data sent as it is, and the batch left as it was', async () => {
  const batch = [Object.freeze({ ...event })];
  expect(await publisherTo(service.port).publish(batch)).toEqual({ kind: 'ok' });
  expect(service.accepted).toEqual([{ channel: 'c', name: 'e', data: event.data }]);
});

test.each([400, 413, 422])('%i is a rejection', async (status) => {
  service.answer = () => ({ status });
  expect(await publisherTo(service.port).publish([event])).toMatchObject({ kind: 'rejected', status });
});

test.each([401, 403, 404, 429, 500, 502, 503])('%i is temporary', async (status) => {
  service.answer = () => ({ status });
  const outcome = await publisherTo(service.port).publish([event]);
  expect(outcome).toMatchObject({ kind: 'temporary', retryAfterMs: undefined });
});

test.each([
  ['2', 2000],
  ['Mon, 01 Jun 2026 12:00:03 GMT', 3000],
  ['999999', 30_000],
  ['Tue, 01 Jun 2027 12:00:00 GMT', 30_000],
  ['Mon, 01 Jun 2009 12:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After: %s is passed on, and forgotten with the next answer', async (header, retryAfterMs) => {
  const publisher = publisherTo(service.port);
  service.answer = () => ({ status: 429, headers: { 'retry-after': header } });
  expect(await publisher.publish([event])).toMatchObject({ kind: 'temporary', retryAfterMs });
  service.answer = () => ({ status: 503 });
  expect(await publisher.publish([event])).toMatchObject({ kind: 'temporary', retryAfterMs: undefined });
});

test('a service that is not there, hangs up or never answers is temporary', async () => {
  const gone = await startFakePushService();
  await gone.close();
  expect(await publisherTo(gone.port).publish([event])).toMatchObject({ kind: 'temporary' });
  service.answer = () => undefined;
  expect(await publisherTo(service.port).publish([event])).toMatchObject({ kind: 'temporary' });
  service.answer = () => new Promise(() => undefined);
  const impatient = publisherTo(service.port, { timeoutMs: 50 });
  expect(await impatient.publish([event])).toMatchObject({ kind: 'temporary' });
});

test('signs by the clock that it is handed, not by that of the machine', async () => {
  const app = { id: '1', key: 'k', secret: 's' };
  const now = new Date('2031-06-01T12:00:00Z');
  await publisherTo(service.port, { app, now: () => now }).publish([event]);
  const [request] = service.signed;
  expect(signatureFault(app, request!, now)).toBeUndefined();
  expect(signatureFault(app, request!, new Date())).toContain('auth_timestamp');
});

test('sends nothing once its lease is over, and tells only our own servers when that will be', async () => {
  const lease = { isOver: () => true, endsAt: () => new Date(1_800_000_000_000) };
  const [ours, other] = [publisherTo(service.port, { isOwn: true }), publisherTo(service.port)];
  expect(await ours.publish([event], lease)).toMatchObject({ kind: 'temporary' });
  expect(service.requests).toEqual([]);
  lease.isOver = () => false;
  await ours.publish([event], lease);
  await other.publish([event], lease);
  expect(service.signed.map(({ query }) => query.get(GOOD_UNTIL))).toEqual(['1800000000000', null]);
});

test('an answer whose body never ends does not hold the publisher', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nhalf');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const publisher = publisherTo(port, { timeoutMs: 50 });
  // More often than there are connections: each must be given back.
  for (let n = 0; n < 6; n += 1)
    expect(await publisher.publish([event])).toMatchObject({ kind: 'temporary' });
  server.close();
});

test('what failed is told without the signature that was sent', async () => {
  await service.close();
  const outcome = await publisherTo(service.port).publish([event]);
  expect(outcome).toMatchObject({ kind: 'temporary', error: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify(outcome)).not.toMatch(/auth_|signature/);
  service = await startFakePushService();
});
