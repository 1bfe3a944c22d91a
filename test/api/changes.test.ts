// The change feed to readers who poll: complete, in order, each object once, deletions too, and nothing that is private.
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Change, createMirror, keyOf, numberChanges, type Page } from '../helpers/feed.ts';
import { firstReleaseDatabase } from '../helpers/first-release.ts';
import { forgetDeletions } from '../../src/changes/number-changes.ts';
import { createFeedClient } from '../../src/changes/numbering-store.ts';
import { migrate } from '../../src/db/migrate.ts';
import { runSql, startTransaction } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const FEED = '/api/v1/changes';
const MEETING = {
  competitors: [
    { competitor_id: '1', last_name: 'Lind', date_of_birth: '2003-04-09', email: 'lind@example.org' },
    { competitor_id: '2', last_name: 'Okafor' },
  ],
  teams: [{ team_id: 'HTH', team_name: 'Harbour' }],
  relay_teams: [{ relay_team_id: 'R', event_id: 'X 1', team_id: 'HTH' }],
  events: [
    {
      event_id: 'T1',
      event_code: '100',
      rounds: '2',
      units: [{ round: 1, heat: 1, results: [{ bib: '1' }] }],
    },
    { event_id: 'X 1', event_code: '4x100', units: [{ round: 1, heat: 1, results: [{ bib: 'R' }] }] },
  ],
};
const OBJECTS = [
  'competition',
  'team HTH',
  'competitor 1',
  'competitor 2',
  'event T1',
  'event X 1',
  'relay_team X 1 R',
  'unit T1 1 1',
  'unit X 1 1 1',
];

const unitIn = (changes: Change[]) =>
  changes.find(({ event_id, type }) => type === 'unit' && event_id === 'X 1')!;

const byType = (rows: Record<string, string>[]) =>
  rows.toSorted((a, b) => (a['type']! < b['type']! ? -1 : 1));

const worlds: TestApp[] = [];
afterAll(() => Promise.all(worlds.map((world) => world.close())));

async function newWorld(env: Record<string, string> = {}) {
  const world = await startTestApp(env);
  worlds.push(world);
  await numberChanges(world.deps);
  const admin = await world.as('ADMIN_GBR', 'ADMIN_FRA');
  const read = async (query = ''): Promise<Page> => {
    await numberChanges(world.deps);
    const answer = await world.get(`${FEED}${query}`);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  /** Page after page, to the end. */
  const readAll = async (query: string, after = ''): Promise<Change[]> => {
    const changes: Change[] = [];
    for (let next = after; ;) {
      const page = await read(`${query}&after=${next}`);
      changes.push(...page.changes);
      if (!page.more) return changes;
      next = page.next;
    }
  };
  return { world, admin, read, readAll };
}

const named = (changes: Change[]) =>
  changes.map(
    (change) => `${change.deleted ? '-' : ''}${keyOf(change).slice(change.competition_id.length + 1)}`,
  );
const cursors = (changes: Change[]) => changes.map(({ cursor }) => cursor);

const { world, admin, read, readAll } = await newWorld();
const sorted = (texts: string[]) => texts.toSorted();

test('a fresh read has each object once, the whole before its parts, each with an address that shows it', async () => {
  const { id, page } = await uploadsInto(admin, MEETING);
  const { changes, next, more, epoch } = await read(`?competition=${id}`);
  expect(named(changes)).toEqual(OBJECTS);
  expect(cursors(changes)).toEqual(sorted(cursors(changes)));
  expect([more, next.startsWith(`${epoch}-`)]).toEqual([false, true]);
  for (const { url } of changes) expect((await world.get(new URL(url).pathname)).status).toBe(200);
  const unit = (await world.get(`${page}/event/T1/1/1/json/`)).body;
  expect(changes[7]).toEqual({
    cursor: expect.stringMatching(/^[0-9a-f]{12}-\d{12}/),
    type: 'unit',
    competition_id: id,
    year: 2026,
    country_id: 'GBR',
    slug: page.split('/').at(-1),
    event_id: 'T1',
    round_no: 1,
    heat_no: 1,
    competitor_id: null,
    team_id: null,
    relay_team_id: null,
    revision: unit.revision,
    url: `http://localhost${page}/event/T1/1/1/json/`,
    deleted: false,
    updated_at: unit.updated_at,
  });
});

test('nothing in the feed is private', async () => {
  await uploadsInto(admin, { ...MEETING, contact_details: 'call Ana' });
  await read();
  const { text } = await world.get(FEED);
  for (const secret of ['2003', 'lind@', 'call Ana', admin.email, 'Lind']) expect(text).not.toContain(secret);
});

test('a save is told of at the next poll, once, however often it happened, and a repeated upload not at all', async () => {
  const { id, path, store } = await uploadsInto(admin, MEETING);
  const before = await read();
  expect(await read(`?after=${before.next}`)).toMatchObject({ changes: [], next: before.next, more: false });
  const unit = `${path}/events/T1/units/1/1`;
  for (const performance of ['11.91', '11.82'])
    await admin.patch(unit, { results: [{ bib: '1', performance }] });
  const after = await read(`?after=${before.next}`);
  expect(named(after.changes)).toEqual(['unit T1 1 1']);
  await store({ competitors: MEETING.competitors, teams: MEETING.teams });
  expect((await read(`?after=${after.next}`)).changes).toEqual([]);
  // In a fresh read it is there once, behind all that has not changed.
  const fresh = (await read(`?competition=${id}`)).changes;
  expect(named(fresh)).toEqual([...OBJECTS.filter((name) => name !== 'unit T1 1 1'), 'unit T1 1 1']);
});

test('of an upload come the parts that differ, and the competition, which shows them', async () => {
  const { id, store } = await uploadsInto(admin, MEETING);
  const { next } = await read();
  await store({ competitors: [{ competitor_id: '2', last_name: 'Okafor', gender: 'F' }] });
  expect(named((await read(`?competition=${id}&after=${next}`)).changes)).toEqual([
    'competition',
    'competitor 2',
  ]);
});

test('a deleted event goes with its parts, a deleted competition with everything, and both come again when they are made again', async () => {
  const { id, path, store } = await uploadsInto(admin, MEETING);
  const first = await read(`?competition=${id}`);
  await admin.delete(`${path}/events/X 1`);
  const second = await read(`?competition=${id}&after=${first.next}`);
  expect(named(second.changes)).toEqual(['-unit X 1 1 1', '-relay_team X 1 R', '-event X 1', 'competition']);
  await store({ events: [MEETING.events[1]] });
  const third = await read(`?competition=${id}&after=${second.next}`);
  expect(named(third.changes)).toEqual(['competition', 'event X 1', 'unit X 1 1 1']);
  const revisions = [first, second, third].map(({ changes }) => unitIn(changes).revision);
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));

  await admin.delete(path);
  const gone = await read(`?competition=${id}&after=${third.next}`);
  expect(sorted(named(gone.changes))).toEqual(
    sorted(OBJECTS.filter((name) => !name.startsWith('relay')).map((name) => `-${name}`)),
  );
  expect(named(gone.changes).at(-1)).toBe('-competition');
  const units = await read(`?competition=${id}&types=unit`);
  expect(named(units.changes)).toEqual(['-unit T1 1 1', '-unit X 1 1 1']);
});

test('a renamed competition comes again with all that is in it, at its new addresses', async () => {
  const { id, path, page } = await uploadsInto(admin, MEETING);
  const { next } = await read();
  await admin.post(path, { slug: 'harbour-town-renamed', country_id: 'FRA' });
  const { changes } = await read(`?after=${next}`);
  expect(sorted(named(changes))).toEqual(sorted(OBJECTS));
  for (const { url } of changes) expect(url).toContain('/x/2026/FRA/harbour-town-renamed/');
  expect((await world.get(`${page}/json/`)).status).toBe(308);
  // Who follows the country that it has left hears of that too, and of its end.
  await admin.delete(path);
  const british = await read(`?country=GBR&competition=${id}&after=${next}`);
  expect(british.changes.map(({ country_id, deleted }) => `${country_id} ${deleted}`)).toEqual(
    OBJECTS.map(() => 'FRA true'),
  );
});

test('filters let through what is asked for, a page at a time, and move on where they let nothing through', async () => {
  const { id } = await uploadsInto(admin, { ...MEETING, country_id: 'FRA' });
  const french = await readAll('?country=fra&types=unit,%20competitor&limit=3');
  expect(sorted(named(french.filter(({ competition_id }) => competition_id === id)))).toEqual(
    sorted(OBJECTS.filter((name) => /^(unit|competitor) /.test(name))),
  );
  expect(new Set(french.map(({ type }) => type))).toEqual(new Set(['unit', 'competitor']));
  const none = await read('?country=GER');
  const all = await readAll('?limit=7');
  expect(none).toMatchObject({ changes: [], more: false });
  expect(none.next).toBe((await read(`?after=${all.at(-1)!.cursor}`)).next);
  expect(cursors(all)).toEqual(sorted(cursors(all)));
  expect(new Set(all.map(keyOf)).size).toBe(all.length);
});

test('GBR takes in the home nations', async () => {
  const scot = await world.as('ADMIN_SCO');
  const { id } = await uploadsInto(scot, { country_id: 'SCO' });
  expect(named((await read(`?country=GBR&competition=${id}`)).changes)).toEqual(['competition']);
  expect((await read(`?country=ENG&competition=${id}`)).changes).toEqual([]);
});

test.for([
  ['?after=12', 'after'],
  ['?limit=0', 'limit'],
  ['?limit=1001', 'limit'],
  ['?types=unit,athlete', 'types'],
  ['?country=QQQ', 'country'],
  ['?competition=1', 'competition'],
])('%s is refused with the path to it', async ([query, field]) => {
  for (const path of [FEED, `${FEED}/stream`]) {
    if (field === 'limit' && path !== FEED) continue;
    const { status, body } = await world.get(`${path}${query}`);
    expect([status, body.detail[0].loc]).toEqual([422, ['query', field]]);
  }
});

test('any page may read it', async () => {
  const { headers } = await world.get(FEED);
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['cache-control']).toBe('no-store');
});

test('addresses are counted as they are for other public reads', async () => {
  const limited = await newWorld({ RATE_LIMIT_READ: '2' });
  for (const status of [200, 200, 429]) expect((await limited.world.get(FEED)).status).toBe(status);
});

describe('a writer that commits late', () => {
  test('holds nobody back, and is not skipped', async () => {
    const { world, admin, read } = await newWorld();
    const [slow, fast] = [await uploadsInto(admin, MEETING), await uploadsInto(admin, MEETING)];
    const { next } = await read();
    // Its revision is taken first, and committed last.
    const raised = `update units set revision = nextval('revisions'), updated_at = now() where competition_id = '${slow.id}' and event_id = 'T1'`;
    const open = await startTransaction(world.ownerUrl, raised);
    onTestFinished(open.end);
    await admin.patch(`${fast.path}/events/T1/units/1/1`, { status: 'finished' });
    const first = await read(`?after=${next}`);
    expect(first.changes.map(keyOf)).toEqual([`${fast.id} unit T1 1 1`]);
    await open.commit();
    const second = await read(`?after=${first.next}`);
    expect(second.changes.map(keyOf)).toEqual([`${slow.id} unit T1 1 1`]);
    expect(second.changes[0]!.revision).toBeLessThan(first.changes[0]!.revision);
    expect(second.changes[0]!.cursor > first.changes[0]!.cursor).toBe(true);
  });
});

describe('deletions', () => {
  const LONG_AGO = `update changes set updated_at = now() - interval '31 days' where deleted`;

  test('are kept for their days; then who was there before them begins anew, and who begins anew meanwhile goes on', async () => {
    const { world, admin, read } = await newWorld();
    const one = await uploadsInto(admin, MEETING);
    await uploadsInto(admin, MEETING);
    const stale = (await read()).next;
    await admin.delete(one.path);
    const caughtUp = (await read()).next;
    // Deletions have the time at which the database saw them.
    world.clock.now = new Date();
    const beginner = (await read('?limit=3')).next;
    const client = createFeedClient(world.deps.databaseUrl);
    onTestFinished(() => client.end());
    await client.connect();
    await forgetDeletions(client, world.deps);
    expect((await world.get(`${FEED}?after=${stale}`)).body.changes).toHaveLength(OBJECTS.length);
    await runSql(world.ownerUrl, LONG_AGO);
    await forgetDeletions(client, world.deps);
    expect(await world.get(`${FEED}?after=${stale}&country=FRA&types=unit,event`)).toMatchObject({
      status: 410,
      body: {
        detail: expect.stringContaining('too old'),
        snapshot: 'http://localhost/api/v1/changes?country=FRA&types=unit%2Cevent',
      },
    });
    expect((await world.get(`${FEED}/stream?after=${stale}`)).status).toBe(410);
    expect((await world.get(`${FEED}?after=${caughtUp}`)).status).toBe(200);
    expect((await world.get(`${FEED}?after=${beginner}`)).status).toBe(200);
    const rows = await runSql(
      world.ownerUrl,
      'select competition_id from changes union all select competition_id from changed_competitions',
    );
    expect(rows.filter((row) => row['competition_id'] === one.id)).toEqual([]);
  });
});

describe('the epoch', () => {
  test('stays when a server starts again, and is another one in a copy of the database, where cursors end', async () => {
    const { world, admin, read } = await newWorld();
    await uploadsInto(admin, MEETING);
    const { epoch, next } = await read();
    expect(await read()).toMatchObject({ epoch, next });
    await runSql(world.ownerUrl, `update change_feed set identity = 'the database that it was dumped from'`);
    const copy = await read();
    expect(copy.epoch).not.toBe(epoch);
    expect(copy.changes).toHaveLength(OBJECTS.length);
    const { status, body } = await world.get(`${FEED}?after=${next}`);
    expect([status, body.snapshot]).toEqual([410, 'http://localhost/api/v1/changes']);
  });

  test('does not hide that a database was set back: what it never gave is no cursor', async () => {
    const { world, admin, read } = await newWorld();
    await uploadsInto(admin, MEETING);
    const { next } = await read();
    await runSql(world.ownerUrl, 'update change_feed set last = last - 3');
    expect((await world.get(`${FEED}?after=${next}`)).status).toBe(410);
  });
});

test('what was stored before there was a feed is all in it', async () => {
  const url = await firstReleaseDatabase();
  await migrate(url);
  await numberChanges({ ...world.deps, databaseUrl: url });
  const objects = `select 'competition' as type, count(*)::int from competitions union all
    select 'event', count(*)::int from events union all select 'unit', count(*)::int from units union all
    select 'competitor', count(*)::int from competitors union all select 'team', count(*)::int from teams union all
    select 'relay_team', count(*)::int from relay_teams`;
  const stored = (await runSql(url, objects)).filter(({ count }) => Number(count) > 0);
  const told = await runSql(url, 'select type, count(*)::int from changes where not deleted group by type');
  expect(stored.length).toBeGreaterThan(2);
  expect(byType(told)).toEqual(byType(stored));
});

test('a mirror that follows page by page has what a fresh one has', async () => {
  const [following, fresh] = [createMirror(), createMirror()];
  for (const change of await readAll('?limit=7')) following.take(change);
  const { next } = await read();
  const { path } = await uploadsInto(admin, MEETING);
  await admin.delete(`${path}/competitors/1`);
  await admin.post(path, { slug: 'followed' });
  for (const change of await readAll('?limit=7', next)) following.take(change);
  for (const change of await readAll('?limit=1000')) fresh.take(change);
  const states = ({ objects }: typeof fresh) =>
    [...objects]
      .map(([key, { revision, url, deleted }]) => `${key} ${revision} ${url} ${deleted}`)
      .toSorted();
  expect(states(following)).toEqual(states(fresh));
});
