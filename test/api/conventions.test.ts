import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp({ BODY_LIMIT_MB: '1' });
const admin = await api.as('ADMIN_GBR');
const stranger = await api.as();
const { path, page } = await uploadsInto(admin, { events: [{ event_id: 'E', rounds: '1' }] });
afterAll(api.close);

const COLLECTION = '/api/v1/competitions/';
const LARGE = 'x'.repeat(1024 * 1024 + 1);

describe('when several refusals apply, the answer is', () => {
  const form = { 'content-type': 'text/plain' };
  const nowhere = COLLECTION + randomUUID();

  test('401 before all others', async () => {
    for (const answer of [
      await api.post(COLLECTION, '{'),
      await api.post(COLLECTION, LARGE),
      await api.post(COLLECTION, '{}', form),
      await api.post(COLLECTION, { date: 'x' }),
      await api.post(nowhere, {}),
      await api.get(`${COLLECTION}not-a-uuid`),
      await api.get(`${COLLECTION}?country=ZZZ`),
      await api.patch(`${path}/settings`, { directors: 1 }),
    ]) {
      expect(answer).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      expect(answer.body).toEqual({ detail: expect.any(String) });
    }
  });

  test('413, 415 and 400 before 404 and 403', async () => {
    for (const place of [COLLECTION, path, nowhere, `${COLLECTION}not-a-uuid`]) {
      expect((await stranger.post(place, LARGE)).status).toBe(413);
      expect((await stranger.post(place, '{}', form)).status).toBe(415);
      expect((await stranger.post(place, '{')).status).toBe(400);
    }
  });

  test('404 before 403 and 422', async () => {
    for (const place of [nowhere, `${COLLECTION}not-a-uuid`]) {
      expect((await stranger.post(place, { date: 'x' })).status).toBe(404);
      expect((await stranger.patch(`${place}/settings`, { directors: 1 })).status).toBe(404);
      expect((await stranger.delete(place)).status).toBe(404);
    }
  });

  test('403 before 422', async () => {
    expect((await stranger.post(path, { date: 'x' })).status).toBe(403);
    expect((await stranger.post(COLLECTION, { country_id: 'GBR', date: 'x' })).status).toBe(403);
    expect((await stranger.post(COLLECTION, competition({ city: 'a\u0000b' }))).status).toBe(403);
    expect((await stranger.patch(`${path}/settings`, { directors: 1 })).status).toBe(403);
  });

  test('422 before 409', async () => {
    const stored = competition();
    await admin.post(COLLECTION, stored);
    expect((await admin.post(COLLECTION, stored)).status).toBe(409);
    expect((await admin.post(COLLECTION, { ...stored, latitude: 'x' })).status).toBe(422);
    expect((await admin.post(path, { slug: stored.slug, date: '2026-02-30' })).status).toBe(422);
    expect((await admin.post(path, { slug: stored.slug, finish_date: '2020-01-01' })).status).toBe(422);
  });
});

describe('a method that a path does not have is a 405 that says which it has', () => {
  test.for<[InjectOptions['method'] & string, string, string]>([
    ['PUT', COLLECTION, 'GET, HEAD, POST'],
    ['DELETE', COLLECTION, 'GET, HEAD, POST'],
    ['PUT', path, 'DELETE, GET, HEAD, POST'],
    ['PATCH', path, 'DELETE, GET, HEAD, POST'],
    ['POST', `${path}/settings`, 'GET, HEAD, PATCH'],
    ['GET', `${COLLECTION}test`, 'POST'],
    ['GET', '/api/v1/auth/token', 'POST'],
    ['POST', '/api/v1/ping/', 'GET, HEAD'],
    ['POST', `${page}/json/`, 'GET, HEAD'],
    ['DELETE', `/en${page}/event/E/1/1/json/`, 'GET, HEAD'],
  ])('%s %s', async ([method, url, allow]) => {
    for (const payload of ['', '{', LARGE]) {
      const { status, headers, body } = await api.request({ method, url, payload });
      expect(status).toBe(405);
      expect(String(headers['allow']).split(', ').toSorted().join(', ')).toBe(allow);
      expect(body).toEqual({ detail: expect.stringContaining(method) });
    }
  });
});

describe('an address where nothing is', () => {
  test.for([
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v2/competitions/',
    `${page}/nothing/json`,
    `${path}/nothing`,
    '/favicon.ico',
  ])('is a 404 in JSON: %s', async (url) => {
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const answer = await api.request({ method, url });
      expect(answer).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    }
  });

  test('that cannot be read is a 400 in JSON', async () => {
    for (const url of ['/%', '/x/2026/GBR/%E0%A4/json/', `${COLLECTION}%ff`, '/%ed%a0%80']) {
      const answer = await api.get(url);
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    }
  });
});

test('an answer has ended when its handler has sent it: nobody has to wait for its end', async () => {
  const app = await buildApp(api.deps, { baseUrl: () => 'http://data.test', pushServer: null });
  onTestFinished(() => app.close());
  const ended: boolean[] = [];
  app.get('/as-text', async (_request, reply) => {
    void reply.send('text');
    ended.push(reply.sent);
    return reply;
  });
  app.get('/as-bytes', async (_request, reply) => {
    void reply.send(Buffer.from('bytes'));
    ended.push(reply.sent);
    return reply;
  });
  for (const url of ['/as-text', '/as-bytes']) expect((await app.inject({ url })).statusCode).toBe(200);
  expect(ended).toEqual([true, true]);
});

test('every answer carries the id of its request, and no two share one', async () => {
  const answers = await Promise.all([
    admin.get(COLLECTION),
    admin.get(path),
    api.get(COLLECTION),
    api.get('/nothing'),
    api.get('/%'),
    api.get(`/${'x'.repeat(2000)}`),
    api.get(`${COLLECTION}%00`),
    api.get(`${page}/json/`),
    api.get(`${page}/json/`, { 'if-none-match': '*' }),
    api.get(`${page.replace('GBR', 'gbr')}/json/`),
    api.post(`${page}/json/`, {}),
    admin.post(COLLECTION, '{'),
    admin.post(COLLECTION, LARGE),
    admin.post(COLLECTION, {}),
    api.get('/api/v1/ping'),
    api.get('/docs'),
    api.request({ method: 'OPTIONS', url: COLLECTION }),
    api.request({ method: 'HEAD', url: `${page}/json/` }),
  ]);
  const ids = answers.map(({ headers }) => headers['x-request-id']);
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/\S/)));
  expect(new Set(ids).size).toBe(ids.length);
});

describe('paths work', () => {
  test('with and without a last slash, and with double ones', async () => {
    for (const variant of [path, `${path}/`, path.replaceAll('/', '//')]) {
      expect((await admin.get(variant)).status).toBe(200);
      expect((await admin.post(variant, {})).status).toBe(200);
    }
    for (const variant of ['/api/v1/ping', '/api/v1/ping/', '//api/v1//ping//']) {
      expect((await api.get(variant)).body).toEqual({ reply: 'pong', enviroment: 'local' });
    }
    const test = await admin.post('/api//v1/competitions/test/', competition());
    expect(test.status).toBe(200);
  });
});

describe('pages of other origins', () => {
  const origin = 'https://widget.example';

  test('may read what is public', async () => {
    for (const url of [
      `${page}/json/`,
      `/en${page}/event/E/1/1/json`,
      '/api/v1/ping/',
      '/api/v1/push',
      `${page}-not/json/`,
    ]) {
      expect((await api.get(url, { origin })).headers['access-control-allow-origin']).toBe('*');
    }
  });

  test('that send headers of their own to what is public may do so', async () => {
    for (const url of [`${page}/json/`, `/en${page}/json`, '/api/v1/push']) {
      const { status, headers, text } = await api.request({
        method: 'OPTIONS',
        url,
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match',
        },
      });
      expect([status, text]).toEqual([204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'if-none-match',
      });
    }
  });

  test('that are configured are not named on what is public, nor on files', async () => {
    const open = await startTestApp({ CORS_ORIGINS: origin });
    try {
      for (const url of [`${page}/json/`, '/api/v1/ping/', '/live/euroath/x.json', '/healthz', '/docs']) {
        const allowed = (await open.get(url, { origin })).headers['access-control-allow-origin'];
        expect([url, allowed]).toEqual([url, /^\/(x|api)\//.test(url) ? '*' : undefined]);
      }
    } finally {
      await open.close();
    }
  });

  test('may call the API only when they are configured', async () => {
    expect((await admin.get(COLLECTION, { origin })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    const open = await startTestApp({ CORS_ORIGINS: `https://other.example, ${origin}` });
    try {
      const client = await open.as();
      const listed = await client.get(COLLECTION, { origin });
      expect(listed.headers['access-control-allow-origin']).toBe(origin);
      const foreign = await client.get(COLLECTION, { origin: 'https://evil.example' });
      expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
      const preflight = await open.request({
        method: 'OPTIONS',
        url: COLLECTION,
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
      expect(preflight.status).toBe(204);
      expect(String(preflight.headers['access-control-allow-headers'])).toMatch(/authorization/i);
    } finally {
      await open.close();
    }
  });
});

test('more writes of one account than allowed are a 429 with Retry-After; reads and other accounts go on', async () => {
  const limited = await startTestApp({ RATE_LIMIT_WRITE: '2' });
  try {
    const [busy, other] = [await limited.as('ADMIN_GBR'), await limited.as('ADMIN_GBR')];
    const write = (client: typeof busy) => client.post(`${COLLECTION}test`, competition());
    expect([(await write(busy)).status, (await write(busy)).status]).toEqual([200, 200]);
    const refused = await write(busy);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
      body: { detail: expect.any(String) },
    });
    expect((await busy.get(COLLECTION)).status).toBe(200);
    expect((await write(other)).status).toBe(200);
    limited.clock.advance(60_000);
    expect((await write(busy)).status).toBe(200);
  } finally {
    await limited.close();
  }
});
