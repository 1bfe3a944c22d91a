import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildCalendar, calendarFolder, currentYears } from '../../src/calendar/build.ts';
import { EUROPEAN_ATHLETICS } from '../../src/countries.ts';
import { competitions } from '../../src/db/schema.ts';
import { type Client, startTestApp, type TestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { byLength } from '../helpers/length.ts';

let api: TestApp;
let admin: Client;
beforeAll(async () => {
  api = await startTestApp();
  admin = await api.as('ADMIN_GBR', 'ADMIN_DEU', 'ADMIN_BRA');
});
beforeEach(async () => {
  await api.db.delete(competitions);
  await rm(calendarFolder(api.deps.config), { recursive: true, force: true });
});
afterAll(() => api.close());

/** Of one year unless told: each is hundreds of files. */
const build = (...years: number[]) => buildCalendar(api.deps, () => (years.length ? years : [2026]));
const create = async (fields: Record<string, unknown>) => {
  const { status, body } = await admin.post('/api/v1/competitions/', competition(fields));
  expect(status).toBe(201);
  return body;
};
const file = (name: string) => api.get(`/live/euroath/${name}.json`);
const ids = async (name: string) => (await file(name)).body.map(({ id }: { id: string }) => id);

test('a competition is in its country’s file and in the European one, as the list shows it', async () => {
  const german = await create({ country_id: 'GER' });
  const brazilian = await create({ country_id: 'BRA' });
  await build(2026, 2027);
  expect((await file('european_calendar_2026')).body).toEqual([german]);
  for (const code of ['DEU', 'deu', 'GER', 'ger'])
    expect(await ids(`domestic_calendar_${code}_2026`)).toEqual([german.id]);
  expect(await ids('domestic_calendar_bra_2026')).toEqual([brazilian.id]);
  expect(await ids('european_calendar_2027')).toEqual([]);
  expect((await file('domestic_calendar_DEU_2027')).body).toEqual([]);
});

test('every European member has a file for both years, and so has any other country that ever had a competition', async () => {
  await create({ country_id: 'BRA', date: '2019-05-01' });
  expect(await build(2026, 2027)).toMatchObject({ files: 2 * (1 + 51 + 1), competitions: 0 });
  const others = [...EUROPEAN_ATHLETICS].flatMap((iso) => [iso, iso.toLowerCase()]);
  for (const year of [2026, 2027]) {
    for (const code of [...others, 'GER', 'ger', 'BRA', 'bra']) {
      expect((await file(`domestic_calendar_${code}_${year}`)).body).toEqual([]);
    }
    expect((await file(`domestic_calendar_JPN_${year}`)).status).toBe(404);
  }
});

test('a country’s file that was empty fills with its first competition, and the others stay empty, in each form', async () => {
  await build();
  const { id } = await create({ country_id: 'DEU' });
  expect(await build()).toMatchObject({ files: 1 + 51, competitions: 1 });
  expect(await ids('domestic_calendar_GER_2026')).toEqual([id]);
  const folder = calendarFolder(api.deps.config);
  const forms = { '': String, '.gz': gunzipSync, '.br': brotliDecompressSync };
  for (const [suffix, decode] of Object.entries(forms)) {
    const read = async (code: string): Promise<unknown> => {
      const content = await readFile(join(folder, `domestic_calendar_${code}_2026.json${suffix}`));
      return JSON.parse(decode(content).toString());
    };
    expect([await read('deu'), await read('fra')]).toMatchObject([[{ id }], []]);
  }
});

test('home nations are in the file of GBR, sorted by date then name', async () => {
  const names = ['B', 'A', 'C'];
  for (const full_name of names)
    await create({ full_name, country_id: 'SCO', date: full_name === 'C' ? '2026-01-01' : '2026-02-01' });
  await build();
  const listed = (await file('domestic_calendar_gbr_2026')).body.map(
    ({ full_name }: { full_name: string }) => full_name,
  );
  expect(listed).toEqual(['C', 'A', 'B']);
  expect((await file('domestic_calendar_SCO_2026')).body).toHaveLength(3);
});

test('a country whose last competition is gone has an empty file, and other years stay as they were', async () => {
  const { id } = await create({ country_id: 'BRA' });
  await create({ country_id: 'BRA', date: '2025-05-01' });
  await build(2025, 2026);
  const before = await stat(join(calendarFolder(api.deps.config), 'domestic_calendar_BRA_2025.json'));
  await admin.delete(`/api/v1/competitions/${id}`);
  await build(2026, 2027);
  expect((await file('domestic_calendar_BRA_2026')).body).toEqual([]);
  const after = await stat(join(calendarFolder(api.deps.config), 'domestic_calendar_BRA_2025.json'));
  expect(after.mtimeMs).toBe(before.mtimeMs);
});

test('files are served without a token and without CORS, with ETag and Last-Modified', async () => {
  await build();
  const answer = await api.get('/live/euroath/european_calendar_2026.json', {
    origin: 'https://example.org',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({ etag: expect.any(String), 'last-modified': expect.any(String) });
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  const again = await api.get('/live/euroath/european_calendar_2026.json', {
    'if-none-match': String(answer.headers['etag']),
  });
  expect(again.status).toBe(304);
});

test('a reader is told when nothing has changed since a tag or a time, in each encoding', async () => {
  await create({ basic_description: 'x'.repeat(5000) });
  await build();
  const url = '/live/euroath/european_calendar_2026.json';
  const tags = new Set<unknown>();
  for (const encoding of ['identity', 'gzip', 'br']) {
    const read = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
      api.app.inject({ method, url, headers: { 'accept-encoding': encoding, ...headers } });
    const { headers, rawPayload } = await read({});
    tags.add(headers['etag']);
    const head = await read({}, 'HEAD');
    expect([head.statusCode, head.body, head.headers]).toMatchObject([
      200,
      '',
      { etag: headers['etag'], 'content-length': String(rawPayload.length) },
    ]);
    const modified = String(headers['last-modified']);
    const minuteBefore = new Date(Date.parse(modified) - 60_000).toUTCString();
    const statuses = [
      await read({ 'if-none-match': String(headers['etag']) }),
      await read({ 'if-modified-since': modified }),
      await read({ 'if-modified-since': minuteBefore }),
      await read({ 'if-modified-since': modified, 'if-none-match': '"other"' }),
      await read({ 'if-modified-since': 'yesterday' }),
    ].map(({ statusCode, body }) => [statusCode, body.length > 0]);
    expect(statuses).toEqual([
      [304, false],
      [304, false],
      [200, true],
      [200, true],
      [200, true],
    ]);
  }
  expect(tags.size).toBe(3);
});

test('a file without compressed forms beside it, as an older year may be, is sent as it is', async () => {
  await create({ basic_description: 'x'.repeat(5000) });
  await build();
  const folder = calendarFolder(api.deps.config);
  for (const suffix of ['.gz', '.br']) await rm(join(folder, `european_calendar_2026.json${suffix}`));
  const { statusCode, headers, body } = await api.app.inject({
    url: '/live/euroath/european_calendar_2026.json',
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect([statusCode, headers['content-encoding'], JSON.parse(body)]).toMatchObject([200, undefined, [{}]]);
});

test('nothing else is served', async () => {
  await build();
  await writeFile(join(calendarFolder(api.deps.config), '.building-x'), 'half');
  for (const path of [
    '/live/euroath/../../jwt-secret',
    '/live/euroath/.building-x',
    '/live/euroath/%2e%2e%2fx.json',
    '/live/',
    '/live/x/y.json',
  ])
    expect([path, await api.get(path)]).toMatchObject([
      path,
      { status: 404, body: { detail: expect.any(String) } },
    ]);
});

test('a reader never gets half a file while it is rebuilt again and again, in any encoding', async () => {
  const decoders = { identity: String, gzip: gunzipSync, br: brotliDecompressSync };
  for (let n = 0; n < 30; n++) await create({ basic_description: `x${n}`.repeat(500) });
  const { id } = await create({});
  await build();
  const building = new AbortController();
  const readers = Object.entries(decoders).map(async ([encoding, decode]) => {
    const lengths: number[] = [];
    while (!building.signal.aborted) {
      const { rawPayload, headers } = await api.app.inject({
        url: '/live/euroath/domestic_calendar_gbr_2026.json',
        headers: { 'accept-encoding': encoding },
      });
      expect(headers['content-encoding'] ?? 'identity').toBe(encoding);
      expect(headers['content-length']).toBe(String(rawPayload.length));
      lengths.push((JSON.parse(decode(rawPayload).toString()) as unknown[]).length);
      // Builds need the processor too.
      await sleep(5);
    }
    return lengths;
  });
  for (let n = 0; n < byLength(4, 200); n++) {
    // The file grows and shrinks.
    await api.db
      .update(competitions)
      .set({ year: n % 2 ? 2026 : 2020 })
      .where(eq(competitions.id, id));
    await build(2026);
  }
  building.abort();
  for (const lengths of await Promise.all(readers)) expect(new Set(lengths)).toEqual(new Set([30, 31]));
}, 120_000);

test('what a killed build left is swept away later, and simultaneous builds leave nothing behind', async () => {
  await create({});
  await build();
  const left = join(calendarFolder(api.deps.config), '.building-left');
  await writeFile(left, 'half');
  await utimes(left, new Date(0), new Date(0));
  await Promise.all([build(), build(), build()]);
  const names = await readdir(calendarFolder(api.deps.config));
  expect(names.filter((name) => name.startsWith('.'))).toEqual([]);
});

const tag = async () => (await file('domestic_calendar_GBR_2026')).headers['etag'];

test('the tag of a file is of its content: a night without changes gives none new, and another folder the same', async () => {
  const { id } = await create({});
  await build();
  const before = await tag();
  api.clock.advance(3600 * 1000);
  await rm(calendarFolder(api.deps.config), { recursive: true });
  await build();
  expect(await tag()).toBe(before);
  await admin.delete(`/api/v1/competitions/${id}`);
  await build();
  expect(await tag()).not.toBe(before);
});

test('readiness is degraded while the files are missing, and when they are older than a night and a day', async () => {
  const calendar = async () => (await api.get('/readyz')).body.checks.calendar.status;
  api.clock.now = new Date();
  expect((await api.get('/readyz')).body.status).toBe('degraded');
  expect(await calendar()).toBe('degraded');
  await build(currentYears(api.deps)[0]);
  expect(await calendar()).toBe('ok');
  api.clock.advance(31 * 3600 * 1000);
  expect(await calendar()).toBe('degraded');
});

test('maintenance answers 503 on the API and the data site; files and ping go on', async () => {
  const paused = await startTestApp({ MAINTENANCE_MODE: 'true' });
  try {
    for (const path of [
      '/api/v1/competitions/',
      '/api//v1/push',
      '/x/2026/GBR/a/json/',
      '/en/x/2026/GBR/a/json',
    ]) {
      expect(await paused.get(path)).toMatchObject({
        status: 503,
        headers: { 'retry-after': expect.any(String) },
      });
    }
    expect((await paused.get('/api/v1/ping/')).status).toBe(200);
    await buildCalendar(paused.deps, () => [2026]);
    expect((await paused.get('/live/euroath/european_calendar_2026.json')).body).toEqual([]);
  } finally {
    await paused.close();
  }
});
