import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { snapshot } from '../helpers/snapshot.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR', 'ADMIN_FRA', 'ADMIN_DEU');
afterAll(api.close);

async function stored(overrides: Record<string, unknown> = {}) {
  const { status, body } = await admin.post('/api/v1/competitions/', competition(overrides));
  expect(status).toBe(201);
  const path = `/api/v1/competitions/${body.id}`;
  return { record: body, path, update: (fields: unknown) => admin.post(path, fields) };
}
const site = ({ year, country_id, slug }: { year: number; country_id: string; slug: string }) =>
  `/x/${year}/${country_id}/${slug}`;
const paths = (body: { detail: { loc: unknown[] }[] }) => body.detail.map(({ loc }) => loc.join('.'));

describe('a partial update', () => {
  test('changes what was sent and nothing else', async () => {
    const { record, path, update } = await stored({ city: 'Old Town', latitude: 1, age_groups: ['ALL'] });
    const { status, body } = await update({ city: 'New Town', latitude: '2.5' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...record, city: 'New Town', latitude: 2.5 });
    expect((await admin.get(path)).body).toEqual(body);
    expect((await admin.get('/api/v1/competitions/')).body).toContainEqual(body);
  });

  test('null and the empty text clear what may be empty', async () => {
    const full = {
      short_name: 'S',
      city: 'C',
      venue_id: randomUUID(),
      latitude: 1,
      wa_rankings_category_id: 3,
      age_groups: ['U20'],
      organiser_id: randomUUID(),
      website: 'https://example.org',
      finish_date: '2026-06-15',
    };
    const { update, record } = await stored(full);
    const { body } = await update(Object.fromEntries(Object.keys(full).map((name) => [name, null])));
    expect(body).toEqual({
      ...record,
      short_name: '',
      city: '',
      venue_id: null,
      latitude: null,
      wa_rankings_category_id: null,
      age_groups: null,
      organiser_id: null,
      website: null,
      finish_date: '2026-06-13',
    });
    expect((await update({ website: '', latitude: '' })).body).toEqual(body);
  });

  test('keeps and merges fields beyond the published ones', async () => {
    const { update } = await stored({ type: 'TRACK', is_demo: true });
    expect((await update({ is_demo: false })).body).toMatchObject({ type: 'TRACK', is_demo: false });
  });

  test('the own id and year may be sent along', async () => {
    const { record, update } = await stored();
    expect((await update({ id: record.id.toUpperCase(), year: '2026', city: 'X' })).status).toBe(200);
  });

  test('renaming into the name of another competition is no duplicate: only creating is checked', async () => {
    const { record } = await stored();
    const { update } = await stored();
    expect((await update({ full_name: record.full_name })).status).toBe(200);
  });

  test('moves updated_at and takes a new revision', async () => {
    const { record, update } = await stored();
    const read = async () => (await api.get(`${site(record)}/json/`)).body.revision as number;
    const before = await read();
    await update({ city: 'Elsewhere' });
    expect(await read()).toBeGreaterThan(before);
  });

  test('of what is stored already writes no row', async () => {
    const extra = { type: 'TRACK', series: [{ id: 1 }] };
    const { record, update } = await stored({ ...extra, latitude: 1.5, website: 'https://example.org' });
    const before = await snapshot(api.db);
    for (const same of [
      {},
      record,
      { city: '' },
      { latitude: '1.50', series: [{ id: 1 }] },
      { events: [] },
    ]) {
      const { status, body } = await update(same);
      expect(status).toBe(200);
      expect(body).toEqual(record);
    }
    expect(await snapshot(api.db)).toEqual(before);
  });
});

describe('refused updates', () => {
  test.for<[string, unknown]>([
    ['full_name', null],
    ['full_name', ' '],
    ['country_id', null],
    ['country_id', 'ZZZ'],
    ['date', null],
    ['date', '2026-13-01'],
    ['finish_date', '2026-06-12'],
    ['year', 2027],
    ['id', '6f1f0a5e-4a55-4b7e-8f6b-000000000000'],
    ['slug', 'json'],
    ['slug', 'csv'],
    ['slug', 'ics'],
    ['latitude', 91],
    ['website', 'ftp://example.org'],
  ])('%s %j is a 422 that names it, and changes nothing', async ([field, value]) => {
    const { record, path, update } = await stored();
    const { status, body } = await update({ [field]: value, city: 'Changed' });
    expect(status).toBe(422);
    expect(paths(body)).toContain(`body.${field}`);
    expect((await admin.get(path)).body).toEqual(record);
  });

  test('a date after the stored finish date is one', async () => {
    const { update } = await stored({ finish_date: '2026-06-14' });
    expect(paths((await update({ date: '2026-06-15' })).body)).toEqual(['body.date']);
    expect((await update({ date: '2026-06-15', finish_date: '2026-06-16' })).status).toBe(200);
  });

  test('a taken slug is a 409 that names a free one', async () => {
    const { record } = await stored();
    const { update } = await stored();
    const { status, body } = await update({ slug: record.slug });
    expect(status).toBe(409);
    expect(body.detail).toContain(`${record.slug}-2 is free`);
  });

  test('so is a slug that is taken in the country or the year moved to', async () => {
    const { record } = await stored({ country_id: 'FRA', slug: 'grand-prix' });
    const { update } = await stored({ slug: 'grand-prix' });
    expect((await update({ country_id: record.country_id })).status).toBe(409);
    await stored({ slug: 'grand-prix', date: '2027-01-01' });
    expect((await update({ date: '2027-05-01', finish_date: null })).status).toBe(409);
  });
});

describe('a competition that moves', () => {
  test.for<[string, Record<string, unknown>]>([
    ['slug', { slug: 'moved-slug' }],
    ['country', { country_id: 'FRA' }],
    ['year', { date: '2027-06-13', finish_date: '2027-06-13' }],
  ])('to another %s leaves a redirect that keeps locale, rest and query', async ([, change]) => {
    const { record, update } = await stored();
    const moved = (await update(change)).body;
    expect(site(moved)).not.toBe(site(record));
    for (const [asked, answered] of [
      [`${site(record)}/json/`, `${site(moved)}/json/`],
      [`/en-gb${site(record)}/json?nocache=1`, `/en-gb${site(moved)}/json?nocache=1`],
      [`/no${site(record)}/event/E%2F1/1/2/json/`, `/no${site(moved)}/event/E%2F1/1/2/json/`],
    ] as const) {
      const { status, headers } = await api.get(asked);
      expect(status).toBe(308);
      expect(headers['location']).toBe(answered);
    }
    expect((await api.get(`${site(moved)}/json/`)).status).toBe(200);
  });

  test('twice redirects from both addresses, and back again from the one in between', async () => {
    const { record, update } = await stored();
    const there = (await update({ slug: 'place-two' })).body;
    const third = (await update({ slug: 'place-three' })).body;
    for (const old of [record, there]) {
      expect((await api.get(`${site(old)}/json/`)).headers['location']).toBe(`${site(third)}/json/`);
    }
    await update({ slug: record.slug });
    expect((await api.get(`${site(record)}/json/`)).status).toBe(200);
    expect((await api.get(`${site(third)}/json/`)).headers['location']).toBe(`${site(record)}/json/`);
  });

  test('keeps its old address from all others, and may go back to it', async () => {
    const { record, path, update } = await stored();
    const moved = (await update({ slug: `${record.slug}-moved` })).body;
    const taken = await admin.post('/api/v1/competitions/', competition({ slug: record.slug }));
    expect([taken.status, taken.body.detail]).toEqual([
      409,
      expect.stringContaining(`${record.slug}-2 is free`),
    ]);
    const other = await stored();
    expect((await other.update({ slug: record.slug })).status).toBe(409);
    const abroad = await stored({ slug: record.slug, country_id: 'FRA' });
    expect((await abroad.update({ country_id: 'GBR' })).status).toBe(409);
    const tested = await admin.post('/api/v1/competitions/test', competition({ slug: record.slug }));
    expect(tested.body.warnings).toContainEqual(expect.objectContaining({ type: 'taken' }));
    expect((await api.get(`${site(record)}/json/`)).headers['location']).toBe(`${site(moved)}/json/`);
    expect((await update({ slug: record.slug })).status).toBe(200);
    expect((await admin.get(path)).body.slug).toBe(record.slug);
    expect((await other.update({ slug: moved.slug })).status).toBe(409);
  });

  test('keeps it also from the same payload with an override token, which gets the next one', async () => {
    const payload = competition();
    const { body: first } = await admin.post('/api/v1/competitions/', payload);
    await admin.post(`/api/v1/competitions/${first.id}`, { slug: `${first.slug}-moved` });
    const sent = { ...payload, slug: first.slug };
    const { detail } = (await admin.post('/api/v1/competitions/', sent)).body;
    const again = await admin.post('/api/v1/competitions/', {
      ...sent,
      override_token: detail.override_token,
    });
    expect(again).toMatchObject({ status: 201, body: { slug: `${first.slug}-2` } });
    expect((await api.get(`${site(first)}/json/`)).status).toBe(308);
  });

  test('asked for in an absolute or escaped spelling redirects to this host alone', async () => {
    const { record, update } = await stored();
    const moved = (await update({ slug: `${record.slug}-gone` })).body;
    const here = `${site(moved)}/json/?a=1`;
    for (const asked of [
      `${site(record)}/json/?a=1`,
      `/%78${site(record).slice(2)}/%6ason/?a=1`,
      `//x/${site(record).slice(3)}//json/?a=1`,
      `/x/2026/gbr/${record.slug}/json/?a=1`,
    ]) {
      const { status, headers } = await api.get(asked);
      const location = String(headers['location']);
      expect([asked, status]).toEqual([asked, 308]);
      expect([here, `${site(record)}/json/?a=1`]).toContain(location);
    }
  });

  test('stops redirecting when it is deleted', async () => {
    const { record, path, update } = await stored();
    await update({ slug: 'soon-gone' });
    await admin.delete(path);
    expect((await api.get(`${site(record)}/json/`)).status).toBe(404);
  });

  test('needs the rights in both countries', async () => {
    const { record, path } = await stored();
    const frenchOnly = await api.as('ADMIN_FRA');
    const britishOnly = await api.as('ADMIN_GBR');
    const both = await api.as('ADMIN_FRA', 'ADMIN_GBR');
    const move = { country_id: 'FRA' };
    expect((await frenchOnly.post(path, move)).status).toBe(403);
    expect((await britishOnly.post(path, move)).status).toBe(403);
    expect((await admin.get(path)).body).toEqual(record);
    expect((await both.post(path, move)).body.country_id).toBe('FRA');
  });

  test('a director needs the right of the new country only', async () => {
    const { path } = await stored();
    const director = await api.as('ADMIN_DEU');
    await admin.patch(`${path}/settings`, { directors: [director.email] });
    expect((await director.post(path, { country_id: 'FRA' })).status).toBe(403);
    expect((await director.post(path, { country_id: 'GER' })).body.country_id).toBe('DEU');
  });

  test('the present country in another spelling is no move', async () => {
    const { path } = await stored({ country_id: 'DEU' });
    const german = await api.as('ADMIN_DEU');
    expect((await german.post(path, { country_id: 'ger' })).status).toBe(200);
  });
});
