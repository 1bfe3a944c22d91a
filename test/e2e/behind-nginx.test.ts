import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { strictHeaders } from '../../src/http/security-headers.ts';
import { type ApiClient, exchange, get, signedIn } from '../helpers/http-client.ts';
import { makeStaticRoot, startNginx, withoutNginx } from '../helpers/nginx.ts';
import { report } from '../helpers/figures.ts';
import { arrived, listen } from '../helpers/push-client.ts';
import { rawClient } from '../helpers/push-server.ts';
import { freePort } from '../helpers/free-port.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, type Server, startServerProcess } from '../helpers/server.ts';
import { shared } from '../helpers/shared.ts';
import { startTraffic } from '../helpers/traffic.ts';

const PATIENCE = { timeout: 20_000, interval: 20 };
const UNAVAILABLE = { detail: 'The service does not answer; try again shortly' };
const NOWHERE = { detail: 'Nothing at this address' };
const MEETING = { full_name: 'Proxy Meeting', slug: 'proxy', country_id: 'GBR', date: '2026-07-18' };
const PAGE = '/x/2026/GBR/proxy/json/';
const OVERVIEW = 'x-2026-GBR-proxy-overview';
const CALENDAR = '/live/euroath/european_calendar_2026.json';

async function writeCalendar(staticDir: string, name: string, content: string | Buffer): Promise<void> {
  const folder = join(staticDir, 'live', 'euroath');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
}

/** Two replicas on one database behind nginx, as docker-compose.yml arranges them. */
async function replicas() {
  const port = await freePort();
  const apps = [await freePort(), await freePort()].map(String);
  const staticRoot = await makeStaticRoot();
  const { baseUrl } = await startNginx({ port, apps, staticRoot });
  const env = {
    ...(await databaseEnvironment()),
    BASE_URL: baseUrl,
    TRUST_PROXY: '1',
    STATIC_DIR: join(staticRoot, 'main'),
    RATE_LIMIT_WRITE: '0',
    // Reads that anybody may make are told at this level alone.
    LOG_LEVEL: 'debug',
  };
  const servers = await Promise.all(apps.map((app) => startServerProcess({ ...env, PORT: app })));
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  const api = await signedIn(baseUrl, account);
  const direct = apps.map((app) => `http://127.0.0.1:${app}`);
  const path = await createMeeting(api);
  /** In the place of one that was stopped. */
  const again = (app: string) => serve({ ...env, PORT: app });
  return { baseUrl, servers, apps, direct, api, path, again };
}

const requestsTo = ({ written }: Server, path: string) =>
  written.stdout.split('\n').filter((line) => line.includes('"path":') && line.includes(path));

async function createMeeting(api: ApiClient): Promise<string> {
  const { status, body } = await api('POST', '/competitions/', MEETING);
  expect(status).toBe(201);
  await api('PATCH', `/competitions/${body.id}/settings`, { push_notifications: true });
  return `/competitions/${body.id}`;
}

const sprint = (performance: string) => ({
  events: [
    {
      event_id: 'T1',
      event_code: '100',
      name: '100 m',
      units: [
        { round: 1, heat: 1, results_status: 'official', results: [{ bib: '7', performance, place: 1 }] },
      ],
    },
  ],
});

describe.skipIf(withoutNginx)(`nginx in front of two replicas${withoutNginx}`, () => {
  // The last two tests stop them, each whatever still runs.
  const world = shared(replicas);

  it('hands requests to each in turn, and what either answers arrives as it was sent', async () => {
    const { baseUrl, servers, direct, api, path } = world();
    expect((await api('POST', path, sprint('11.42'))).status).toBe(200);
    expect((await api('GET', '/competitions/?country=GBR&to_date=2026-07-18')).body).toMatchObject([MEETING]);
    const packed = { 'accept-encoding': 'gzip' };
    const stored = await Promise.all(direct.map((url) => get(url + PAGE, packed)));
    for (const { text, headers } of stored) {
      const passedOn = await get(baseUrl + PAGE, packed);
      expect(passedOn).toMatchObject({ status: 200, text });
      for (const name of [
        'etag',
        'cache-control',
        'vary',
        'content-type',
        'content-encoding',
        'access-control-allow-origin',
      ])
        expect(passedOn.headers[name]).toBe(headers[name]);
      const again = await get(baseUrl + PAGE, { ...packed, 'if-none-match': headers.etag! });
      expect(again).toMatchObject({ status: 304, text: '' });
    }
    for (let n = 0; n < 4; n += 1) expect((await get(`${baseUrl}/readyz`)).status).toBe(200);
    // With the two that were asked for directly. What a server says comes here by another way than its answers.
    await vi.waitFor(() => {
      for (const server of servers) expect(requestsTo(server, PAGE).length).toBeGreaterThan(1);
    }, PATIENCE);
  });

  it('brings every event to push clients of both, whichever saves', async () => {
    const { baseUrl, direct, api, path } = world();
    const clients = [await listen(baseUrl, '8', [OVERVIEW]), await listen(baseUrl, '7', [OVERVIEW])];
    for (const url of direct) expect((await get(`${url}/metrics`)).text).toMatch(/^push_connections 1$/m);
    for (const performance of ['11.42', '11.43', '11.44', '11.45']) {
      // Only results that arrive anew are an event.
      await api('PATCH', `${path}/events/T1/units/1/1`, { results_status: 'in_progress' });
      expect((await api('POST', path, sprint(performance))).status).toBe(200);
    }
    for (const client of clients) {
      const events = await arrived(client, 4);
      expect(events.map(({ data }) => (data as { winner_performance: string }).winner_performance)).toEqual([
        '11.42',
        '11.43',
        '11.44',
        '11.45',
      ]);
    }
  });

  it('tells them who asks, whatever a stranger claims, and keeps strangers from what is internal', async () => {
    const { baseUrl, servers, direct } = world();
    const claims = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    const sent = await exchange('GET', `${baseUrl}/api/v1/ping/?who`, claims, undefined, '127.0.0.5');
    expect(sent.status).toBe(200);
    const [line] = await vi.waitFor(() => {
      const lines = servers.flatMap((server) => requestsTo(server, '/v1/ping/'));
      expect(lines).toHaveLength(1);
      return lines;
    }, PATIENCE);
    expect(JSON.parse(line!)).toMatchObject({ address: '127.0.0.5' });

    expect((await get(`${direct[0]}/metrics`)).status).toBe(200);
    expect((await exchange('POST', `${direct[0]}/apps/1/events`, {}, '{}')).body).not.toEqual(NOWHERE);
    for (const path of [
      '/metrics',
      '/metrics/',
      '//metrics',
      '/%6detrics',
      '/x/../metrics',
      '/apps/1/events',
      '//apps//1/events',
      '/%61pps/1/channels',
      '/apps/1/channels/..%2f..%2f..%2fx',
      '/apps%2f1/channels',
      '/x/%2e%2E/apps/1/channels',
    ]) {
      const { status, body } = await exchange('GET', baseUrl + path, {});
      expect({ path, status, body }).toEqual({ path, status: 404, body: NOWHERE });
    }
    expect((await get(`${baseUrl}/healthz`)).status).toBe(200);
  });

  it('goes on reading and writing when one is told to stop, and repeats no write', async () => {
    const { baseUrl, servers, apps, api, again } = world();
    const traffic = startTraffic(baseUrl + PAGE, api);
    await traffic.goesOn();
    expect(await servers[0]!.kill('SIGTERM')).toBe(0);
    await traffic.goesOn();
    await again(apps[0]!);
    expect(await servers[1]!.kill('SIGTERM')).toBe(0);
    await traffic.goesOn();
    await traffic.finish();

    expect(traffic.reads.filter(({ status }) => status !== 200)).toEqual([]);
    const failed = traffic.writes.filter(({ status }) => status !== 201);
    report({ reads: traffic.reads.length, writes: traffic.writes.length, 'writes failed': failed.length });
    // A connection made at the very moment the port is closed is lost, and what was sent on it may not be sent again.
    expect(failed.length).toBeLessThanOrEqual(2);
    const { body } = await api('GET', '/competitions/?from_date=2026-08-01&to_date=2026-08-01');
    const stored = body.map(({ full_name }: { full_name: string }) => full_name);
    const answered = traffic.writes.filter(({ status }) => status === 201).map(({ name }) => name);
    expect(stored.toSorted()).toEqual(answered.toSorted());
  }, 120_000);

  it('says in the API’s own words that neither is there, and serves their calendar files still', async () => {
    const { baseUrl, servers } = world();
    const written = await vi.waitFor(async () => {
      const found = await get(baseUrl + CALENDAR);
      expect(found.status).toBe(200);
      return found.text;
    }, PATIENCE);
    for (const server of servers) await server.kill('SIGTERM');
    for (const method of ['GET', 'POST']) {
      const refused = await exchange(method, `${baseUrl}/api/v1/competitions/`, {});
      expect(refused).toMatchObject({ status: 503, body: UNAVAILABLE, headers: { 'retry-after': '5' } });
    }
    expect(await get(baseUrl + CALENDAR)).toMatchObject({ status: 200, text: written });
  });
});

describe.skipIf(withoutNginx)(`what nginx answers by itself${withoutNginx}`, () => {
  it('has the security headers of the service, an id, and the reason as the API would say it', async () => {
    const [port, staticRoot] = [await freePort(), await makeStaticRoot()];
    await writeCalendar(join(staticRoot, 'main'), 'european_calendar_2026.json', '[]\n');
    const { baseUrl } = await startNginx({ port, apps: ['1'], staticRoot });
    const expected = { ...strictHeaders(), 'x-request-id': expect.any(String) };
    const refusal = { detail: expect.stringMatching(/\w/) };
    const ranged = { range: 'bytes=900-' };
    for (const [method, path, headers, status] of [
      ['GET', CALENDAR, {}, 200],
      ['GET', CALENDAR, ranged, 200],
      ['GET', CALENDAR, { 'if-unmodified-since': 'Sat, 18 Jul 1998 02:00:03 GMT' }, 412],
      ['GET', '/live/', {}, 404],
      ['GET', '/%zz', {}, 400],
      ['TRACE', '/x/2026/json/', {}, 405],
      ['GET', `/${'x'.repeat(17_000)}`, {}, 414],
      ['GET', '/x/2026/json/', { 'x-large': 'x'.repeat(17_000) }, 400],
      ['GET', '/x/2026/json/', {}, 503],
    ] as const) {
      const answer = await exchange(method, baseUrl + path, { ...headers, connection: 'close' });
      expect([path.slice(0, 50), answer.status]).toEqual([path.slice(0, 50), status]);
      expect(answer.headers).toMatchObject(expected);
      expect(answer.body).toEqual(status === 200 ? [] : refusal);
    }
  });
});

describe.skipIf(withoutNginx)(`calendar files behind nginx${withoutNginx}`, () => {
  it('are sent, revalidated and compressed by nginx alone, and nothing else from the disk is', async () => {
    const staticRoot = await makeStaticRoot();
    const folder = join(staticRoot, 'main');
    const content = `[${'{"id":1},'.repeat(100)}{}]\n`;
    await writeCalendar(folder, 'european_calendar_2026.json', content);
    await writeCalendar(folder, 'european_calendar_2026.json.gz', gzipSync(content));
    await writeCalendar(folder, 'european_calendar_2027.json', '[]\n');
    for (const name of ['.building-1-2026-GBR', '.hidden.json', 'notes.txt', 'a.b.json'])
      await writeCalendar(folder, name, '[]');
    const { baseUrl } = await startNginx({ port: await freePort(), apps: ['1'], staticRoot });

    const file = await get(baseUrl + CALENDAR, { origin: 'https://widgets.example.org' });
    expect(file).toMatchObject({
      status: 200,
      text: content,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, no-cache',
        vary: 'Accept-Encoding',
      },
    });
    expect(file.headers).not.toHaveProperty('access-control-allow-origin');
    expect(file.headers.server).toBe('nginx');
    for (const condition of [
      { 'if-none-match': file.headers.etag! },
      { 'if-modified-since': file.headers['last-modified']! },
    ])
      expect(await get(baseUrl + CALENDAR, condition)).toMatchObject({ status: 304, text: '' });

    const packed = await get(baseUrl + CALENDAR, { 'accept-encoding': 'gzip' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(packed.headers.etag).not.toBe(file.headers.etag);
    const next = CALENDAR.replace('2026', '2027');
    const plain = await get(baseUrl + next, { 'accept-encoding': 'gzip' });
    expect(plain).toMatchObject({ status: 200, text: '[]\n' });
    expect((await get(`${baseUrl}/${next}/`)).text).toBe('[]\n');

    for (const name of ['', '.building-1-2026-GBR', '.hidden.json', 'notes.txt', 'a.b.json', 'none.json'])
      expect(await get(`${baseUrl}/live/euroath/${name}`)).toMatchObject({
        status: 404,
        body: NOWHERE,
      });
    expect(await get(`${baseUrl}${CALENDAR}.gz`)).toMatchObject({ status: 404, body: NOWHERE });
    const posted = await exchange('POST', baseUrl + CALENDAR, {}, '[]');
    expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('and everything else of the test environment are at the host with the test- prefix', async () => {
    const [port, app, staticRoot] = [await freePort(), await freePort(), await makeStaticRoot()];
    const values = { TEST_APP: `127.0.0.1:${app}`, TEST_PUSH: `127.0.0.1:${app}`, BODY_LIMIT_MB: '1' };
    const { baseUrl } = await startNginx({ port, apps: ['1'], staticRoot, values });
    await serve({
      ...(await databaseEnvironment()),
      PORT: String(app),
      ENVIRONMENT: 'test',
      STATIC_DIR: join(staticRoot, 'test'),
    });
    const host = 'test-results.example.org';
    const ping = `${baseUrl}/api/v1/ping/`;
    expect((await get(ping, { host })).body).toEqual({ reply: 'pong', enviroment: 'test' });
    expect(await get(ping)).toMatchObject({ status: 503, body: UNAVAILABLE });
    await vi.waitFor(
      async () => expect((await get(baseUrl + CALENDAR, { host })).status).toBe(200),
      PATIENCE,
    );
    expect((await get(baseUrl + CALENDAR)).status).toBe(404);
    const { key } = (await get(`${baseUrl}/api/v1/push`, { host })).body;
    const client = rawClient(port, `/app/${key}?protocol=7&client=js&version=8.6.0`, { host });
    onTestFinished(() => client.socket.terminate());
    expect(await client.next()).toMatchObject({ event: 'pusher:connection_established' });
    const large = await exchange(
      'POST',
      `${baseUrl}/api/v1/competitions/`,
      { host },
      'x'.repeat(1024 * 1024 + 1),
    );
    expect(large).toMatchObject({
      status: 413,
      body: { detail: 'The body is larger than the limit of 1 MB' },
    });
  });
});
