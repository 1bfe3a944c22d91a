// The pages at the front door: entrance, calendars, and what search engines are told.
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

// Its clock stands at noon of 1 June 2026.
const api = await startTestApp({ BASE_URL: 'https://results.example' });
const admin = await api.as('ADMIN_GBR', 'ADMIN_DEU', 'ADMIN_FRA');
afterAll(() => api.close());

const create = async (fields: Record<string, unknown>) =>
  (await admin.post('/api/v1/competitions/', competition(fields))).body as { id: string; slug: string };
const race = (fields: object) => [
  { event_id: 'T1', event_code: '100', units: [{ round: 1, heat: 1, ...fields }] },
];
const RESULT = [{ bib: '1', place: 1, performance: '12.01' }];

const sectionsOf = (html: string) =>
  Object.fromEntries(
    Array.from(html.matchAll(/<section[^>]*data-section="(\w+)">(.*?)<\/section>/g), ([, name, list]) => [
      name,
      namesIn(list!),
    ]),
  );
const namesIn = (html: string) => Array.from(html.matchAll(/<bdi>([^<]*)<\/bdi><\/a>/g), ([, name]) => name);

/** Each competition of a list with its state. */
async function statesIn(path: string): Promise<string[]> {
  const { text } = await api.get(path);
  const entries = text.matchAll(/<bdi>([^<]*)<\/bdi><\/a>.*?data-competition-state="(\w+)"/g);
  return Array.from(entries, ([, name, state]) => `${name}: ${state}`);
}

describe('the entrance', () => {
  test('shows what is live, today, next, and whose results are there', async () => {
    await create({
      full_name: 'Under Way',
      date: '2026-06-01',
      events: race({ results: RESULT, results_status: 'in_progress' }),
    });
    await create({
      full_name: 'Tonight',
      date: '2026-05-30',
      finish_date: '2026-06-02',
      events: race({ results: [{ bib: '1' }] }),
    });
    await create({ full_name: 'In a Week', date: '2026-06-08' });
    await create({ full_name: 'In Two Weeks', date: '2026-06-15' });
    await create({ full_name: 'Too Far', date: '2026-06-16' });
    await create({
      full_name: 'Last Week',
      date: '2026-05-24',
      events: race({ results: RESULT, results_status: 'official' }),
    });
    await create({ full_name: 'Never Held', date: '2026-05-25', events: race({ results: [{ bib: '1' }] }) });
    const { text, headers, status } = await api.get('/');
    expect(sectionsOf(text)).toEqual({
      live: ['Under Way'],
      today: ['Tonight'],
      next: ['In a Week', 'In Two Weeks'],
      results: ['Last Week'],
    });
    expect(text).toContain('data-page="entrance"');
    expect(text).toContain('data-region="entrance"');
    expect(text).toContain('href="/docs"');
    const again = await api.get('/', { 'if-none-match': String(headers['etag']) });
    expect([status, again.status]).toEqual([200, 304]);
  });

  test('calls live what was saved a moment ago, and changes with the clock', async () => {
    const { id } = await create({
      full_name: 'Just Over',
      date: '2026-06-01',
      events: race({ results: [] }),
    });
    const sections = async () => sectionsOf((await api.get('/de/')).text);
    expect((await sections())['today']).toContain('Just Over');
    await admin.post(`/api/v1/competitions/${id}`, {
      events: race({ results: RESULT, results_status: 'official' }),
    });
    expect((await sections())['live']).toContain('Just Over');
    // Every list has one word for it.
    for (const list of ['/de/?q=just', '/x/2026/', '/de/x/2026/GBR/?month=6'])
      expect(await statesIn(list)).toContain('Just Over: live');
    api.clock.advance(11 * 60_000);
    for (const list of ['/de/', '/de/?q=just', '/x/2026/'])
      expect(await statesIn(list)).toContain('Just Over: today');
    api.clock.advance(-11 * 60_000);
    const before = (await api.get('/de/')).headers['etag'];
    api.clock.advance(24 * 3600_000);
    const after = await api.get('/de/');
    expect(after.headers['etag']).not.toBe(before);
    expect(sectionsOf(after.text)['results']).toContain('Just Over');
    api.clock.advance(-24 * 3600_000);
  });

  test.for([
    ['/', 'en', 'https://results.example/'],
    ['/de/', 'de', 'https://results.example/de/'],
    ['/de', 'de', 'https://results.example/de/'],
    ['/de-at/', 'de', 'https://results.example/de/'],
    ['/en_gb/', 'en', 'https://results.example/'],
  ])('%s is in %s', async ([path, language, canonical]) => {
    const { status, text } = await api.get(path!);
    expect(status).toBe(200);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`<link rel="canonical" href="${canonical}"/>`);
    expect(text).toContain('<link rel="alternate" hreflang="x-default" href="https://results.example/"/>');
    expect(text).toContain('<meta property="og:url"');
  });

  test.for(['/english/', '/dex/', '/xx/', '/news'])('%s is none', async (path) => {
    expect((await api.get(path)).status).toBe(404);
  });

  test('finds competitions by parts of their names, whatever the letters, and shows at most fifty', async () => {
    await create({ full_name: 'ÅRHUS  Games', date: '2026-07-01', slug: 'arhus' });
    for (let number = 0; number < 55; number++)
      await create({ full_name: `Parkland Series ${number}`, date: '2027-01-05' });
    const find = async (q: string) => namesIn((await api.get(`/?q=${encodeURIComponent(q)}`)).text);
    expect(await find('århus games')).toEqual(['ÅRHUS  Games']);
    expect(await find('  GAMES   år')).toEqual(['ÅRHUS  Games']);
    expect(await find('parkland')).toHaveLength(50);
    for (const q of ['%', '_', "'; drop table competitions; --", '\\', 'x'.repeat(5000)])
      expect(await find(q)).toEqual([]);
    const { text, status } = await api.get('/?q=<script>&q=2');
    expect(status).toBe(200);
    expect(text).not.toContain('<script>');
    expect((await api.get('/?q=<i>')).text).toContain('&lt;i>');
  });
});

describe('the calendar', () => {
  test('lists a year by month, with days, name, place and state, and leads on', async () => {
    await create({ full_name: 'Two Days', date: '2031-02-27', finish_date: '2031-02-28', city: 'Ayr' });
    await create({ full_name: 'Summer', date: '2031-07-01', country_id: 'DEU', city: 'Ulm' });
    const { text } = await api.get('/x/2031/');
    expect(text).toContain('data-page="calendar"');
    expect(namesIn(text)).toEqual(['Two Days', 'Summer']);
    expect(Array.from(text.matchAll(/data-month="(\d+)"/g), ([, month]) => month)).toEqual(['2', '7']);
    expect(text).toMatch(/27\s?–\s?28 February 2031/);
    expect(text).toContain('Germany');
    expect(text).toContain('data-competition-state="coming"');
    for (const link of ['/x/2030/', '/x/2032/', '/x/2031/DEU/', '/x/2031/json/'])
      expect(text).toContain(`href="${link}"`);
    const german = await api.get('/de/x/2031/DEU/');
    expect(namesIn(german.text)).toEqual(['Summer']);
    expect(german.text).toContain('<link rel="canonical" href="https://results.example/de/x/2031/DEU/"/>');
    expect(namesIn((await api.get('/x/2031/?q=ulm')).text)).toEqual(['Summer']);
    expect(namesIn((await api.get('/x/2031/?month=2')).text)).toEqual(['Two Days']);
    expect((await api.get('/x/2031/?q=none&month=99&page=-1')).status).toBe(200);
  });

  test('of another spelling of the country is at the canonical address, the query with it', async () => {
    const { status, headers } = await api.get('/de/x/2031/ger/?q=a');
    expect([status, headers['location']]).toEqual([308, '/de/x/2031/DEU/?q=a']);
  });

  test('of a year without competitions is there, but not for search engines', async () => {
    const { status, text } = await api.get('/x/2055/');
    expect(status).toBe(200);
    expect(text).toContain('noindex');
    expect(text).not.toContain('href="/x/2056/"');
  });

  test('of a large year is shown by month, and a large month in parts', async () => {
    await api.db.execute(`insert into competitions
      (full_name, short_name, slug, name_local, country_id, address, city, date, finish_date, year, national_id,
        basic_description, contact_details, extra, name_key, record_text, revision)
      select 'Big ' || n, '', 'big-' || n, '', 'FRA', '', '', day, day, 2040, '', '', '', '{}', 'big ' || n, '{}', n
      from generate_series(1, 700) n, lateral (select ('2040-0' || 1 + (n > 600)::int || '-05')::date as day) days`);
    const first = await api.get('/x/2040/');
    expect(namesIn(first.text)).toHaveLength(500);
    expect(first.text).toContain('href="/x/2040/?month=1&amp;page=2"');
    expect(namesIn((await api.get('/x/2040/?month=1&page=2')).text)).toHaveLength(100);
    expect(namesIn((await api.get('/x/2040/FRA/?month=2')).text)).toHaveLength(100);
  });
});

const locations = (xml: string) => Array.from(xml.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url!);

describe('search engines', () => {
  test('are told what is public, and find every part of it', async () => {
    await create({ full_name: 'Listed', date: '2033-03-03', slug: 'listed' });
    const robots = await api.get('/robots.txt');
    expect(robots.headers['content-type']).toContain('text/plain');
    expect(robots.text).toContain('Sitemap: https://results.example/sitemap.xml\n');
    expect(robots.text).toContain('Disallow: /x/*/*/*/card/');
    const index = await api.get('/sitemap.xml');
    expect(index.headers['content-type']).toContain('application/xml');
    const parts = locations(index.text);
    const urls: string[] = [];
    for (const part of parts) urls.push(...locations((await api.get(new URL(part).pathname)).text));
    expect(urls).toEqual(
      expect.arrayContaining(
        ['/', '/x/2033/', '/x/2033/GBR/', '/x/2033/GBR/listed/'].map(
          (path) => `https://results.example${path}`,
        ),
      ),
    );
    expect(new Set(urls).size).toBe(urls.length);
  });

  test.for(['/sitemap/2033-2.xml', '/sitemap/1999-1.xml', '/sitemap/x'])('%s is no part', async (path) => {
    expect((await api.get(path)).status).toBe(404);
  });
});

test('a unit is shown in the language of a locale with its country', async () => {
  const { slug } = await create({
    full_name: 'Spoken',
    date: '2034-03-03',
    events: race({ results: RESULT }),
  });
  const { text } = await api.get(`/en-gb/x/2034/GBR/${slug}/event/T1/1/1/`);
  expect(text).toContain('<html lang="en">');
  const path = `/x/2034/GBR/${slug}/event/T1/1/1/`;
  expect(text).toContain(`<link rel="canonical" href="https://results.example${path}"/>`);
  expect(text).toContain(`hreflang="de" href="https://results.example/de${path}"`);
});
