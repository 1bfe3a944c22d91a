// Bodies of strangers: what is refused before it is read, what is judged without much work, and how much is under way at once.
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { responseTo } from '../helpers/http-client.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp({ BODY_LIMIT_MB: '16', RATE_LIMIT_LOGIN: '0' });
const admin = await api.as('ADMIN_GBR');
const stranger = await api.as();
const { path } = await uploadsInto(admin);
await api.app.listen({ port: 0 });
const { port } = api.app.server.address() as AddressInfo;
afterAll(api.close);

const COLLECTION = '/api/v1/competitions/';
const LARGE = 10_000_000;

type Sending = { method?: string; url: string; headers?: Record<string, string | number> };

/** Begins a request whose body does not end by itself. */
function begin({ method = 'POST', url, headers = {} }: Sending): ClientRequest {
  const sent = request({
    port,
    path: url,
    method,
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.on('error', () => {});
  sent.write('["\\u0041"');
  return sent;
}

async function answerTo(sent: ClientRequest) {
  const response = await responseTo(sent);
  const body = JSON.parse(await text(response)) as { detail: unknown };
  return { status: response.statusCode, headers: response.headers, body };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const DECLARED: [string, Record<string, number>][] = [
  ['of a declared length', { 'content-length': LARGE }],
  ['in chunks', {}],
];

describe.for(DECLARED)('a large body %s is not waited for', ([, length]) => {
  test.for<[string, number, Sending]>([
    ['an unknown path', 404, { url: '/nowhere' }],
    ['an unknown path of the API', 404, { url: '/api/v1/nowhere', method: 'PATCH' }],
    ['an unknown method', 405, { url: COLLECTION, method: 'PUT' }],
    ['an unknown method of a page', 405, { url: '/x/2026/GBR/a/json', method: 'POST' }],
    ['no token', 401, { url: COLLECTION }],
    ['no token, for a unit', 401, { url: `${path}/events/T1/units/1/1`, method: 'PATCH' }],
    ['another right', 403, { url: path, headers: bearer(stranger.token) }],
    [
      'another right, for settings',
      403,
      { url: `${path}/settings`, method: 'PATCH', headers: bearer(stranger.token) },
    ],
    [
      'another right, for a unit',
      403,
      { url: `${path}/events/T1/units/1/1`, method: 'PATCH', headers: bearer(stranger.token) },
    ],
    ['no right to create anything', 403, { url: COLLECTION, headers: bearer(stranger.token) }],
    [
      'no such competition',
      404,
      { url: `${COLLECTION}${crypto.randomUUID()}`, headers: bearer(admin.token) },
    ],
    ['another type', 415, { url: path, headers: { ...bearer(admin.token), 'content-type': 'text/plain' } }],
  ])('%s', async ([, status, sending]) => {
    const sent = begin({ ...sending, headers: { ...sending.headers, ...length } });
    const answer = await answerTo(sent);
    expect(answer).toMatchObject({
      status,
      headers: { connection: 'close' },
      body: { detail: expect.any(String) },
    });
    expect(answer.headers['x-request-id']).toBeDefined();
    sent.destroy();
  });
});

test('who sends all of it first gets the answer, and then the connection ends', async () => {
  const sent = request({ port, path: COLLECTION, method: 'POST' });
  const answered = answerTo(sent);
  const closed = once(sent, 'close');
  for (let megabyte = 0; megabyte < 12; megabyte++) sent.write(Buffer.alloc(1024 * 1024, ' '));
  sent.end();
  expect((await answered).status).toBe(401);
  await closed;
});

test('of a crowd of bodies that nobody reads no more is taken than one may send, and each gets its answer', async () => {
  const connections: Socket[] = [];
  const seen = (socket: Socket) => void connections.push(socket);
  api.app.server.on('connection', seen);
  onTestFinished(() => void api.app.server.off('connection', seen));
  const megabyte = Buffer.alloc(1_000_000, ' ');
  // All are connected before one sends: a body that is over before another begins makes room for it.
  const sockets = Array.from({ length: 10 }, () => connect(port));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const crowd = sockets.map(async (socket) => {
    const headers = { 'content-length': 20_000_000 };
    const sent = request({ createConnection: () => socket, path: COLLECTION, method: 'POST', headers });
    sent.on('error', () => {});
    const closed = new Promise((resolve) => sent.on('close', resolve));
    for (let sentBytes = 0; sentBytes < 20_000_000; sentBytes += megabyte.length) sent.write(megabyte);
    sent.end();
    const { status } = await answerTo(sent);
    await closed;
    return status;
  });
  expect(await Promise.all(crowd)).toEqual(Array(10).fill(401));
  const read = connections.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  expect(read).toBeLessThan(80_000_000);
  // Whoever comes afterwards finds room again.
  const sent = request({ port, path: COLLECTION, method: 'POST' });
  const closed = once(sent, 'close');
  const answered = answerTo(sent);
  for (let count = 0; count < 12; count++) sent.write(megabyte);
  sent.end();
  expect((await answered).status).toBe(401);
  await closed;
});

test.for(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
  'sign-in takes 16 kB of %s, declared or not',
  async (type) => {
    for (const length of [{ 'content-length': 60_000_000 }, {}]) {
      const sent = begin({ url: '/api/v1/auth/token', headers: { 'content-type': type, ...length } });
      sent.write('x'.repeat(20_000));
      expect((await answerTo(sent)).status).toBe(type === 'text/plain' ? 415 : 413);
      sent.destroy();
    }
  },
);

const escaped = (item: string, count: number) => `["\\u0041"${`,${item}`.repeat(count)}]`;

describe('a body of very many parts', () => {
  test.for<[string, string, number]>([
    ['empty arrays', escaped('[]', 1_500_000), 413],
    ['numbers', escaped('1', 2_100_000), 413],
    ['objects', escaped('{}', 2_100_000), 413],
    ['fields', `{"a":1${Array.from({ length: 20_000 }, (_, index) => `,"f${index}":1`).join('')}}`, 413],
    ['half as many empty arrays', escaped('[]', 500_000), 422],
    ['the same inside an unknown field', `{"odd":${escaped('[]', 500_000)}}`, 422],
    ['broken texts', `{"odd":${escaped('"\\u0000"', 500_000)}}`, 422],
  ])('%s', async ([, body, status]) => {
    const before = await snapshot(api.db);
    const answer = await admin.post(path, body);
    expect(answer.status).toBe(status);
    expect(answer.text.length).toBeLessThan(20_000);
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('has a hundred of its problems told, and how many more there are', async () => {
    for (const section of ['teams', 'competitors']) {
      const { status, body } = await admin.post(path, {
        [section]: Array.from({ length: 9999 }, () => ({})),
      });
      expect(status).toBe(422);
      expect(body.detail).toHaveLength(101);
      expect(body.detail[99].loc).toEqual(['body', section, 99, expect.any(String)]);
      expect(body.detail[100]).toEqual({ loc: ['body'], msg: '… and 9,899 more', type: 'more' });
    }
  });

  test('has them told of lists in lists', async () => {
    const units = [1, 2, 3].map((heat) => ({
      round: 1,
      heat,
      trials: Array.from({ length: 50_000 }, () => ({})),
    }));
    const { status, body } = await admin.post(path, { city: 5, events: [{ event_id: 'E', units }] });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'events', 0, 'units', 0, 'trials', 0, 'bib']);
    expect(body.detail[100].msg).toBe('… and at least 9,900 more');
  });
});

test('more than a limit under way from one address waits: 429 with Retry-After, and passes once the other is done', async () => {
  const headers = bearer(admin.token);
  const first = begin({ url: path, headers });
  first.write(Buffer.alloc(9_000_000, ' '));
  const second = () => begin({ url: path, headers: { ...headers, 'content-length': LARGE } });
  await expect
    .poll(async () => {
      const sent = second();
      const status = await Promise.race([
        answerTo(sent).then((answer) => [answer.status, answer.headers['retry-after']]),
        new Promise((resolve) => setTimeout(resolve, 300, 'taken')),
      ]);
      sent.destroy();
      return status;
    })
    .toEqual([429, '5']);
  first.end(']');
  expect((await answerTo(first)).status).toBe(422);
  await expect.poll(async () => (await admin.post(path, { city: 'Y' })).status).toBe(200);
});

const events = (rounds: string) =>
  Array.from({ length: 1000 }, (_, index) => ({ event_id: `E${index}`, rounds }));

describe('few characters do not become many rows', () => {
  test.for<[string, Record<string, unknown>]>([
    ['1,000 events of 1,000 heats', { events: events('1000') }],
    ['1,000 events of 25 rounds', { events: events(Array.from({ length: 25 }, () => 1).join(',')) }],
    [
      'rounds as a number',
      { events: Array.from({ length: 21 }, (_, index) => ({ event_id: `E${index}`, rounds: 1000 })) },
    ],
  ])('%s', async ([, body]) => {
    const before = await snapshot(api.db);
    for (const [url, sent] of [
      [path, body],
      [COLLECTION, competition(body)],
    ] as const) {
      const answer = await admin.post(url, sent);
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'events'] }] } });
      expect(answer.body.detail[0].msg).toContain('20,000 is the limit of an upload');
    }
    expect(await snapshot(api.db)).toEqual(before);
  });

  test('nor one upload after another', async () => {
    const target = await uploadsInto(admin);
    const upload = (round: number) =>
      target.upload({
        events: [
          { event_id: 'E', units: Array.from({ length: 600 }, (_, heat) => ({ round, heat: heat + 1 })) },
        ],
      });
    expect((await upload(1)).status).toBe(200);
    const { status, body } = await upload(2);
    expect(status).toBe(422);
    expect(body.detail[0].msg).toContain('More than the 1000 units that event E takes');
  });
});

const trials = (count: number) =>
  Array.from({ length: count }, () => ({ bib: '7', height: '1.80', result: '-' }));

test('numbers that count something are bounded, and an athlete has so many attempts', async () => {
  const target = await uploadsInto(admin, { events: [{ event_id: 'HJ', event_code: 'HJ', rounds: '1' }] });
  const unit = `${target.path}/events/HJ/units/1/1`;
  for (const sent of [
    [{ bib: '1', height: '1.80', jump_off: 4e9 }],
    [{ bib: '1', jump_off: '101' }],
    trials(201),
  ]) {
    const answers = [
      await admin.patch(unit, { trials: sent }),
      await target.upload({ events: [{ event_id: 'HJ', units: [{ round: 1, heat: 1, trials: sent }] }] }),
    ];
    for (const { status } of answers) expect(status).toBe(422);
  }
  expect(
    (await admin.patch(unit, { results: [{ bib: '7' }], trials: trials(200), rounds: { toString: 1 } }))
      .status,
  ).toBe(200);
  expect((await admin.post(`${unit}/attempts`, { bib: '7', height: '1.85', result: 'o' })).status).toBe(409);
  expect((await admin.get(`${COLLECTION}?offset=9999999999`)).status).toBe(422);
});
