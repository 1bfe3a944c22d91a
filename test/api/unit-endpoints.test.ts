import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

let api: TestApp;
let admin: Client;
beforeAll(async () => {
  api = await startTestApp();
  admin = await api.as('ADMIN_GBR');
});
afterAll(() => api.close());

const heat = (overrides = {}) => ({
  events: [
    { event_id: 'T1', event_code: '100', name: '100 m', units: [{ round: 1, heat: 1, ...overrides }] },
  ],
});

async function track() {
  const world = await uploadsInto(admin, { push: true });
  await world.store({
    competitors: [{ competitor_id: '1', first_name: 'Ada', last_name: 'Berg', team_id: 'HTH' }],
    teams: [{ team_id: 'HTH', team_name: 'Harbour Town' }],
    ...heat({ results: [{ bib: '1', lane: 4 }] }),
  });
  return { ...world, path: `${world.path}/events/T1/units/1/1`, competition: world.path };
}

describe('reading a unit', () => {
  test('gives the bytes of the data site, with the revision as ETag', async () => {
    const { path, page } = await track();
    const answer = await admin.get(path);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await api.get(`${page}/event/T1/1/1/json/`)).text);
    expect(answer.headers['etag']).toBe(`"${answer.body.revision}"`);
  });

  test('needs a token, but no right', async () => {
    const { path } = await track();
    expect((await api.get(path)).status).toBe(401);
    expect((await (await api.as()).get(path)).status).toBe(200);
  });

  test.for(['2/1', '1/2', '0/1', '1/x', '1/1001'])('is a 404 for the unit %s', async (which) => {
    const { path } = await track();
    expect((await admin.get(path.replace('1/1', which))).status).toBe(404);
  });
});

describe('saving a unit', () => {
  test('replaces what was sent, keeps the rest, and pushes', async () => {
    const { path } = await track();
    const pushed = outboxReader(api.db);
    await pushed();
    const before = (await admin.get(path)).body;
    const saved = await admin.patch(path, {
      wind_assistance: '+0.4',
      results_status: 'official',
      results: [{ bib: '1', place: 1, performance: '11.82' }],
    });
    expect(saved).toMatchObject({
      status: 200,
      body: { wind_assistance: '+0.4', results_status: 'official' },
    });
    expect(saved.body.results).toEqual([
      { bib: '1', place: 1, performance: '11.82', athlete_name: 'Ada Berg', team_name: 'Harbour Town' },
    ]);
    expect(saved.body.revision).toBeGreaterThan(before.revision);
    expect(saved.headers['etag']).toBe(`"${saved.body.revision}"`);
    const events = await pushed();
    expect(events.map(({ event }) => event)).toEqual(['unit', 'results_arrived']);
    expect(events[0]!.text).toBe(saved.text);
  });

  test('with what is there already changes no revision and pushes nothing', async () => {
    const { path } = await track();
    const pushed = outboxReader(api.db);
    const first = await admin.patch(path, { results: [{ performance: '11.82', bib: '1' }] });
    await pushed();
    const second = await admin.patch(path, { results: [{ bib: '1', performance: '11.82' }] });
    expect(second.text).toBe(first.text);
    expect(await pushed()).toEqual([]);
  });

  test('sees the names of bibs that it brings in', async () => {
    const { path, store } = await track();
    await store({ competitors: [{ competitor_id: '2', first_name: 'Cleo', last_name: 'Dahl' }] });
    const { body } = await admin.patch(path, { results: [{ bib: '2' }] });
    expect(body.results).toEqual([{ bib: '2', athlete_name: 'Cleo Dahl' }]);
  });

  test('happens with the present revision in If-Match and is a 412 with the present one otherwise', async () => {
    const { path } = await track();
    const { revision } = (await admin.get(path)).body;
    const first = await admin.patch(path, { status: 'finished' }, { 'if-match': `"${revision}"` });
    expect(first.status).toBe(200);
    const stale = await admin.patch(path, { status: 'cancelled' }, { 'if-match': `"${revision}"` });
    expect(stale).toMatchObject({ status: 412, headers: { etag: first.headers['etag'] } });
    expect(stale.body.detail).toContain(String(first.body.revision));
    expect((await admin.get(path)).body.status).toBe('finished');
    expect((await admin.patch(path, { status: 'cancelled' }, { 'if-match': '*' })).status).toBe(200);
    expect((await admin.patch(path, { status: 'x' }, { 'if-match': 'nonsense' })).status).toBe(412);
  });

  test('does not create one: 404', async () => {
    const { path } = await track();
    expect((await admin.patch(path.replace('1/1', '1/2'), { status: 'finished' })).status).toBe(404);
  });

  test('is refused with every fault, before anything is stored', async () => {
    const { path } = await track();
    const before = (await admin.get(path)).text;
    const { status, body } = await admin.patch(path, { results_status: 'final', results: [{ place: 0 }] });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([
      'body.results_status',
      'body.results.0.bib',
      'body.results.0.place',
    ]);
    expect((await admin.get(path)).text).toBe(before);
  });

  test('is for the administrators of the country and the directors of the competition', async () => {
    const { path, competition } = await track();
    const director = await api.as();
    const other = await api.as('ADMIN_FRA');
    expect((await api.patch(path, { status: 'a' })).status).toBe(401);
    expect((await director.patch(path, { status: 'b' })).status).toBe(403);
    expect((await other.patch(path, { status: 'c' })).status).toBe(403);
    await admin.patch(`${competition}/settings`, { directors: [director.email] });
    expect((await director.patch(path, { status: 'd' })).status).toBe(200);
  });

  test('simultaneous saves of two units and an upload all arrive', async () => {
    const { path, competition, store } = await track();
    await store({ events: [{ event_id: 'T1', units: [{ round: 1, heat: 2 }] }] });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, n) => admin.patch(path, { [`a${n}`]: n })),
      ...Array.from({ length: 10 }, (_, n) => admin.patch(path.replace('1/1', '1/2'), { [`b${n}`]: n })),
      ...Array.from({ length: 3 }, (_, n) => admin.post(competition, heat({ [`c${n}`]: n }))),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(23).fill(200));
    const { body } = await admin.get(path);
    expect(body).toMatchObject({ a0: 0, a9: 9, c0: 0, c2: 2 });
  });
});

describe('deleting parts', () => {
  test.for([
    ['a competitor', '/competitors/1'],
    ['a team', '/teams/HTH'],
    ['an event', '/events/T1'],
    ['a unit', '/events/T1/units/1/1'],
  ])('%s is gone afterwards, and gone a second time is a 404', async ([, part]) => {
    const { competition } = await track();
    expect((await (await api.as()).delete(competition + part)).status).toBe(403);
    expect((await admin.delete(competition + part)).status).toBe(204);
    expect((await admin.delete(competition + part)).status).toBe(404);
  });

  test('a competitor or team leaves the results without their name, as a save', async () => {
    const { path, competition } = await track();
    const before = (await admin.get(path)).body;
    await admin.delete(`${competition}/teams/HTH`);
    const between = (await admin.get(path)).body;
    expect(between.results).toEqual([{ bib: '1', lane: 4, athlete_name: 'Ada Berg' }]);
    await admin.delete(`${competition}/competitors/1`);
    const after = (await admin.get(path)).body;
    expect(after.results).toEqual([{ bib: '1', lane: 4 }]);
    expect(before.revision).toBeLessThan(between.revision);
    expect(between.revision).toBeLessThan(after.revision);
  });

  test('a relay team is deleted within its event', async () => {
    const { competition, store, document } = await track();
    await store({ relay_teams: [{ relay_team_id: 'A', event_id: 'T1', name: 'First' }] });
    expect((await admin.delete(`${competition}/events/T2/relay_teams/A`)).status).toBe(404);
    expect((await admin.delete(`${competition}/events/T1/relay_teams/A`)).status).toBe(204);
    expect((await document()).relay_teams).toEqual([]);
  });

  test('a deleted unit made again has a higher revision than it ever had', async () => {
    const { path, competition, store } = await track();
    const before = (await admin.get(path)).body.revision;
    await admin.delete(path);
    await store(heat({ results: [{ bib: '1', lane: 4 }] }));
    expect((await admin.get(path)).body.revision).toBeGreaterThan(before);
    expect((await admin.get(`${competition}?include=events`)).body.events[0].units).toHaveLength(1);
  });
});

describe('reading with ?include=', () => {
  test('shows what was sent to those who may edit, and the public view to others', async () => {
    const { competition, store } = await track();
    await store({ competitors: [{ competitor_id: '1', date_of_birth: '2000-01-01', licence: 'L1' }] });
    const url = `${competition}?include=competitors,events`;
    const { competitors, events, teams } = (await admin.get(url)).body;
    expect(competitors).toEqual([
      expect.objectContaining({ competitor_id: '1', date_of_birth: '2000-01-01', licence: 'L1' }),
    ]);
    expect(events[0].units[0]).toMatchObject({ round: 1, heat: 1 });
    expect(teams).toBeUndefined();
    const { competitors: shown } = (await (await api.as()).get(url)).body;
    expect(shown[0]).toMatchObject({ competitor_id: '1', age: 26 });
    expect(JSON.stringify(shown)).not.toMatch(/2000-01-01|L1/);
  });

  test('names what can be included when asked for something else', async () => {
    const { competition } = await track();
    expect((await admin.get(`${competition}?include=units`)).status).toBe(422);
    expect((await admin.get(`${competition}?include=`)).body.events).toBeNull();
  });
});

describe('the list', () => {
  test('comes in pages, with the whole number in X-Total-Count', async () => {
    for (const date of ['2031-01-03', '2031-01-01', '2031-01-02']) await uploadsInto(admin, { date });
    const url = '/api/v1/competitions/?from_date=2031-01-01';
    const all = (await admin.get(url)).body;
    const page = await admin.get(`${url}&limit=1&offset=1`);
    expect(all.map(({ date }: { date: string }) => date)).toEqual(['2031-01-01', '2031-01-02', '2031-01-03']);
    expect(page.body).toEqual([all[1]]);
    expect(page.headers['x-total-count']).toBe('3');
    expect((await admin.get(`${url}&limit=0`)).status).toBe(422);
  });

  test('shows only records changed since a time; saving results does not change the record', async () => {
    const { id, path, store } = await uploadsInto(admin, { date: '2032-01-01' });
    api.clock.advance(60_000);
    const since = api.clock.now.toISOString();
    const changed = async () =>
      (await admin.get(`/api/v1/competitions/?from_date=2032-01-01&updated_since=${since}`)).body.map(
        (one: { id: string }) => one.id,
      );
    await store(heat());
    expect(await changed()).toEqual([]);
    await admin.post(path, { city: 'Elsewhere' });
    expect(await changed()).toEqual([id]);
    expect((await admin.get('/api/v1/competitions/?updated_since=yesterday')).status).toBe(422);
  });
});

test('a tester puts a unit back into in_progress and its results arrive again', async () => {
  const { path } = await track();
  const pushed = outboxReader(api.db);
  await admin.patch(path, {
    results_status: 'official',
    results: [{ bib: '1', place: 1, performance: '12.00' }],
  });
  await pushed();
  await admin.patch(path, { results_status: 'in_progress' });
  expect((await pushed()).map(({ event }) => event)).toEqual(['unit']);
  await admin.patch(path, {
    results_status: 'official_results',
    results: [{ bib: '1', place: 1, performance: '11.99' }],
  });
  const [, arrived] = await pushed();
  expect(arrived).toMatchObject({
    event: 'results_arrived',
    data: { winner_performance: '11.99', winner_name: 'Ada Berg' },
  });
  await admin.patch(path, { results: [{ bib: '1', place: 1, performance: '11.98' }] });
  expect((await pushed()).map(({ event }) => event)).toEqual(['unit']);
});

test('a field unit is saved the same way', async () => {
  const { patch, current } = await fieldUnit(admin);
  await patch({ trials: [{ bib: '1', round: 1, result: '6.10' }] });
  expect((await current()).trials).toEqual([{ bib: '1', round: 1, result: '6.10' }]);
});
