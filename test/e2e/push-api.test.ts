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
  /** Parameters given once more, signed like the others. */
  again?: [string, string][];
  secret?: string;
  headers?: Record<string, string>;
};

/** Signs and sends as any publisher would; `params` replaces single parameters before signing. */
async function send(method: string, path: string, sent: Sent = {}) {
  const { body = '', params = {}, again = [], secret = app.secret, headers = {} } = sent;
  const query = new URLSearchParams({
    auth_key: app.key,
    auth_timestamp: String(Math.floor(Date.now() / 1000)),
    auth_version: '1.0',
    ...(body && { body_md5: createHash('md5').update(body).digest('hex') }),
    ...params,
  });
  for (const [name, value] of again) query.append(name, value);
  query.sort();
  const signed = [...query].map(([name, value]) => `${name}=${value}`).join('&');
  const text = [method, path, signed].join('\n');
  query.set('auth_signature', createHmac('sha256', secret).update(text).digest('hex'));
  const request = { method, headers, ...(body && { body: Buffer.from(body) }) };
  const url = `http://127.0.0.1:${push.port}${path}?${query.toString()}`;
  const response = await fetch(url, request);
  const answer: unknown = await response.json();
  return { status: response.status, body: answer, url };
}

async function post(path: string, body: unknown) {
  const { status, body: answer } = await send('POST', path, { body: JSON.stringify(body) });
  return { status, body: answer };
}

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

/** As the process that publishes does, to a server of another process. */
async function sendOwn(count: number): Promise<number> {
  const data = '"'.repeat(7900);
  const batch = Array.from({ length: count }, (_, n) => ({ name: 'e', channel: 'c', data: `${n}${data}` }));
  const params = { good_until: String(Date.now() + 60_000) };
  return (await send('POST', BATCH, { body: JSON.stringify({ batch }), params })).status;
}

test('one of our own processes may send a hundred events at once, of the size that it sends, in order', async () => {
  const client = await subscriber();
  expect(await sendOwn(101)).toBe(400);
  expect(await sendOwn(100)).toBe(200);
  for (let n = 0; n < 100; n += 1) {
    const { data } = await client.next();
    expect(Number.parseInt(String(data), 10)).toBe(n);
  }
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

test.each<[string, Sent]>([
  ['another key', { params: { auth_key: 'other' } }],
  ['another version', { params: { auth_version: '2.0' } }],
  ['a time eleven minutes ago', { params: { auth_timestamp: String(Math.floor(Date.now() / 1000) - 660) } }],
  [
    'a time eleven minutes ahead',
    { params: { auth_timestamp: String(Math.floor(Date.now() / 1000) + 660) } },
  ],
  ['a time that is no number', { params: { auth_timestamp: 'now' } }],
  ['a time in another notation', { params: { auth_timestamp: `${Math.floor(Date.now() / 1000)}.0` } }],
  ['no time', { params: { auth_timestamp: '' } }],
  ['the digest of another body', { params: { body_md5: 'd41d8cd98f00b204e9800998ecf8427e' } }],
  ['no digest', { params: { body_md5: '' } }],
  ['another secret', { secret: 'guessed' }],
  ['a second key', { again: [['auth_key', app.key]] }],
  ['a second time', { again: [['auth_timestamp', '0']] }],
  ['a second digest', { again: [['body_md5', 'd41d8cd98f00b204e9800998ecf8427e']] }],
  ['a second end of its time', { params: { good_until: '9'.repeat(15) }, again: [['good_until', '1']] }],
  ['a second parameter of any name', { params: { a: '1' }, again: [['a', '1']] }],
])('a request signed with %s is refused with 401', async (_what, sent) => {
  const answer = await send('POST', EVENTS, { body: JSON.stringify(event), ...sent });
  expect(answer).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
});

test('a request without any signature is refused with 401, for an unknown app with 404', async () => {
  const base = `http://127.0.0.1:${push.port}`;
  expect((await fetch(base + EVENTS, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await fetch(`${base}/apps/${app.id}/channels`)).status).toBe(401);
  expect((await send('POST', '/apps/other/events', { body: JSON.stringify(event) })).status).toBe(404);
});

test('a signature counts for the request that it was made for, and once in it', async () => {
  const body = JSON.stringify(event);
  const { url } = await send('POST', EVENTS, { body });
  const repeat = async (address: string, sent = body, method = 'POST') =>
    (await fetch(address, { method, ...(method === 'POST' && { body: sent }) })).status;
  expect(await repeat(url)).toBe(200);
  expect(await repeat(url, `${body} `)).toBe(401);
  expect(await repeat(url, '')).toBe(401);
  expect(await repeat(url.replace('/events', '/batch_events'))).toBe(401);
  expect(await repeat(url.replace('/events', '//events'))).toBe(401);
  expect(await repeat(url.replace('/events', '/channels'), '', 'GET')).toBe(401);
  expect(await repeat(`${url}&auth_signature=${'0'.repeat(64)}`)).toBe(401);
  expect(await repeat(`${url}&socket_id=1.1`)).toBe(401);
  expect(await repeat(url.replace('auth_signature=', 'Auth_Signature='))).toBe(401);
  expect(await repeat(url.replace(app.id, 'app-2'))).toBe(404);
  expect(await repeat(url.replace(app.id, '__proto__'))).toBe(404);
});

const many = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`;

test('of very many faults a few are told', async () => {
  for (const [path, body] of [
    [BATCH, `{"batch":${many(200_000, '0')}}`],
    [BATCH, `{"batch":${many(100_000, '{}')}}`],
    [EVENTS, `{"name":"e","data":"","channels":${many(200_000, '0')}}`],
    [EVENTS, `{"name":"e","data":"","channels":${many(80, '0')}}`],
    [EVENTS, `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    [BATCH, `{"batch":${'{"a":'.repeat(60_000)}0${'}'.repeat(60_000)}}`],
  ] as const) {
    const { status, body: answer } = await send('POST', path, { body });
    expect(status).toBe(400);
    expect(JSON.stringify(answer).length).toBeLessThan(500);
  }
});

test('names of the prototype are names like others', async () => {
  const names = ['__proto__', 'constructor', 'toString'];
  for (const name of names) {
    const client = await subscriber(name);
    const body = `{"__proto__":{"name":"polluted"},"name":"${name}","channel":"${name}","data":"{}"}`;
    expect(await send('POST', EVENTS, { body })).toMatchObject({ status: 200, body: {} });
    expect(await client.next()).toEqual({ event: name, channel: name, data: '{}' });
    expect((await post(BATCH, { batch: [{ name: 'e', channel: name, data: '' }] })).status).toBe(200);
    expect(await client.next()).toEqual({ event: 'e', channel: name, data: '' });
  }
  const channels = `/apps/${app.id}/channels`;
  const { body } = await send('GET', channels, { params: { info: 'subscription_count' } });
  expect(Object.entries((body as { channels: object }).channels)).toEqual(
    names.map((name) => [name, { subscription_count: 1 }]),
  );
  expect((await send('GET', `${channels}/__proto__`)).body).toEqual({ occupied: true });
  expect((await send('GET', `${channels}/valueOf`)).body).toEqual({ occupied: false });
  expect((await send('GET', `${channels}/%00`)).status).toBe(400);
  expect(
    await send('POST', EVENTS, { body: '{"__proto__":{"name":"e","channel":"c","data":""}}' }),
  ).toMatchObject({
    status: 400,
  });
  expect({}).not.toHaveProperty('name');
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
