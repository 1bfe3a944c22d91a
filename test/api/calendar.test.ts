import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildCalendar, calendarFolder } from '../../src/calendar/build.ts';
import { takeBuild } from '../../src/calendar/store.ts';
import { competitions } from '../../src/db/schema.ts';
import { type Client, startTestApp, type TestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

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

const build = (...years: number[]) => buildCalendar(api.deps, () => (years.length ? years : [2026, 2027]));
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
  await build();
  expect((await file('european_calendar_2026')).body).toEqual([german]);
  for (const code of ['DEU', 'deu', 'GER', 'ger'])
    expect(await ids(`domestic_calendar_${code}_2026`)).toEqual([german.id]);
  expect(await ids('domestic_calendar_bra_2026')).toEqual([brazilian.id]);
  expect(await ids('european_calendar_2027')).toEqual([]);
  expect((await file('domestic_calendar_DEU_2027')).status).toBe(404);
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

test.for([
  '/live/euroath/../../jwt-secret',
  '/live/euroath/.building-x',
  '/live/euroath/%2e%2e%2fx.json',
  '/live/',
  '/live/x/y.json',
])('nothing else is: %s', async (path) => {
  await build();
  await writeFile(join(calendarFolder(api.deps.config), '.building-x'), 'half');
  expect(await api.get(path)).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
});

test('a reader never gets half a file while it is rebuilt again and again', async () => {
  for (let n = 0; n < 30; n++) await create({ basic_description: 'x'.repeat(5000) });
  await build();
  const building = new AbortController();
  let reads = 0;
  const reader = (async () => {
    while (!building.signal.aborted) {
      const text = await readFile(
        join(calendarFolder(api.deps.config), 'domestic_calendar_gbr_2026.json'),
        'utf8',
      );
      expect((JSON.parse(text) as unknown[]).length).toBe(30);
      reads++;
    }
  })();
  for (let n = 0; n < 200; n++) await build(2026);
  building.abort();
  await reader;
  expect(reads).toBeGreaterThan(100);
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

test('of several replicas one takes the build of a night', async () => {
  const night = new Date('2026-06-02T01:00:00Z');
  const taken = await Promise.all([
    takeBuild(api.db, night),
    takeBuild(api.db, night),
    takeBuild(api.db, night),
  ]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await takeBuild(api.db, new Date('2026-06-03T01:00:00Z'))).toBe(true);
});

test('readiness is degraded while the files are missing, and when they are older than a night and a day', async () => {
  const calendar = async () => (await api.get('/readyz')).body.checks.calendar.status;
  api.clock.now = new Date();
  expect((await api.get('/readyz')).body.status).toBe('degraded');
  expect(await calendar()).toBe('degraded');
  await build(api.clock.now.getUTCFullYear());
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
