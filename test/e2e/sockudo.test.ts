// Sockudo as docker-compose.yml runs it, in place of the embedded push server: one node, then two that share a Redis.
import type PusherJs from 'pusher-js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPublisher, type OutgoingEvent } from '../../src/push/publisher.ts';
import { delivered, overviewDeliveries, snapshotDeliveries } from '../helpers/deliveries.ts';
import { inMs, report } from '../helpers/figures.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import type { Pushed } from '../helpers/push-client.ts';
import { clientClasses, rawClient } from '../helpers/push-server.ts';
import { IDENTITY, publishingTo } from '../helpers/push-service.ts';
import { prepareRedis, REDIS } from '../helpers/redis.ts';
import { freePort } from '../helpers/free-port.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { SOCKUDO } from '../helpers/sockudo-program.ts';
import { startSockudo } from '../helpers/sockudo.ts';
import { createMeeting, startSaving } from '../helpers/steady-saves.ts';

const CHANNEL = 'x-2026-GBR-open-overview';
/** As long as the service's own may be. */
const LONGEST = 'x'.repeat(200);
/** What several nodes share, as docker-compose.yml says. */
const SHARED = ['ADAPTER_DRIVER', 'CACHE_DRIVER', 'QUEUE_DRIVER', 'RATE_LIMITER_DRIVER'];
const PATIENCE = { timeout: 30_000, interval: 20 };
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, PATIENCE);

type Address = { port: number };

const start = (changed?: Record<string, string>) => startSockudo(IDENTITY, changed);
const raw = ({ port }: Address, key = IDENTITY.PUSHER_KEY) => {
  const client = rawClient(port, `/app/${key}?protocol=7&client=js&version=8.6.0`);
  onTestFinished(() => client.socket.terminate());
  return client;
};

function publisherTo({ port }: Address, secret = IDENTITY.PUSHER_SECRET) {
  const app = { id: IDENTITY.PUSHER_APP_ID, key: IDENTITY.PUSHER_KEY, secret };
  const publisher = createPublisher({ app, host: '127.0.0.1', port, tls: false, now: () => new Date() });
  onTestFinished(() => publisher.close());
  let id = 0;
  return (...events: Omit<OutgoingEvent, 'id'>[]) =>
    publisher.publish(events.map((event) => ({ ...event, id: (id += 1) })));
}

async function subscribed(node: Address, channel = CHANNEL) {
  const client = raw(node);
  await client.next();
  client.send({ event: 'pusher:subscribe', data: { channel } });
  await client.next();
  return client;
}

const event = (data: string, name = 'e', channel = CHANNEL) => ({ channel, event: name, data });

describe.runIf(SOCKUDO)('one node', () => {
  test.each(['8', '7'] as const)('hands events to pusher-js %s in order, byte for byte', async (version) => {
    const node = await start();
    const { heard, text } = await listenAt(node, version);
    const publish = publisherTo(node);
    const data = ['{"n": 1.50}', 'no JSON', `{"name":"Zoë \\u0000 ${'x'.repeat(255_000)}"}`];
    expect(await publish(...data.map((one) => event(one)))).toEqual({ kind: 'ok' });
    await eventually(() => expect(heard).toHaveLength(3));
    expect(heard).toEqual([{ n: 1.5 }, 'no JSON', JSON.parse(data[2]!)]);
    expect((await text).slice(0, 20)).toBe(data[0]!.slice(0, 20));
  });

  test('speaks the protocol that pages rely on', async () => {
    const node = await start();
    const client = raw(node);
    const { event: first, data } = await client.next();
    expect(first).toBe('pusher:connection_established');
    expect(JSON.parse(String(data))).toEqual({
      socket_id: expect.stringMatching(/^\d+\.\d+$/),
      activity_timeout: 120,
    });
    const subscribe = { event: 'pusher:subscribe', data: { auth: '', channel: LONGEST } };
    const succeeded = {
      event: 'pusher_internal:subscription_succeeded',
      channel: LONGEST,
      data: expect.anything(),
    };
    for (let time = 0; time < 2; time += 1) {
      client.send(subscribe);
      expect(await client.next()).toMatchObject(succeeded);
    }
    client.send({ event: 'pusher:ping', data: {} });
    expect(await client.next()).toMatchObject({ event: 'pusher:pong' });
    client.send({ event: 'client-typing', channel: LONGEST, data: {} });
    expect(await client.next()).toMatchObject({ event: 'pusher:error', data: { code: 4301 } });
    expect(await publisherTo(node)(event('{}', LONGEST, LONGEST))).toEqual({ kind: 'ok' });
    expect(await client.next()).toMatchObject({ event: LONGEST, channel: LONGEST, data: '{}' });
    expect(await raw(node, 'unknown').closed).toBe(1006);
    client.send({ event: 'pusher:ping', data: 'x'.repeat(200_000) });
    expect(await client.closed).not.toBe(1000);
  });

  test('refuses what the outbox takes as refused for ever or for now', async () => {
    const node = await start();
    const publish = publisherTo(node);
    const tooLong = event('x'.repeat(300_000));
    expect(await publish(tooLong)).toMatchObject({ kind: 'rejected' });
    const eleven = Array.from({ length: 11 }, () => event('{}'));
    expect(await publish(...eleven)).toMatchObject({ kind: 'rejected' });
    expect(await publish(event('{}', 'e', 'a channel'))).toMatchObject({ kind: 'rejected' });
    expect(await publisherTo(node, 'another secret')(event('{}'))).toMatchObject({ kind: 'temporary' });
  });

  test('tells clients to come back when it stops', async () => {
    const node = await start();
    const client = await subscribed(node);
    const [code] = await Promise.all([client.closed, node.kill('SIGTERM')]);
    expect(code).toBe(4200);
  });
});

/** Pages of one node, by the bare protocol: what they have received, whatever happens to their connections meanwhile. */
async function pagesAt(node: Address, channels: string[]) {
  const received: Pushed[] = [];
  const client = raw(node);
  await client.next();
  for (const channel of channels) {
    client.send({ event: 'pusher:subscribe', data: { channel } });
    await client.next();
  }
  client.socket.on('message', (text: Buffer) => {
    const { channel, event, data }: Record<'channel' | 'event' | 'data', string> = JSON.parse(
      text.toString(),
    );
    if (!event.startsWith('pusher')) received.push({ channel, event, data: JSON.parse(data) });
  });
  return received;
}

describe.runIf(SOCKUDO && REDIS)('two nodes that share a Redis', () => {
  test('do not start without it', async () => {
    const redis = await prepareRedis();
    await expect(start({ ADAPTER_DRIVER: 'redis', REDIS_URL: redis.url })).rejects.toThrow('not up');
  }, 60_000);

  test('hand everything to the pages of both, whichever of them is killed meanwhile; once Redis was away too', async () => {
    const redis = await prepareRedis();
    const firstRedis = await redis.start();
    const shared = Object.fromEntries(SHARED.map((key) => [key, 'redis']));
    const startNode = async (port: number) => start({ ...shared, REDIS_URL: redis.url, PORT: String(port) });
    const ports = [await freePort(), await freePort()] as const;
    let [one, other] = [await startNode(ports[0]), await startNode(ports[1])];
    const env = {
      ...(await databaseEnvironment()),
      ...publishingTo(one.port),
      RATE_LIMIT_WRITE: '0',
    };
    const { baseUrl } = await startServerProcess(env);
    const api = await signedIn(baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
    const meeting = await createMeeting(api, 'nodes', 6);
    const saving = startSaving(meeting, { perSecond: 30, send: api });
    const { saves } = saving;
    const more = () => {
      const enough = saves.length + 20;
      return eventually(() => expect(saves.length).toBeGreaterThan(enough));
    };
    /** Saves that were sent after the pages had subscribed must arrive there, in order. */
    const expectAll = async (pages: Pushed[], from: number) => {
      const theirs = saves.slice(from);
      await delivered(meeting, theirs, pages);
      expect(overviewDeliveries(meeting, theirs, pages).missing).toEqual([]);
      expect(snapshotDeliveries(meeting, pages).outOfOrder).toBe(0);
    };
    const since = () => saves.length + meeting.lanes.length;

    const near = await pagesAt(one, meeting.channels);
    let far = await pagesAt(other, meeting.channels);
    let fromNear = since();
    await more();
    // The node that the service does not publish to: nobody else notices.
    await other.kill('SIGKILL');
    await more();
    other = await startNode(ports[1]);
    far = await pagesAt(other, meeting.channels);
    const fromFar = since();
    await more();
    await expectAll(near, fromNear);
    // The node that it publishes to: what is saved meanwhile waits, and comes to the pages of the other.
    await one.kill('SIGKILL');
    await more();
    one = await startNode(ports[0]);
    const back = await pagesAt(one, meeting.channels);
    fromNear = since();
    await more();
    await expectAll(far, fromFar);

    await firstRedis.kill('SIGKILL');
    await more();
    expect((await get(`${baseUrl}/readyz`)).status).toBe(200);
    await redis.start();
    const goneMs = performance.now();
    // Until the nodes are connected to it again the other one hears nothing, and is not told: its pages read again each minute.
    const heard = far.length;
    await eventually(() => expect(far.length).toBeGreaterThan(heard));
    report({ 'nodes connected again after': inMs(performance.now() - goneMs) });
    const fromAgain = since();
    await more();
    await saving.finish();
    await expectAll(back, fromNear);
    await expectAll(far, fromAgain);
    expect(saves.filter(({ unanswered }) => unanswered > 0)).toEqual([]);
  }, 180_000);
});

async function listenAt({ port }: Address, version: '8' | '7') {
  const options = { cluster: 'eu', wsHost: '127.0.0.1', wsPort: port, forceTLS: false };
  const client: PusherJs.default = new clientClasses[version](IDENTITY.PUSHER_KEY, {
    ...options,
    enabledTransports: ['ws'],
  });
  onTestFinished(() => client.disconnect());
  const heard: unknown[] = [];
  const channel = client.subscribe(CHANNEL);
  channel.bind('e', (data: unknown) => heard.push(data));
  await new Promise((resolve) => channel.bind('pusher:subscription_succeeded', resolve));
  const bare = await subscribed({ port });
  return { heard, text: bare.next().then(({ data }) => String(data)) };
}
