import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { createPushServer } from '../../src/push/server/push-server.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp();
const { log, pushApp } = api.deps;
const pushServer = createPushServer({
  app: pushApp,
  maxEventBytes: 1000,
  maxConnections: 10,
  maxConnectionsPerAddress: 10,
  log,
});
const server = await buildApp(api.deps, {
  baseUrl: () => '',
  pushServer,
  patience: { headersMs: 300, everyMs: 50 },
  bodyPace: { bytesPerSecond: 1000, withinMs: 200 },
});
await server.listen({ port: 0, host: '127.0.0.1' });
afterAll(async () => {
  await server.close();
  await api.close();
});

function open() {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

/** What comes back until the server ends the connection. */
async function answerTo(sent: string) {
  const socket = open();
  socket.write(sent, 'latin1');
  return parsed(await text(socket));
}

function parsed(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ') as [string, string]));
  return { status: Number(status.split(' ')[1]), headers, body: body && (JSON.parse(body) as unknown) };
}

const OF_EVERY_ANSWER = {
  'content-security-policy': expect.any(String),
  'x-content-type-options': 'nosniff',
  'x-frame-options': expect.any(String),
  'referrer-policy': 'no-referrer',
  'x-request-id': expect.any(String),
};
const END = 'Host: a\r\nConnection: close\r\n\r\n';
const UPGRADE = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';

describe('an answer has the headers of all, and says why', () => {
  test.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', `FETCH / HTTP/1.1\r\n${END}`, 400],
    ['a malformed header', `GET / HTTP/1.1\r\nHo st: a\r\n${END}`, 400],
    ['two lengths', `POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${END}`, 400],
    ['too large headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${END}`, 431],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an expectation', `GET / HTTP/1.1\r\nExpect: wonders\r\n${END}`, 417],
    ['an unreadable path', `GET /%zz HTTP/1.1\r\n${END}`, 400],
    ['another unreadable path', `GET /x/%ff/json HTTP/1.1\r\n${END}`, 400],
    ['too long a name', `GET /x/2026/GBR/${'x'.repeat(1500)}/json HTTP/1.1\r\n${END}`, 404],
    ['a WebSocket where none is', `GET /nothing HTTP/1.1\r\n${UPGRADE}\r\n`, 404],
    ['a WebSocket without a key', `GET /app/key HTTP/1.1\r\n${UPGRADE}\r\n`, 400],
    ['a path with U+0000', `GET /x/%00/json HTTP/1.1\r\n${END}`, 404],
    ['a missing page', `GET /nothing HTTP/1.1\r\n${END}`, 404],
  ])('to %s', async (_what, sent, status) => {
    expect(await answerTo(sent)).toMatchObject({
      status,
      headers: OF_EVERY_ANSWER,
      body: { detail: expect.any(String) },
    });
  });
});

test('no cache keeps what an account was answered, refusals included', async () => {
  const admin = await api.as('ADMIN_GBR');
  for (const answer of [
    await admin.get('/api/v1/competitions/'),
    await admin.get('/api/v1/auth/me'),
    await admin.post('/api/v1/competitions/', competition()),
    await admin.post('/api/v1/competitions/', '{'),
    await api.get('/api/v1/competitions/'),
  ])
    expect(answer.headers['cache-control']).toBe('no-store');
});

describe('a client that', () => {
  test.each([
    ['never sends anything', ''],
    ['never ends its headers', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ])('%s is told so and cut off', async (_what, sent) => {
    expect(await answerTo(sent)).toMatchObject({ status: 408, body: { detail: expect.any(String) } });
  });

  test.each([
    ['with a length', 'Content-Length: 100000', 'x'],
    ['in chunks', 'Transfer-Encoding: chunked', '1\r\nx\r\n'],
  ])('sends its body drop by drop, %s, is told so and cut off', async (_what, header, drop) => {
    const { token } = await api.as('ADMIN_GBR');
    const socket = open();
    const answer = text(socket);
    const lines = [`Authorization: Bearer ${token}`, 'Host: a', header];
    socket.write(`POST /api/v1/competitions/test HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const dripping = setInterval(() => socket.writable && socket.write(drop), 20);
    expect((await answer).split('\r\n')[0]).toContain('408');
    clearInterval(dripping);
  });

  test('sends it slowly, but fast enough, gets its answer', async () => {
    const { token } = await api.as('ADMIN_GBR');
    const socket = open();
    const answer = text(socket);
    const body = JSON.stringify(competition({ note: 'x'.repeat(20_000) }));
    const lines = [
      `Authorization: Bearer ${token}`,
      `Content-Length: ${body.length}`,
      'Host: a',
      'Connection: close',
    ];
    socket.write(`POST /api/v1/competitions/test HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    for (let from = 0; from < body.length; from += 1000) {
      socket.write(body.slice(from, from + 1000));
      await sleep(25);
    }
    expect(parsed(await answer).status).toBe(200);
  });

  test('is refused and never sends its body, is cut off', async () => {
    const socket = open();
    socket.write('POST /api/v1/competitions/ HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
    expect(parsed(await text(socket)).status).toBe(401);
  });
});

test('in maintenance every spelling of a path is paused, in an absolute address too, and ping goes on', async () => {
  const paused = await startTestApp({ MAINTENANCE_MODE: 'true' });
  try {
    await paused.app.listen({ port: 0, host: '127.0.0.1' });
    for (const path of [
      '/api/v1/competitions/',
      '/%61pi/v1/competitions',
      '//api//v1/competitions',
      '/%78/2026/json',
      '/en/%78/2026/json/',
    ])
      for (const target of [path, `http://elsewhere.example${path}`]) {
        const socket = connect((paused.app.server.address() as AddressInfo).port, '127.0.0.1');
        socket.write(`GET ${target} HTTP/1.1\r\n${END}`);
        expect([target, parsed(await text(socket)).status]).toEqual([target, 503]);
      }
    expect((await paused.get('/api/v1/%70ing')).status).toBe(200);
  } finally {
    await paused.close();
  }
});

test.each(['/%78/2026/json', 'http://elsewhere.example/x/2026/json/', '/api/v1/%70ing'])(
  'any page may read %s, and ask first',
  async (target) => {
    const get = await answerTo(`GET ${target} HTTP/1.1\r\nOrigin: https://widget.example\r\n${END}`);
    expect([get.status, get.headers['access-control-allow-origin']]).toEqual([200, '*']);
    const asks = 'Origin: https://widget.example\r\nAccess-Control-Request-Method: GET\r\n';
    const first = await answerTo(`OPTIONS ${target} HTTP/1.1\r\n${asks}${END}`);
    expect([first.status, first.headers['access-control-allow-origin']]).toEqual([204, '*']);
  },
);

test('a redirect of an absolute address stays on this host', async () => {
  const { headers } = await answerTo(
    `GET http://elsewhere.example/en/x/2026/ger/json/?a=%2F HTTP/1.1\r\n${END}`,
  );
  expect(headers['location']).toBe('/en/x/2026/DEU/json/?a=%2F'.toLowerCase());
});
