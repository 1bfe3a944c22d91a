import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { CompetitorDocument } from '../../src/site/documents/competitor.ts';
import { EventDocument } from '../../src/site/documents/event.ts';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR', 'ADMIN_DEU', 'ADMIN_ENG', 'ADMIN_MLT', 'ADMIN_XKX');
afterAll(api.close);

const MEETING = {
  competitors: [
    { competitor_id: '1', first_name: 'Ana', last_name: 'Bo', team_id: 'T', date_of_birth: '2001-02-03' },
    { competitor_id: '12', first_name: 'Cem', last_name: 'Dal' },
  ],
  teams: [{ team_id: 'T', team_name: 'Town' }],
  relay_teams: [
    { relay_team_id: 'TA', event_id: 'R', name: 'Town A', runners: ['12', '1'] },
    { relay_team_id: '1', event_id: 'R', name: 'Town B', runners: ['12'] },
  ],
  events: [
    {
      event_id: 'E',
      event_code: 'LJ',
      name: 'Long jump',
      units: [
        { round: 1, heat: 1, results: [{ bib: '1', place: 1, performance: '6.00', raw_time: 1 }] },
        { round: 1, heat: 2, results: [{ bib: '12', place: 1, performance: '5.00' }] },
        { round: 2, heat: 1, results: [{ bib: '12' }, { bib: '1', place: 1, performance: '6.10' }] },
      ],
    },
    {
      event_id: 'R',
      event_code: '4x100',
      units: [{ round: 1, heat: 1, results: [{ bib: 'TA', place: 1, performance: '44.44' }, { bib: '1' }] }],
    },
  ],
};

async function world(fields: Record<string, unknown> = {}) {
  const uploads = await uploadsInto(admin, fields);
  await uploads.store(MEETING);
  return uploads;
}

const listed = async (path: string) =>
  (await api.get(path)).body.map((record: { full_name: string }) => record.full_name);

const both = async () => [await listed('/x/2032/json/'), await listed('/x/2032/MLT/json/')];

const read = (url: string, headers: Record<string, string> = {}) => api.app.inject({ url, headers });

describe('further pages of a competition', () => {
  test('an event is what it is in the whole competition', async () => {
    const { page, document } = await world();
    const [jump] = (await document()).events;
    const { status, body } = await api.get(`${page}/event/E/json/`);
    expect(status).toBe(200);
    expect(body).toStrictEqual(jump);
    expect(EventDocument.safeParse(body).error).toBeUndefined();
  });

  test('a round is its event with the units of that round', async () => {
    const { page, document } = await world();
    const [jump] = (await document()).events;
    for (const [round, heats] of [
      [1, [0, 1]],
      [2, [2]],
    ] as const) {
      const { body } = await api.get(`${page}/event/E/${round}/json`);
      expect(body).toStrictEqual({ ...jump, units: heats.map((index) => jump.units[index]) });
    }
  });

  test('a competitor comes with the results of every unit, and of the relay teams they run in', async () => {
    const { page, document } = await world();
    const { competitors } = await document();
    const { body } = await api.get(`${page}/competitor/1/json/`);
    const { results, ...person } = body;
    expect(person).toStrictEqual(competitors[0]);
    expect(person).toMatchObject({ age: expect.any(Number) });
    expect(person).not.toHaveProperty('date_of_birth');
    expect(results).toMatchObject([
      {
        bib: '1',
        performance: '6.00',
        raw_time: 1,
        event_id: 'E',
        round_no: 1,
        heat_no: 1,
        team_name: 'Town',
      },
      { bib: '1', performance: '6.10', event_id: 'E', event_name: 'Long jump', heat_name: 'Final' },
      { bib: 'TA', performance: '44.44', event_id: 'R', event_code: '4x100', results_status: 'provisional' },
    ]);
    expect(results).toHaveLength(3);
    expect(CompetitorDocument.safeParse(body).error).toBeUndefined();
  });

  test('a unit that mentions a competitor elsewhere than in its results is not among theirs', async () => {
    const { page, store } = await world();
    const units = [
      { round: 1, heat: 3, results: null, trials: [{ bib: '12', round: 1 }] },
      { round: 1, heat: 4, results: [{ bib: '1', note: '12' }] },
    ];
    await store({ events: [{ event_id: 'E', units }] });
    expect((await api.get(`${page}/competitor/12/json/`)).body.results).toHaveLength(4);
  });

  test('ids with odd characters lead to their pages', async () => {
    const { page, store } = await world();
    const id = 'é "x"% 1';
    await store({
      competitors: [{ competitor_id: id }],
      events: [{ event_id: id, event_code: '100', units: [{ round: 1, heat: 1, results: [{ bib: id }] }] }],
    });
    const segment = encodeURIComponent(id);
    expect((await api.get(`${page}/event/${segment}/json/`)).body.event_id).toBe(id);
    expect((await api.get(`${page}/competitor/${segment}/json/`)).body.results).toMatchObject([{ bib: id }]);
  });

  test('what is not there is a 404', async () => {
    const { page } = await world();
    for (const path of [
      `${page}/event/none/json/`,
      `${page}/event/E/3/json/`,
      `${page}/event/E/0/json/`,
      `${page}/event/E/x/json/`,
      `${page}/competitor/none/json/`,
      `${page}-not/event/E/json/`,
      `${page}-not/competitor/1/json/`,
    ]) {
      const { status, body } = await api.get(path);
      expect({ path, status, body }).toEqual({ path, status: 404, body: { detail: expect.any(String) } });
    }
  });

  test('they follow every change, and vanish with what they show', async () => {
    const { path, page, store } = await world();
    const results = async () => (await api.get(`${page}/competitor/12/json/`)).body.results.length;
    expect(await results()).toBe(4);
    await store({ events: [{ event_id: 'E', units: [{ round: 2, heat: 1, results: [] }] }] });
    expect(await results()).toBe(3);
    expect((await api.get(`${page}/event/E/2/json/`)).body.units[0].results).toEqual([]);
    await admin.delete(`${path}/competitors/12`);
    expect((await api.get(`${page}/competitor/12/json/`)).status).toBe(404);
    await admin.delete(`${path}/events/E`);
    expect((await api.get(`${page}/event/E/json/`)).status).toBe(404);
  });

  test('at a former address they redirect, query and all', async () => {
    const { page, store } = await world();
    const slug = `moved-${page.split('/').at(-1)}`;
    await store({ slug });
    const { status, headers } = await api.get(`/en${page}/event/E/1/json/?case=camel`);
    expect([status, headers['location']]).toEqual([
      308,
      `/en${page.replace(/[^/]+$/, slug)}/event/E/1/json/?case=camel`,
    ]);
  });
});

describe('calendars', () => {
  test('of a year and of a country in it hold the records of the list, by date then name', async () => {
    const late = await uploadsInto(admin, { full_name: 'Late', date: '2031-06-02', country_id: 'MLT' });
    const early = await uploadsInto(admin, { full_name: 'Early', date: '2031-06-01', country_id: 'DEU' });
    await uploadsInto(admin, { full_name: 'Another', date: '2031-06-02', country_id: 'MLT' });
    expect(await listed('/x/2031/json/')).toEqual(['Early', 'Another', 'Late']);
    expect(await listed('/en-gb/x/2031/MLT/json')).toEqual(['Another', 'Late']);
    expect(await listed('/x/2031/FRA/json/')).toEqual([]);
    const { body } = await api.get('/x/2031/DEU/json/');
    expect(body).toStrictEqual([(await admin.get(early.path)).body]);
    expect(await listed('/x/2030/json/')).toEqual([]);
    expect((await admin.get(late.path)).body.year).toBe(2031);
  });

  test('follow what is created, renamed, moved and deleted', async () => {
    const first = await uploadsInto(admin, { full_name: 'A', date: '2032-01-01', country_id: 'MLT' });
    const second = await uploadsInto(admin, { full_name: 'B', date: '2032-01-01', country_id: 'MLT' });
    expect(await both()).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
    await first.store({ full_name: 'C' });
    expect(await both()).toEqual([
      ['B', 'C'],
      ['B', 'C'],
    ]);
    await second.store({ country_id: 'DEU' });
    expect(await both()).toEqual([['B', 'C'], ['C']]);
    await admin.delete(second.path);
    expect(await both()).toEqual([['C'], ['C']]);
    await first.store({ date: '2033-01-01', finish_date: '2033-01-01' });
    expect(await both()).toEqual([[], []]);
  });

  test('of GBR hold the home nations, whose own hold themselves', async () => {
    await uploadsInto(admin, { full_name: 'Isles', date: '2034-01-01', country_id: 'GBR' });
    await uploadsInto(admin, { full_name: 'Shires', date: '2034-01-01', country_id: 'ENG' });
    expect(await listed('/x/2034/GBR/json/')).toEqual(['Isles', 'Shires']);
    expect(await listed('/x/2034/ENG/json/')).toEqual(['Shires']);
  });

  test('of a country in another spelling redirect, what is no year or country is a 404', async () => {
    const { status, headers } = await api.get('/en/x/2031/ger/json/?case=camel');
    expect([status, headers['location']]).toEqual([308, '/en/x/2031/DEU/json/?case=camel']);
    for (const path of ['/x/20310/json/', '/x/year/json/', '/x/2031/ZZZ/json/', '/x/2031/D%2F/json/'])
      expect((await api.get(path)).status).toBe(404);
  });
});

describe('the older naming', () => {
  test('?case=camel respells every name of every document', async () => {
    const { page } = await world({ venue_id: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11' });
    const { body } = await api.get(`${page}/json/?case=camel`);
    expect(body).toMatchObject({
      fullName: expect.any(String),
      country: 'GBR',
      venue: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
      organiser: null,
      waRankingsCategoryId: null,
      competitors: [{ competitorId: '1', firstName: 'Ana', teamId: 'T' }, {}],
      relayTeams: [{ relayTeamId: 'TA' }, {}],
      events: [
        { eventId: 'E', units: [{ resultsStatus: 'provisional', results: [{ rawTime: 1 }] }, {}, {}] },
        {},
      ],
    });
    for (const path of [
      `${page}/json/`,
      `${page}/event/E/json/`,
      `${page}/event/E/1/json/`,
      `${page}/event/E/1/1/json/`,
      `${page}/competitor/1/json/`,
      '/x/2026/json/',
      '/x/2026/GBR/json/',
    ]) {
      const { status, text } = await api.get(`${path}?case=camel`);
      expect({ path, status, snake: text.match(/"[a-z]+_\w+":/g) }).toEqual({
        path,
        status: 200,
        snake: null,
      });
      expect((await api.get(`${path}?case=snake`)).text).toBe((await api.get(path)).text);
    }
  });

  test('may be the default of a service, and another name is refused', async () => {
    const { page } = await world();
    const config = { ...api.deps.config, DATA_SITE_CASE: 'camel' as const };
    const older = await buildApp({ ...api.deps, config }, { baseUrl: () => '', pushServer: null });
    expect((await older.inject(`${page}/event/E/1/1/json/`)).json()).toMatchObject({ eventId: 'E' });
    expect((await older.inject(`${page}/event/E/1/1/json/?case=snake`)).json()).toMatchObject({
      event_id: 'E',
    });
    expect((await older.inject(`${page}/event/E/1/1/json/?case=`)).json()).toMatchObject({ eventId: 'E' });
    await older.close();
    const { status, body } = await api.get(`${page}/json/?case=kebab`);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['query', 'case'] }]);
  });
});

describe('encodings', () => {
  const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync };

  test.for([
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
  ] as const)('Accept-Encoding: %s is answered in %s, with the same text', async ([accepted, encoding]) => {
    const { page } = await world();
    const plain = await read(`${page}/json/`);
    const packed = await read(`${page}/json/`, { 'accept-encoding': accepted });
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(packed.rawPayload.length),
      vary: 'Accept-Encoding',
    });
    expect(DECODERS[encoding](packed.rawPayload).toString()).toBe(plain.body);
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  });

  test.for(['identity', 'deflate', 'gzip;q=0', '', ';;,', 'zstd'])(
    '"%s" gets the text as it is',
    async (accepted) => {
      const { page } = await world();
      const { headers, body } = await read(`${page}/json/`, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
      expect(JSON.parse(body)).toMatchObject({ events: [{}, {}] });
    },
  );

  test('each has a tag of its own that answers with 304', async () => {
    const { page } = await world();
    const tags = new Set<string>();
    for (const accepted of ['identity', 'gzip', 'br']) {
      const { headers } = await read(`${page}/json/`, { 'accept-encoding': accepted });
      const etag = String(headers['etag']);
      tags.add(etag);
      const again = await read(`${page}/json/`, { 'accept-encoding': accepted, 'if-none-match': etag });
      expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    }
    expect(tags.size).toBe(3);
  });

  test('a short text is sent as it is', async () => {
    const { headers } = await read('/x/1999/json/', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe('2');
  });
});

describe('several replicas', () => {
  test('a write through one is seen by the next read through another, of every document', async () => {
    const { page, store } = await world();
    const other = await buildApp(api.deps, { baseUrl: () => '', pushServer: null });
    for (const status of ['one', 'two', 'three']) {
      await store({ events: [{ event_id: 'E', units: [{ round: 2, heat: 1, status }] }] });
      const [unit, round, event, whole] = await Promise.all(
        ['/event/E/2/1', '/event/E/2', '/event/E', ''].map(async (rest) =>
          (await other.inject(`${page}${rest}/json/`)).json(),
        ),
      );
      expect(
        [unit, round.units[0], event.units[2], whole.events[0].units[2]].map((one) => one.status),
      ).toEqual(Array.from({ length: 4 }, () => status));
    }
    await other.close();
  });

  test('without memory for documents everything is read anew, and right', async () => {
    const { page, store } = await world();
    const config = { ...api.deps.config, CACHE_MB: 0 };
    const forgetful = await buildApp({ ...api.deps, config }, { baseUrl: () => '', pushServer: null });
    for (const city of ['Here', 'There']) {
      await store({ city });
      const answers = await Promise.all([1, 2, 3].map(() => forgetful.inject(`${page}/json/`)));
      expect(answers.map((answer) => answer.json().city)).toEqual([city, city, city]);
    }
    await forgetful.close();
  });
});
