import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { app, MAX_EVENT_BYTES, startPushServer, type TestPushServer } from '../helpers/push-server.ts';

let push: TestPushServer;
beforeEach(async () => {
  push = await startPushServer();
});
afterEach(async () => {
  await push.stop();
});

const EVENTS = `/apps/${app.id}/events`;
const BATCH = `/apps/${app.id}/batch_events`;
const event = { name: 'e', channels: ['c'], data: '{}' };

type Sent = {
  body?: string;
  params?: Record<string, string>;
  secret?: string;
  headers?: Record<string, string>;
};

/** Signs and sends as any publisher would; `params` replaces single parameters before signing. */
async function send(method: string, path: string, sent: Sent = {}) {
  const { body = '', params = {}, secret = app.secret, headers = {} } = sent;
  const query = new URLSearchParams({
    auth_key: app.key,
    auth_timestamp: String(Math.floor(Date.now() / 1000)),
    auth_version: '1.0',
    ...(body && { body_md5: createHash('md5').update(body).digest('hex') }),
    ...params,
  });
  query.sort();
  const signed = [...query].map(([name, value]) => `${name}=${value}`).join('&');
  const text = [method, path, signed].join('\n');
  query.set('auth_signature', createHmac('sha256', secret).update(text).digest('hex'));
  const request = { method, headers, ...(body && { body: Buffer.from(body) }) };
  const response = await fetch(`http://127.0.0.1:${push.port}${path}?${query.toString()}`, request);
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

const post = (path: string, body: unknown) => send('POST', path, { body: JSON.stringify(body) });

async function subscriber(channel = 'c') {
  const client = push.raw();
  await client.next();
  client.send({ event: 'pusher:subscribe', data: { channel } });
  await client.next();
  return client;
}

test('a signed event is accepted with {} and reaches its channels, its data untouched', async () => {
  const [one, two] = [await subscriber('c'), await subscriber('d')];
  const data = '{"name": "Zo\\u00eb ø",\n "n":1.0}';
  expect(await post(EVENTS, { name: 'e', channels: ['c', 'd'], data })).toEqual({ status: 200, body: {} });
  expect(await one.next()).toEqual({ event: 'e', channel: 'c', data });
  expect(await two.next()).toEqual({ event: 'e', channel: 'd', data });
  expect(await post(EVENTS, { name: 'f', channel: 'c', data: 'text' })).toEqual({ status: 200, body: {} });
  expect(await one.next()).toEqual({ event: 'f', channel: 'c', data: 'text' });
});

test('a batch is delivered in order', async () => {
  const client = await subscriber();
  const batch = Array.from({ length: 10 }, (_, n) => ({ name: 'e', channel: 'c', data: String(n) }));
  expect(await post(BATCH, { batch })).toEqual({ status: 200, body: {} });
  for (const { data } of batch) expect(await client.next()).toMatchObject({ data });
});

test('a batch with one fault is refused as a whole', async () => {
  const client = await subscriber();
  const good = { name: 'e', channel: 'c', data: 'good' };
  const large = { ...good, data: 'x'.repeat(MAX_EVENT_BYTES + 1) };
  expect((await post(BATCH, { batch: [good, { ...good, channel: 'a b' }] })).status).toBe(400);
  expect((await post(BATCH, { batch: [good, large] })).status).toBe(413);
  expect((await post(BATCH, { batch: Array.from({ length: 11 }, () => good) })).status).toBe(400);
  await post(BATCH, { batch: [{ ...good, data: 'last' }] });
  expect(await client.next()).toMatchObject({ data: 'last' });
});

test.each([
  ['no name', { channels: ['c'], data: '{}' }],
  ['a name of 201 characters', { ...event, name: 'e'.repeat(201) }],
  ['no channel', { name: 'e', data: '{}' }],
  ['an empty list of channels', { ...event, channels: [] }],
  ['a bad channel', { ...event, channels: ['c', 'ø'] }],
  ['a channel of 201 characters', { ...event, channels: ['c'.repeat(201)] }],
  ['101 channels', { ...event, channels: Array.from({ length: 101 }, (_, n) => `c${n}`) }],
  ['data that is no string', { ...event, data: { a: 1 } }],
  ['a malformed socket id', { ...event, socket_id: '1' }],
  ['a body that is no object', [1]],
])('an event with %s is refused with 400 and a reason', async (_what, body) => {
  expect(await post(EVENTS, body)).toEqual({ status: 400, body: { detail: expect.any(String) } });
});

test('an event at the limit passes, one byte more is 413', async () => {
  const data = 'ø'.repeat(MAX_EVENT_BYTES / 2);
  expect((await post(EVENTS, { ...event, data })).status).toBe(200);
  expect((await post(EVENTS, { ...event, data: `${data}x` })).status).toBe(413);
  expect((await post(EVENTS, { ...event, data: 'x'.repeat(MAX_EVENT_BYTES * 50) })).status).toBe(413);
});

test('a body that is no JSON is refused with 400, whatever its content type', async () => {
  for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    expect((await send('POST', EVENTS, { body: '{', headers })).status).toBe(400);
    expect((await send('POST', EVENTS, { body: JSON.stringify(event), headers })).status).toBe(200);
  }
  expect((await send('POST', EVENTS)).status).toBe(400);
});

test.each([
  ['another key', { params: { auth_key: 'other' } }],
  ['another version', { params: { auth_version: '2.0' } }],
  ['a time eleven minutes ago', { params: { auth_timestamp: String(Math.floor(Date.now() / 1000) - 660) } }],
  ['a time that is no number', { params: { auth_timestamp: 'now' } }],
  ['the digest of another body', { params: { body_md5: 'd41d8cd98f00b204e9800998ecf8427e' } }],
  ['another secret', { secret: 'guessed' }],
])('a request signed with %s is refused with 401', async (_what, sent: Sent) => {
  const answer = await send('POST', EVENTS, { body: JSON.stringify(event), ...sent });
  expect(answer).toEqual({ status: 401, body: { detail: expect.any(String) } });
});

test('a request without any signature is refused with 401, for an unknown app with 404', async () => {
  const base = `http://127.0.0.1:${push.port}`;
  expect((await fetch(base + EVENTS, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await fetch(`${base}/apps/${app.id}/channels`)).status).toBe(401);
  expect((await send('POST', '/apps/other/events', { body: JSON.stringify(event) })).status).toBe(404);
});

test('occupied channels are listed, by prefix and with counts when asked', async () => {
  await Promise.all([subscriber('x-one'), subscriber('x-one'), subscriber('x-two'), subscriber('y')]);
  const channels = `/apps/${app.id}/channels`;
  expect((await send('GET', channels)).body).toEqual({ channels: { 'x-one': {}, 'x-two': {}, y: {} } });
  const params = { filter_by_prefix: 'x-', info: 'subscription_count' };
  expect((await send('GET', channels, { params })).body).toEqual({
    channels: { 'x-one': { subscription_count: 2 }, 'x-two': { subscription_count: 1 } },
  });
  expect((await send('GET', `${channels}/y`)).body).toEqual({ occupied: true });
  expect((await send('GET', `${channels}/z`)).body).toEqual({ occupied: false });
  expect((await send('GET', `${channels}/a:b`)).status).toBe(400);
});
