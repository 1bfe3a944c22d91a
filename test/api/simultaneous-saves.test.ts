// Saves of single units take no lock while they work: whoever was slower must notice, and do it again.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { LOCKS } from '../../src/db/locks.ts';
import { createUnitCache, type CachedUnit } from '../../src/units/saving/unit-cache.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

let api: TestApp;
let admin: Awaited<ReturnType<TestApp['as']>>;
beforeAll(async () => {
  api = await startTestApp();
  admin = await api.as('ADMIN_GBR');
});
afterAll(() => api.close());

const BIBS = ['1', '2', '3', '4', '5', '6'];
const times = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const ref = (heat: number) => ({ competitionId: 'c', eventId: 'e', round: 1, heat });
/** What the cache looks at of a unit in this version. */
const cached = (unit: string) => {
  const held = { row: { text: '' }, context: { bibs: new Set() } };
  return { held, versions: { competition: '1', unit } } as unknown as CachedUnit;
};

/** A competition with a final, or as many heats. */
async function heats(count = 1) {
  const world = await uploadsInto(admin, { push: true });
  const units = times(count).map((heat) => ({ round: 1, heat, results: [{ bib: '1' }] }));
  const event = { event_id: 'T1', event_code: '100', name: '100 m' };
  await world.store({
    competitors: BIBS.map((bib) => ({ competitor_id: bib, first_name: 'Ada', last_name: `Berg ${bib}` })),
    events: [{ ...event, units }],
  });
  const save = (heat: number, sent: object) => admin.patch(`${world.path}/events/T1/units/1/${heat}`, sent);
  return { ...world, save };
}

const expectAll = (answers: { status: number }[], status: number) =>
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));

test('fields that several clients save in one unit are all there, each under a revision of its own', async () => {
  const { save, unit } = await heats();
  for (const time of times(10)) {
    const sent = BIBS.map((bib) => ({ [`note_${bib}`]: `${time} ${bib}` }));
    const answers = await Promise.all(sent.map((fields) => save(1, fields)));
    expectAll(answers, 200);
    expect(new Set(answers.map(({ body }) => body.revision)).size).toBe(BIBS.length);
    expect(await unit('T1')).toMatchObject(Object.assign({}, ...sent));
  }
});

test('so are fields that do not show', async () => {
  const { id, save } = await heats(10);
  const sent = [{ wind_assistance: null }, { scheduled_start_time: null }, { heights: [] }, { trials: [] }];
  for (const heat of times(10)) expectAll(await Promise.all(sent.map((fields) => save(heat, fields))), 200);
  const { rows } = await api.db.$client.query('select record from units where competition_id = $1', [id]);
  expect(rows).toHaveLength(10);
  for (const { record } of rows) expect(record).toMatchObject(Object.assign({}, ...sent));
});

// Less than a save waits for a lock.
const SOON = { timeout: 10_000, interval: 20 };

/** Does the second while the first, an upload, has all but committed. */
async function during<First, Second>(id: string, first: () => Promise<First>, second: () => Promise<Second>) {
  const holder = await api.db.$client.connect();
  const waiting = async (count: number) => {
    const { rows } = await holder.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].count === count;
  };
  try {
    await holder.query('select pg_advisory_lock($1, hashtext($2))', [LOCKS.push, id]);
    const uploading = first();
    await vi.waitUntil(() => waiting(1), SOON);
    const saving = second();
    await vi.waitUntil(() => waiting(2), SOON);
    await holder.query('select pg_advisory_unlock_all()');
    return [await uploading, await saving] as const;
  } finally {
    holder.release(true);
  }
}

test('a name that an upload changes meanwhile is in the unit, and so is the result', async () => {
  const { id, save, unit, upload } = await heats();
  const renamed = { competitor_id: '2', first_name: 'Ada', last_name: 'Lind' };
  const answers = await during(
    id,
    () => upload({ competitors: [renamed] }),
    () => save(1, { results: [{ bib: '2', performance: '11.08' }] }),
  );
  expectAll([...answers], 200);
  expect((await unit('T1')).results).toMatchObject([
    { bib: '2', performance: '11.08', athlete_name: 'Ada Lind' },
  ]);
});

test('a heat that is added meanwhile numbers the final', async () => {
  const { id, save, unit, upload } = await heats();
  await save(1, { heat_name: 'The race' });
  const second = { event_id: 'T1', units: [{ round: 1, heat: 2, results: [] }] };
  const answers = await during(
    id,
    () => upload({ events: [second] }),
    () => save(1, { heat_name: null }),
  );
  expectAll([...answers], 200);
  expect((await unit('T1')).heat_name).toBe('Final 1');
});

test('results that an upload brings meanwhile stay, beside what was saved', async () => {
  const { id, save, unit, upload } = await heats();
  const results = [{ bib: '1', performance: '11.08' }];
  const answers = await during(
    id,
    () => upload({ events: [{ event_id: 'T1', units: [{ round: 1, heat: 1, results }] }] }),
    () => save(1, { wind_assistance: '+0.3' }),
  );
  expectAll([...answers], 200);
  expect(await unit('T1')).toMatchObject({ wind_assistance: '+0.3', results });
});

test('a competition that is deleted meanwhile is gone, and saves before it were saves', async () => {
  for (const time of times(8)) {
    const { path, page, save } = await heats();
    const saving = times(4).map((n) => save(1, { note: `${time} ${n}` }));
    const [deleted, ...saved] = await Promise.all([admin.delete(path), ...saving]);
    expect(deleted.status).toBe(204);
    expect(new Set([...saved.map(({ status }) => status), 200, 404])).toEqual(new Set([200, 404]));
    expect((await api.get(`${page}/json/`)).status).toBe(404);
  }
});

describe('what a process remembers of its last save', () => {
  test('is not believed when another process has saved since', async () => {
    const { path, save, unit } = await heats();
    const other = await buildApp(api.deps, { baseUrl: () => 'http://other.test', pushServer: null });
    const saveThere = async (sent: object, headers = {}) => {
      const url = `${path}/events/T1/units/1/1`;
      const authorization = `Bearer ${admin.token}`;
      const answer = await other.inject({
        method: 'PATCH',
        url,
        payload: sent,
        headers: { authorization, ...headers },
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    const first = await saveThere({ note_1: 'there' });
    const second = await save(1, { note_2: 'here' });
    expect((await saveThere({ note_3: 'x' }, { 'if-match': `"${first.body.revision}"` })).status).toBe(412);
    const third = await saveThere({ note_3: 'there' }, { 'if-match': `"${second.body.revision}"` });
    expect(third.status).toBe(200);
    // What it already had last time is something else by now.
    await save(1, { note_1: 'here' });
    expect((await saveThere({ note_1: 'there' })).body.revision).toBeGreaterThan(third.body.revision);
    expect(await unit('T1')).toMatchObject({ note_1: 'there', note_2: 'here', note_3: 'there' });
    await other.close();
  });

  test('is not believed when an upload has changed what the unit is made from', async () => {
    const { save, store } = await heats();
    await save(1, { note: 'first' });
    await store({ competitors: [{ competitor_id: '1', first_name: 'Eva', last_name: 'Lind' }] });
    const renamed = await save(1, { note: 'second' });
    expect(renamed.body.results).toMatchObject([{ bib: '1', athlete_name: 'Eva Lind' }]);
    const added = await save(1, { results: [{ bib: '1' }, { bib: '2' }] });
    expect(added.body.results[1]).toMatchObject({ bib: '2', athlete_name: 'Ada Berg 2' });
    await store({ events: [{ event_id: 'T1', units: [{ round: 1, heat: 1, note: 'uploaded' }] }] });
    expect((await save(1, { lane_draw: 'done' })).body).toMatchObject({
      note: 'uploaded',
      lane_draw: 'done',
    });
  });

  test('is forgotten when there is no room for it', async () => {
    const units = createUnitCache(20_000);
    const row = { text: 'x'.repeat(1000), record: { results: [] } };
    const held = { row, context: { bibs: new Set(['1']) } };
    const found = { held, competition: {}, versions: {} } as unknown as CachedUnit;
    for (const heat of times(4)) units.set(ref(heat), found);
    expect(times(4).map((heat) => units.get(ref(heat), ['1']) !== null)).toEqual([false, false, true, true]);
    expect(units.get(ref(4), ['2'])).toBeNull();
  });

  test('is not tried while another process saves the unit, too, and again when that has ended', () => {
    const units = createUnitCache(20_000);
    const isTried = () => units.get(ref(1), []) !== null;
    units.set(ref(1), cached('2'));
    expect(isTried()).toBe(true);
    units.compare(ref(1), cached('3'));
    expect(isTried()).toBe(false);
    units.set(ref(1), cached('4'));
    expect(isTried()).toBe(false);
    units.compare(ref(1), cached('4'));
    expect(isTried()).toBe(true);
  });
});

test('a director who is none any more saves nothing more', async () => {
  const { path, save } = await heats();
  const director = await api.as();
  const asDirector = (note: string) => director.patch(`${path}/events/T1/units/1/1`, { note });
  const direct = (directors: string[]) => admin.patch(`${path}/settings`, { directors });
  for (const time of times(3)) {
    await direct([director.email]);
    expect((await asDirector(`${time} first`)).status).toBe(200);
    expect((await asDirector(`${time} second`)).status).toBe(200);
    await direct([]);
    expect((await asDirector(`${time} third`)).status).toBe(403);
    expect((await save(1, { other: time })).body.note).toBe(`${time} second`);
  }
});

test('push that was just turned on announces the next save', async () => {
  const { path, save } = await heats();
  const pushed = outboxReader(api.db);
  const turn = (on: boolean) => admin.patch(`${path}/settings`, { push_notifications: on });
  for (const time of times(3)) {
    await turn(false);
    await save(1, { note: `${time} silent` });
    await pushed();
    await turn(true);
    await save(1, { note: `${time} announced` });
    expect(await pushed()).toMatchObject([{ event: 'unit', data: { note: `${time} announced` } }]);
  }
});
