import { afterAll, describe, expect, test } from 'vitest';
import { UnitRecord } from '../../src/units/answer-schemas.ts';
import { CompetitionDocument } from '../../src/site/documents/whole-competition.ts';
import { buildApp } from '../../src/app.ts';
import { clientOf, startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR', 'ADMIN_DEU', 'ADMIN_XKX');
afterAll(api.close);

const MEETING = {
  competitors: [{ competitor_id: '1', first_name: 'Ana', last_name: 'Bo', team_id: 'T' }],
  teams: [{ team_id: 'T', team_name: 'Town' }],
  relay_teams: [{ relay_team_id: 'TA', event_id: 'R', name: 'Town A', runners: ['1'] }],
  events: [
    {
      event_id: 'E',
      event_code: 'LJ',
      name: 'Long jump',
      units: [
        {
          round: 1,
          heat: 1,
          results: [{ bib: '1', place: 1, performance: '6.00' }],
          trials: [{ bib: '1', round: 1, result: '6.00' }],
        },
        { round: 1, heat: 2 },
      ],
    },
    { event_id: 'R', event_code: '4x100', rounds: '1' },
  ],
};

async function world(fields: Record<string, unknown> = {}) {
  const uploads = await uploadsInto(admin, fields);
  await uploads.store(MEETING);
  return { ...uploads, whole: `${uploads.page}/json/`, single: `${uploads.page}/event/E/1/1/json/` };
}

describe('the whole competition', () => {
  test('is the record with its channels, sections, events and units', async () => {
    const { path, page, whole, unit } = await world({ city: 'Harbour Town', type: 'TRACK' });
    const { events: _null, ...record } = (await admin.get(path)).body;
    const { status, body } = await api.get(whole);
    const root = page.slice(1).replaceAll('/', '-');
    const [jump, relay] = MEETING.events;
    const { units: _units, ...jumpFields } = jump!;
    const units = { E: [await unit('E'), await unit('E', 1, 2)], R: [await unit('R')] };
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ...record,
      channels: { overview: `${root}-overview` },
      revision: Math.max(
        ...[...units.E, ...units.R].map(({ revision }) => revision as number),
        body.revision,
      ),
      competitors: MEETING.competitors,
      teams: MEETING.teams,
      relay_teams: MEETING.relay_teams,
      events: [
        { ...jumpFields, lynx_event_no: 1, units: units.E },
        { ...relay, lynx_event_no: 2, units: units.R },
      ],
    });
    expect(CompetitionDocument.safeParse(body).error).toBeUndefined();
  });

  test('of a competition with nothing in it has empty lists', async () => {
    const { document } = await uploadsInto(admin);
    const body = await document();
    expect(body).toMatchObject({ competitors: [], teams: [], relay_teams: [], events: [] });
    expect(CompetitionDocument.safeParse(body).error).toBeUndefined();
  });

  test('has a new revision after every change, of the record or of what is in it', async () => {
    const { store, document } = await world();
    const revisions: number[] = [];
    for (const change of [
      {},
      { city: 'New Town' },
      { competitors: [{ competitor_id: '1', gender: 'F' }] },
      { teams: [{ team_id: 'V' }] },
      { events: [{ event_id: 'E', day: 2, units: [] }] },
      { events: [{ event_id: 'E', units: [{ round: 1, heat: 2, status: 'finished' }] }] },
    ]) {
      await store(change);
      revisions.push((await document()).revision);
    }
    expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
  });
});

describe('a unit', () => {
  test('is byte for byte what was last pushed', async () => {
    const uploads = await uploadsInto(admin, { push: true });
    const pushed = outboxReader(api.db);
    await uploads.store(MEETING);
    await uploads.store({
      events: [{ event_id: 'E', units: [{ round: 1, heat: 1, status: 'finished', odd: 'ü 👟' }] }],
    });
    const last = (await pushed()).findLast(({ channel }) => channel.endsWith('-overview-E-1-1'));
    const { text, body } = await api.get(`${uploads.page}/event/E/1/1/json/`);
    expect(text).toBe(last!.text);
    expect(UnitRecord.safeParse(body).error).toBeUndefined();
    expect((await uploads.document()).events[0].units[0]).toEqual(body);
  });
});

describe('the address', () => {
  test('works with and without locale and last slash, with double slashes and any query', async () => {
    const { whole, single, page } = await world();
    for (const path of [whole, single]) {
      const { text } = await api.get(path);
      const variants = [
        path.slice(0, -1),
        `/en${path}`,
        `/en-gb${path}`,
        `/nb_NO${path.slice(0, -1)}`,
        `/zh-hant-tw${path}`,
        path.replaceAll('/', '//'),
        `${path}?nocache=1&_=2`,
        `${path}?json=1#x`,
        path.replace(page, page.replace('x/2026', 'x//2026')),
      ];
      for (const variant of variants) {
        expect(await api.get(variant)).toMatchObject({ status: 200, text });
      }
    }
  });

  test.for([
    ['DEU', 'GER'],
    ['DEU', 'deu'],
    ['XKX', 'kos'],
  ])('%s spelled %s redirects to the canonical one', async ([country_id, spelled]) => {
    const { whole, single, page } = await world({ country_id });
    for (const path of [whole, `/en-gb${single}?a=b`]) {
      const { status, headers } = await api.get(path.replace(`/${country_id}/`, `/${spelled}/`));
      expect(status).toBe(308);
      expect(headers['location']).toBe(path);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    const shouting = page.replace('test-meeting', 'TEST-Meeting');
    expect((await api.get(`${shouting}/json/`)).headers['location']).toBe(whole);
  });

  test('of nothing is a 404 in JSON, in every segment', async () => {
    const { page } = await world();
    const [, , year, country, slug] = page.split('/');
    for (const path of [
      `/x/${year}/${country}/${slug}-not/json/`,
      `/x/1999/${country}/${slug}/json/`,
      `/x/${year}/FRA/${slug}/json/`,
      `/x/${year}/ZZZ/${slug}/json/`,
      `/x/${year}0/${country}/${slug}/json/`,
      `/x/2026a/${country}/${slug}/json/`,
      `/x/${year}/${country}/${slug}%20/json/`,
      `/x/${year}/${country}/..%2F/json/`,
      `/x/${year}/${country}/${slug}/event/none/1/1/json/`,
      `/x/${year}/${country}/${slug}-not/event/E/1/1/json/`,
      `/ENGLISH${page}/json/`,
      `/en/us${page}/json/`,
    ]) {
      const { status, body } = await api.get(path);
      expect({ path, status, body }).toEqual({ path, status: 404, body: { detail: expect.any(String) } });
    }
  });
});

describe('caching', () => {
  test('every reader revalidates, and may be any page', async () => {
    const { whole, single } = await world();
    for (const path of [whole, single]) {
      const { headers } = await api.get(path, { origin: 'https://anywhere.example' });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, no-cache',
        'access-control-allow-origin': '*',
        etag: expect.stringMatching(/^"[^"]+"$/),
        vary: expect.stringMatching(/accept-encoding/i),
      });
    }
  });

  test('and with EDGE_CACHE_SECONDS a shared cache may answer for that long, with what there is', async () => {
    const { whole, single } = await world();
    const config = { ...api.deps.config, EDGE_CACHE_SECONDS: 5 };
    const app = await buildApp(
      { ...api.deps, config },
      { baseUrl: () => 'http://data.test', pushServer: null },
    );
    const client = clientOf(app);
    for (const path of [whole, single, '/x/2026/json/']) {
      const { headers } = await client.get(path);
      const kept = { 'cache-control': 'public, max-age=0, s-maxage=5, stale-while-revalidate=5' };
      expect(headers).toMatchObject({ ...kept, vary: 'Accept-Encoding', etag: expect.any(String) });
      const again = await client.get(path, { 'if-none-match': String(headers['etag']) });
      expect(again).toMatchObject({ status: 304, headers: { ...kept, etag: headers['etag'] } });
    }
    const nowhere = await client.get(single.replace('/1/1/', '/9/9/'));
    expect(nowhere.status).toBe(404);
    expect(nowhere.headers).not.toHaveProperty('cache-control');
    expect((await client.get('/api/v1/push')).body).toMatchObject({ edge_cache_seconds: 5 });
    expect((await client.get('/api/v1/push')).headers['cache-control']).toBe('no-store');
    await app.close();
  });

  test.for<[string, (etag: string) => string, number]>([
    ['the same tag', (etag) => etag, 304],
    ['a weak tag', (etag) => `W/${etag}`, 304],
    ['a list', (etag) => `"a", W/"b" ,${etag}`, 304],
    ['a star', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['a tag without quotes', (etag) => etag.slice(1, -1), 200],
    ['nothing', () => '', 200],
  ])('If-None-Match with %s', async ([, header, expected]) => {
    const { whole, single } = await world();
    for (const path of [whole, single]) {
      const first = await api.get(path);
      const etag = String(first.headers['etag']);
      const { status, text, headers } = await api.get(path, { 'if-none-match': header(etag) });
      expect(status).toBe(expected);
      expect(text).toBe(expected === 304 ? '' : first.text);
      expect(headers).toMatchObject({
        etag,
        'cache-control': 'public, no-cache',
        'access-control-allow-origin': '*',
      });
    }
  });

  test('the tag changes with the content, and only then', async () => {
    const { whole, single, store } = await world();
    const tags = async () => [
      (await api.get(whole)).headers['etag'],
      (await api.get(single)).headers['etag'],
    ];
    const before = await tags();
    await store(MEETING);
    expect(await tags()).toEqual(before);
    await store({ city: 'Changed' });
    const [competition, unit] = await tags();
    expect(competition).not.toBe(before[0]);
    expect(unit).toBe(before[1]);
  });

  test('a write is seen by the next read', async () => {
    const { single, store } = await world();
    for (const status of ['one', 'two', 'three']) {
      await store({ events: [{ event_id: 'E', units: [{ round: 1, heat: 1, status }] }] });
      expect((await api.get(single)).body.status).toBe(status);
    }
  });
});

test('HEAD answers as GET does, without the body', async () => {
  const { whole } = await world();
  const get = await api.get(whole);
  const head = await api.request({ method: 'HEAD', url: whole });
  expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', get.headers['etag']]);
});
