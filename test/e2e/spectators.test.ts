import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { report } from '../helpers/figures.ts';
import { freePort } from '../helpers/free-port.ts';
import { type ApiClient, get, signedIn } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { makeStaticRoot, startNginx, withoutNginx } from '../helpers/nginx.ts';
import { connectClient } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { createMeeting, type Meeting, saveOnce } from '../helpers/steady-saves.ts';

// What the deployment has by default.
const EDGE_SECONDS = 1;
/** As long as a copy may be shown after it was made: fresh for so long and stale for as long, in whole seconds. */
const GONE_MS = (2 * EDGE_SECONDS + 1) * 1000;

type World = { baseUrl: string; direct: string; api: ApiClient; meeting: Meeting };

async function behindNginx(port: number, app: string | number) {
  const values = { EDGE_CACHE_SECONDS: String(EDGE_SECONDS) };
  return startNginx({ port, apps: [String(app)], staticRoot: await makeStaticRoot(), values });
}

/** A replica behind nginx, and a meeting. */
async function world(units: number): Promise<World> {
  const [port, app] = [await freePort(), await freePort()];
  const { baseUrl } = await behindNginx(port, app);
  const env = {
    ...(await databaseEnvironment()),
    BASE_URL: baseUrl,
    TRUST_PROXY: '1',
    EDGE_CACHE_SECONDS: String(EDGE_SECONDS),
    RATE_LIMIT_WRITE: '0',
    PORT: String(app),
  };
  await serve(env);
  const direct = `http://127.0.0.1:${app}`;
  const api = await signedIn(direct, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  return { baseUrl, direct, api, meeting: await createMeeting(api, 'crowd', units) };
}

const COMPETITION = '/x/2026/GBR/crowd/json/';

/** How many requests for public documents have reached the replica. */
async function documentReads({ direct }: World): Promise<number> {
  const { text } = await get(`${direct}/metrics`);
  const lines = text
    .split('\n')
    .filter((line) => /^http_request_duration_seconds_count\{.*"\/x\//.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Reads the address over and over, from so many connections at once, in all the ways that browsers ask. */
async function crowd(url: string, { readers, ms }: { readers: number; ms: number }) {
  const endMs = performance.now() + ms;
  const seen = { answers: 0, encodings: new Set<string | undefined>(), refused: [] as unknown[] };
  const reader = async (index: number) => {
    while (performance.now() < endMs) {
      const { status, headers } = await get(url, WAYS[index % WAYS.length]);
      seen.answers += 1;
      seen.encodings.add(headers['content-encoding']);
      if (status !== 200) seen.refused.push(status);
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, index) => reader(index)));
  return seen;
}

const WAYS = [
  'gzip, deflate, br, zstd',
  'gzip, deflate, br',
  'br;q=1.0, gzip;q=0.8, *;q=0.1',
  'gzip',
  'gzip, deflate, br;q=0',
  'identity',
].map((accepted) => ({ 'accept-encoding': accepted }));

describe.skipIf(withoutNginx)(`spectators behind the cache of nginx${withoutNginx}`, () => {
  it('cost the service one request for each document, encoding and second, however many they are', async () => {
    const here = await world(2);
    const url = here.baseUrl + COMPETITION;
    const before = await documentReads(here);
    const startMs = performance.now();
    const seen = await crowd(url, { readers: byLength(20, 40), ms: byLength(2000, 3000) });
    const seconds = Math.ceil((performance.now() - startMs) / 1000) + 1;
    const asked = (await documentReads(here)) - before;
    report({ answers: seen.answers, 'asked of the service': asked });
    expect(seen.refused).toEqual([]);
    expect(seen.encodings).toEqual(new Set([undefined, 'gzip', 'br']));
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(seconds * seen.encodings.size);
    expect(seen.answers).toBeGreaterThan(10 * asked);
  });

  it('see every save within the time promised, and have their own copy confirmed meanwhile', async () => {
    const { baseUrl, api, meeting } = await world(2);
    const lane = meeting.lanes[0]!;
    const before = await get(baseUrl + lane.jsonPath);
    expect(before.headers['cache-control']).toMatch(/max-age=0, s-maxage=1, stale-while-revalidate=1$/);
    const known = { 'if-none-match': before.headers.etag! };
    expect(await get(baseUrl + lane.jsonPath, known)).toMatchObject({ status: 304, text: '' });
    const { revision } = await saveOnce(lane, api);
    const savedMs = performance.now();
    const reads: { askedMs: number; revision: number }[] = [];
    // One reader alone and one of many: each read may be the one that asks for the next state.
    const late = () => reads.filter(({ askedMs }) => askedMs >= savedMs + GONE_MS);
    while (late().length < 3) {
      const askedMs = performance.now();
      const { body } = await get(baseUrl + lane.jsonPath);
      reads.push({ askedMs, revision: body.revision });
      await sleep(50);
    }
    expect(late().filter((read) => read.revision !== revision)).toEqual([]);
  });

  it('get the answers to others never, nor errors, cookies and what the API says', async () => {
    const [port, origin] = [await freePort(), await startOrigin()];
    const { baseUrl } = await behindNginx(port, origin.port);
    const asked = async (path: string, headers = {}) => {
      await get(baseUrl + path, headers);
      await get(baseUrl + path, headers);
      return origin.requests.splice(0).length;
    };
    expect(await asked('/x/2026/json/')).toBe(1);
    expect(await asked('/en/')).toBe(1);
    const addressed = { host: 'other.example.org' };
    expect(await asked('/x/2026/json/', addressed)).toBe(1);
    for (const [path, headers] of [
      ['/x/2026/json/?kept', { authorization: 'Bearer token' }],
      ['/x/2026/json/', { cookie: 'athletics_session=token' }],
      ['/api/v1/push', {}],
      ['/healthz', {}],
      ['/x/2026/?set-cookie=a=b', {}],
      ['/x/2026/?vary=cookie', {}],
      ['/x/2026/?cache-control=private', {}],
      ['/x/2026/?cache-control=public, no-cache', {}],
      ...[308, 404, 429, 500, 503].map((status) => [`/x/2026/?status=${status}`, {}] as const),
    ] as const)
      expect([path, await asked(path.replaceAll(' ', '%20'), headers)]).toEqual([path, 2]);
    // What was kept for everybody is not for those either.
    expect(await asked('/x/2026/json/', { authorization: 'Bearer token' })).toBe(2);
  });

  it('miss no save when they join at any moment around it, and read once more when copies from before are gone', async () => {
    const here = await world(JOINS_AT_ONCE);
    const joined: Spectator[] = [];
    for (let n = 0; n < byLength(JOINS_AT_ONCE, 1000); n += JOINS_AT_ONCE)
      joined.push(...(await joinAroundSaves(here)));
    const behind = joined.filter(({ before, saved }) => before < saved).length;
    report({ joins: joined.length, 'read a copy from before': behind });
    // Else nothing was proved.
    expect(behind).toBeGreaterThan(0);
    expect(joined.filter(({ newest, saved }) => newest !== saved)).toEqual([]);
  }, 180_000);
});

/** A service that answers as the address says, and lets everything be kept for a minute unless that says otherwise. */
async function startOrigin() {
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const { status = '200', ...headers } = Object.fromEntries(new URL(url, 'http://x').searchParams);
    response.writeHead(Number(status), { 'cache-control': 'public, s-maxage=60', ...headers }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, port: String((server.address() as AddressInfo).port) };
}

const JOINS_AT_ONCE = 50;
const WINDOW_MS = 2500;

type Spectator = {
  /** The revision that was stored last. */
  saved: number;
  /** The newest that was pushed or read before the second reading, and altogether. */
  before: number;
  newest: number;
};

/** Saves each unit once, and lets somebody join its channel about that time, while others read it through the cache. */
async function joinAroundSaves({ baseUrl, api, meeting }: World): Promise<Spectator[]> {
  const state = { over: false };
  const spectators = Promise.all(
    meeting.lanes.map(async (lane) => {
      const others = readOnAndOn(baseUrl + lane.jsonPath, state);
      const spectator = join(baseUrl, lane);
      await sleep(Math.random() * WINDOW_MS);
      const { revision: saved } = await saveOnce(lane, api);
      const seen = await spectator;
      // What is pushed may still be under way.
      for (let tries = 0; tries < 1000 && seen.newest < saved; tries += 1) await sleep(20);
      await others.stop();
      seen.leave();
      return { saved, before: seen.before, newest: seen.newest };
    }),
  );
  return await spectators.finally(() => void (state.over = true));
}

function readOnAndOn(url: string, state: { over: boolean }) {
  const here = { over: false };
  const reading = (async () => {
    while (!here.over && !state.over) {
      await get(url);
      await sleep(200 + Math.random() * 200);
    }
  })();
  return {
    stop: async () => {
      here.over = true;
      await reading;
    },
  };
}

/** Joins sooner or later, as the README tells authors of widgets to. Resolves after the second reading. */
async function join(baseUrl: string, { channel, jsonPath }: Meeting['lanes'][number]) {
  await sleep(Math.random() * WINDOW_MS);
  const client = await connectClient(baseUrl, '8');
  const seen = { newest: 0, before: 0, leave: () => client.disconnect() };
  const take = ({ revision }: { revision: number }) => (seen.newest = Math.max(seen.newest, revision));
  const read = async () => take((await get(baseUrl + jsonPath)).body);
  const subscription = client.subscribe(channel);
  subscription.bind('unit', take);
  await new Promise((resolve) => subscription.bind('pusher:subscription_succeeded', resolve));
  const again = sleep(GONE_MS);
  await read();
  await again;
  seen.before = seen.newest;
  await read();
  return seen;
}
