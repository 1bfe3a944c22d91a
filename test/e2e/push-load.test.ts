import { expect, it, onTestFinished, vi } from 'vitest';
import { gather, type Crowd } from '../helpers/crowd.ts';
import { inMs, report } from '../helpers/figures.ts';
import { byLength } from '../helpers/length.ts';
import type { Environment } from '../helpers/program.ts';
import { rawClient, publisherLibrary } from '../helpers/push-server.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, startServerProcess } from '../helpers/server.ts';

const APP = { id: 'app', key: 'key', secret: 'secret of the push server' };
const IDENTITY = { PUSHER_APP_ID: APP.id, PUSHER_KEY: APP.key, PUSHER_SECRET: APP.secret };
const CONNECTIONS = byLength(150, 1000);
const BURST = byLength(30, 100);
const CHANNEL = 'x-2026-GBR-load-overview';
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });

async function pushServer<Server extends { baseUrl: string }>(
  start: (env: Environment) => Promise<Server>,
  env: Environment = {},
) {
  const own = { ...IDENTITY, PUSHER_EMBEDDED: 'true', TRUST_PROXY: '1', ...env };
  const server = await start({ ...(await databaseEnvironment()), ...own });
  const port = Number(new URL(server.baseUrl).port);
  const library = publisherLibrary(APP, port);
  return {
    ...server,
    port,
    crowd: async (count: number, address?: string): Promise<Crowd> => {
      const options = { port, key: IDENTITY.PUSHER_KEY, channel: CHANNEL, count };
      const crowd = await gather({ ...options, ...(address !== undefined && { address }) });
      onTestFinished(() => crowd.leave());
      return crowd;
    },
    /** A bare client from another address than the crowd. */
    raw(address = '10.0.0.9') {
      const client = rawClient(port, `/app/${IDENTITY.PUSHER_KEY}?protocol=7`, {
        'x-forwarded-for': address,
      });
      onTestFinished(() => client.socket.terminate());
      return client;
    },
    /** Publishes numbered events of this size in batches of ten. */
    async publish(from: number, to: number, bytes: number) {
      const filling = 'x'.repeat(bytes);
      for (let start = from; start < to; start += 10) {
        const numbers = Array.from({ length: Math.min(10, to - start) }, (_, index) => start + index);
        const answer = await library.triggerBatch(
          numbers.map((n) => ({ channel: CHANNEL, name: 'e', data: JSON.stringify({ n, filling }) })),
        );
        await answer.text();
      }
    },
    async subscribers(): Promise<number> {
      const answer = await library.get({
        path: `/channels/${CHANNEL}`,
        params: { info: 'subscription_count' },
      });
      return ((await answer.json()) as { subscription_count: number }).subscription_count;
    },
  };
}

it(`${CONNECTIONS} connections receive a burst in order, more are refused, and all are told to come back when the server stops`, async () => {
  const [perAddress, others] = [CONNECTIONS, 5];
  const server = await pushServer(startServerProcess, {
    PUSH_MAX_CONNECTIONS: String(perAddress + others),
    PUSH_MAX_CONNECTIONS_PER_ADDRESS: String(perAddress),
  });
  const connectingMs = performance.now();
  const crowd = await server.crowd(CONNECTIONS);
  const startMs = performance.now();
  await Promise.all([server.publish(0, BURST, 500), crowd.all(BURST)]);
  const tookMs = performance.now() - startMs;

  expect(await server.raw('10.0.0.1').closed).toBe(4100);
  const rest = await server.crowd(others, '10.0.0.2');
  const tooMany = server.raw('10.0.0.3');
  expect(await tooMany.next()).toMatchObject({ event: 'pusher:error', data: { code: 4100 } });
  expect(await tooMany.closed).toBe(4100);
  rest.sockets[0]!.close();
  await eventually(async () => {
    expect(await server.raw('10.0.0.3').next()).toMatchObject({ event: 'pusher:connection_established' });
  });

  const stopMs = performance.now();
  expect(await server.kill('SIGTERM')).toBe(0);
  const codes = await crowd.closed;
  report({
    connections: CONNECTIONS,
    'connected within': inMs(startMs - connectingMs),
    'events each': BURST,
    'burst delivered within': inMs(tookMs),
    'per second': Math.round((CONNECTIONS * BURST) / (tookMs / 1000)),
    'out of order or twice': crowd.outOfOrder(),
    'closed with 4100': codes.filter((code) => code === 4100).length,
    'stopped within': inMs(performance.now() - stopMs),
  });
  expect(crowd.received.filter((count) => count !== BURST)).toEqual([]);
  expect(crowd.outOfOrder()).toBe(0);
  expect(codes.filter((code) => code !== 4100)).toEqual([]);
}, 120_000);

it('readers that stop reading are cut off before much is kept for them, while others receive everything', async () => {
  // The server keeps twenty events of the largest size for a reader; the system's own buffers take about as much again.
  const [slowReaders, eventsMax, bytes] = [10, 400, 200_000];
  const server = await pushServer(serve);
  const quick = await server.crowd(2);
  const slow = await server.crowd(slowReaders);
  for (const socket of slow.sockets) socket.pause();

  expect(await server.subscribers()).toBe(2 + slowReaders);
  let cutAfter: number | undefined;
  let published = 0;
  // Twenty more once all are cut off.
  for (; cutAfter === undefined || published === cutAfter; published += 20) {
    expect(published).toBeLessThan(eventsMax);
    await server.publish(published, published + 20, bytes);
    await quick.all(published + 20);
    if ((await server.subscribers()) === 2) cutAfter ??= published + 20;
  }
  report({ 'slow readers': slowReaders, 'all cut off after events': String(cutAfter) });
  expect(quick.received).toEqual([published, published]);
  expect(quick.outOfOrder()).toBe(0);
}, 120_000);

it('a frame of more than 100 kB or of binary data ends its own connection, and garbage ends none', async () => {
  const server = await pushServer(serve);
  const bystander = await server.crowd(1);
  const [long, binary, garbage] = [server.raw(), server.raw(), server.raw()];
  for (const client of [long, binary, garbage]) await client.next();
  long.send(`{"event":"${'x'.repeat(100 * 1024)}"}`);
  binary.socket.send(Buffer.from('{"event":"pusher:ping"}'), { binary: true });
  expect(await long.closed).toBe(1009);
  expect(await binary.closed).toBe(1003);

  const frames = ['', '{', '[]', 'null', '\u0000', '{"event":{}}', '{"event":"pusher:subscribe","data":[]}'];
  for (const frame of frames) {
    garbage.send(frame);
    expect(await garbage.next()).toMatchObject({ event: 'pusher:error', data: { code: null } });
  }
  garbage.send({ event: 'pusher:ping', data: {} });
  expect(await garbage.next()).toMatchObject({ event: 'pusher:pong' });
  await server.publish(0, 10, 10);
  await bystander.all(10);
  report({ 'garbage frames answered': frames.length, 'events to a bystander': bystander.received[0]! });
  expect(bystander.received).toEqual([10]);
}, 120_000);
