import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const create = (overrides: Record<string, unknown> = {}) =>
  admin.post('/api/v1/competitions/', competition(overrides));
const paths = (body: { detail: { loc: unknown[] }[] }) => body.detail.map(({ loc }) => loc.join('.'));

describe('the record of a new competition', () => {
  test('has every published field, in the published types, also when only the required three are sent', async () => {
    const sent = { full_name: 'Bare Meeting', country_id: 'GBR', date: '2026-06-13' };
    const answer = await admin.post('/api/v1/competitions/', sent);
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      full_name: 'Bare Meeting',
      short_name: '',
      slug: 'bare-meeting',
      name_local: '',
      country_id: 'GBR',
      address: '',
      city: '',
      venue_id: null,
      latitude: null,
      longitude: null,
      altitude: null,
      date: '2026-06-13',
      finish_date: '2026-06-13',
      year: 2026,
      wa_rankings_category_id: null,
      age_groups: null,
      national_id: '',
      basic_description: '',
      contact_details: '',
      organiser_id: null,
      website: null,
      entry_link: null,
      results_link: null,
      override_token: null,
      events: null,
    });
  });

  test('is what a read and the list answer', async () => {
    const { body, headers } = await create({ city: 'Harbour Town', wa_rankings_category_id: 4 });
    expect(headers['location']).toBe(`/api/v1/competitions/${body.id}`);
    expect((await admin.get(String(headers['location']))).body).toEqual(body);
    expect((await admin.get('/api/v1/competitions/')).body).toContainEqual(body);
  });

  test('keeps every published field as it was sent', async () => {
    const sent = competition({
      short_name: 'Open',
      name_local: 'Åpent stevne',
      address: '1 Quay Street',
      city: 'Harbour Town',
      venue_id: randomUUID(),
      latitude: 51.5,
      longitude: -0.12,
      altitude: 12,
      finish_date: '2026-06-14',
      wa_rankings_category_id: 2,
      age_groups: ['U20', 'SEN'],
      national_id: 'N-1',
      basic_description: 'A meeting.\nWith lines.',
      contact_details: 'office@example.org',
      organiser_id: randomUUID(),
      website: 'https://example.org/',
      entry_link: 'http://example.org/enter',
      results_link: 'https://example.org/results?year=2026',
      id: randomUUID(),
      year: 2026,
    });
    const { status, body } = await admin.post('/api/v1/competitions/', sent);
    expect(status).toBe(201);
    expect(body).toEqual({ ...sent, override_token: null, events: null });
  });

  test('comes back with fields beyond the published ones', async () => {
    const extra = { type: 'INDOOR', series: [{ series_id: 7, series_name: 'Winter' }], is_demo: false };
    const { body } = await create(extra);
    expect(body).toMatchObject(extra);
    expect((await admin.get(`/api/v1/competitions/${body.id}`)).body).toMatchObject(extra);
  });

  test('makes its creator a director', async () => {
    const { body } = await create();
    expect((await admin.get(`/api/v1/competitions/${body.id}/settings`)).body).toEqual({
      push_notifications: false,
      directors: [admin.email],
    });
  });

  test('ignores what the service computes', async () => {
    const { status, body } = await create({
      channels: { overview: 'mine' },
      revision: 99,
      updated_at: 'now',
    });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('channels');
    expect(body).not.toHaveProperty('revision');
  });
});

describe('liberal reading', () => {
  test.for<[string, unknown, unknown]>([
    ['latitude', '51.5', 51.5],
    ['longitude', ' -0.12 ', -0.12],
    ['altitude', '1200.14', 1200.14],
    ['altitude', '', null],
    ['national_id', 4711, '4711'],
    ['year', '2026', 2026],
    ['age_groups', 'U20, SEN,', ['U20', 'SEN']],
    ['age_groups', '', null],
    ['age_groups', ['ALL'], ['ALL']],
    ['wa_rankings_category_id', 11, 11],
    ['wa_rankings_category_id', '3', 3],
    ['wa_rankings_category_id', 'DF', 2],
    ['wa_rankings_category_id', ' a ', 5],
    ['wa_rankings_category_id', '', null],
    ['website', '', null],
    ['venue_id', '', null],
    ['city', null, ''],
    ['slug', 'High_Early-Open', 'high_early-open'],
    ['finish_date', '', '2026-06-13'],
    ['finish_date', null, '2026-06-13'],
    ['events', [], null],
    ['override_token', 'of something else', null],
  ])('%s %j becomes %j', async ([field, sent, stored]) => {
    const { status, body } = await create({ [field]: sent });
    expect(status).toBe(201);
    expect(body[field]).toEqual(stored);
  });

  test('an id is honoured, in lower case', async () => {
    const id = randomUUID();
    expect((await create({ id: id.toUpperCase() })).body.id).toBe(id);
  });
});

const dayIn = (slug = '') => slug.slice(-10).match(/\d{4}-\d\d-\d\d/)?.[0] ?? '2026-06-13';

describe('the slug of a competition sent without one', () => {
  test.for([
    ['Göteborg Open – Åpent!', 'goeteborg-open-apent'],
    ['Мемориал Знаменских', 'memorial-znamenskikh'],
    ['  Dual   Meet  ', 'dual-meet'],
    ['JSON', 'competition-2026-06-13'],
    ['!!!', 'competition-2026-06-14'],
  ])('%s is found at %s', async ([full_name, slug]) => {
    const { status, body } = await create({ full_name, slug: null, date: dayIn(slug) });
    expect(status).toBe(201);
    expect(body.slug).toBe(slug);
  });

  test('is at most 80 characters long', async () => {
    const { body } = await create({ full_name: 'Championship '.repeat(15), slug: '' });
    expect(body.slug).toMatch(/^championship(-championship)*[a-z-]*$/);
    expect(body.slug.length).toBeLessThanOrEqual(80);
  });
});

describe('countries', () => {
  const world = ['ADMIN_DEU', 'ADMIN_XKX', 'ADMIN_CHE', 'ADMIN_GBR', 'ADMIN_BRN'];

  test.for([
    ['GER', 'DEU'],
    ['deu', 'DEU'],
    [' sui ', 'CHE'],
    ['sco', 'SCO'],
    ['WAL', 'WAL'],
    ['KOS', 'XKX'],
    ['XKX', 'XKX'],
    ['BRN', 'BRN'],
  ])('%s is stored as %s', async ([country_id, iso]) => {
    const anywhere = await api.as(...world);
    const { status, body } = await anywhere.post('/api/v1/competitions/', competition({ country_id }));
    expect(status).toBe(201);
    expect(body.country_id).toBe(iso);
  });

  test.for(['XXX', 'UK', '', 'ΓΒΡ', 'gbrr'])('%j is no country', async (country_id) => {
    const { status, body } = await create({ country_id });
    expect(status).toBe(422);
    expect(paths(body)).toEqual(['body.country_id']);
  });
});

describe('refusals', () => {
  test.for(['full_name', 'country_id', 'date'])('%s is required', async (field) => {
    const { [field]: _left, ...rest } = competition() as Record<string, unknown>;
    const { status, body } = await admin.post('/api/v1/competitions/', rest);
    expect(status).toBe(422);
    expect(body.detail).toEqual([{ loc: ['body', field], msg: 'Field required', type: 'missing' }]);
  });

  test.for<[string, unknown]>([
    ['full_name', '   '],
    ['full_name', null],
    ['date', '2026-02-30'],
    ['date', '13.06.2026'],
    ['date', '2026-06-13T10:00:00Z'],
    ['date', null],
    ['finish_date', '2026-06-12'],
    ['finish_date', '2026-06-31'],
    ['year', 2025],
    ['year', '2025'],
    ['slug', 'json'],
    ['slug', 'CSV'],
    ['slug', 'ics'],
    ['slug', 'JSON'],
    ['slug', 'has space'],
    ['slug', '-dash'],
    ['slug', 'a/b'],
    ['slug', 'a'.repeat(81)],
    ['latitude', 90.1],
    ['latitude', 'north'],
    ['longitude', -181],
    ['venue_id', 'the stadium'],
    ['organiser_id', 12],
    ['id', 'not-a-uuid'],
    ['wa_rankings_category_id', 0],
    ['wa_rankings_category_id', 12],
    ['wa_rankings_category_id', 'ZZ'],
    ['wa_rankings_category_id', 1.5],
    ['website', 'javascript:alert(1)'],
    ['entry_link', 'data:text/html,hello'],
    ['results_link', 'www.example.org'],
    ['age_groups', [1, { group: 'U20' }]],
    ['competitors', { competitor_id: '1' }],
  ])('%s %j is a 422 that names it', async ([field, value]) => {
    const { status, body } = await create({ [field]: value });
    expect(status).toBe(422);
    expect(paths(body).every((path) => path.startsWith(`body.${field}`))).toBe(true);
  });

  test('every fault is listed in one answer', async () => {
    const { status, body } = await admin.post('/api/v1/competitions/', {
      country_id: 'GBR',
      date: '2026-06-13',
      finish_date: '2026-06-01',
      year: 1999,
      latitude: 'x',
      events: [{ event_code: '100' }, { event_id: 'E', units: [{ round: 1, heat: 0 }] }],
    });
    expect(status).toBe(422);
    expect(paths(body).toSorted()).toEqual([
      'body.events.0.event_id',
      'body.events.1.units.0.heat',
      'body.finish_date',
      'body.full_name',
      'body.latitude',
      'body.year',
    ]);
  });

  test('a refused competition leaves nothing behind', async () => {
    const sent = competition({ competitors: [{ competitor_id: '1' }, { competitor_id: '1' }] });
    expect((await admin.post('/api/v1/competitions/', sent)).status).toBe(422);
    const list = await admin.get('/api/v1/competitions/');
    expect(list.body.map(({ slug }: { slug: string }) => slug)).not.toContain(sent.slug);
  });
});
