// Large uploads, which a thread of their own deals with: what is answered and stored is what a small one of the same content is,
// and what becomes of one whose thread ends in the midst of it.
import { Readable } from 'node:stream';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { urlNow, type Db } from '../../src/db/client.ts';
import { startOf } from '../../src/threads.ts';
import type { UploadLimits } from '../../src/uploads/upload-thread.ts';
import { type Client, startBuiltWorker, startTestApp, type TestApp } from '../helpers/app.ts';
import { competition, competitor } from '../helpers/factories.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { holdLock, runSql, startTransaction } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const SPACE = ' '.repeat(300_000);
/** The same content, with white space enough to be large. */
const large = (body: string) => body[0] + SPACE + body.slice(1);
const json = (sent: unknown) => large(JSON.stringify(sent));

/** An application whose threads are at hand. */
async function watched(
  limits: Partial<UploadLimits> = {},
  {
    memory: little,
    start = startBuiltWorker,
  }: { memory?: ResourceLimits; start?: typeof startBuiltWorker } = {},
) {
  const threads: Worker[] = [];
  const startWorker: typeof startBuiltWorker = (options) => {
    const isFirst = threads.length === 0;
    const thread = start(isFirst && little ? { ...options, resourceLimits: little } : options);
    threads.push(thread);
    return thread;
  };
  const api = await startTestApp({}, { uploadThread: { startWorker, limits } });
  onTestFinished(api.close);
  return { api, threads };
}

const ID = '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11';
const PATH = `/api/v1/competitions/${ID}`;
const ALL = '/api/v1/competitions/';

const MEETING = {
  ...competition({ slug: 'harbour-night', full_name: 'Harbour Night' }),
  id: ID,
  competitors: [
    {
      competitor_id: '1',
      first_name: 'Maren',
      last_name: 'Okafor',
      gender: 'F',
      date_of_birth: '2001-03-04',
    },
    { competitor_id: '2', first_name: 'Ída', last_name: 'Þórsdóttir', events_entered: [{ event_id: 'T1' }] },
  ],
  teams: [{ team_id: 'HT', team_name: 'Harbour Town AC' }],
  events: [
    {
      event_id: 'T1',
      event_code: '100',
      rounds: '2,1',
      units: [{ round: 1, heat: 1, results: [{ bib: '1', place: 1, performance: '11.82' }] }],
    },
  ],
};
const { id: _id, slug: _slug, ...NAMELESS } = MEETING;
const faulty = Array.from({ length: 150 }, (_, index) => ({ ...competitor(), gender: index }));

/** In this order, each into what those before have left. */
const REQUESTS: [string, number, string, string][] = [
  ['a test', 200, `${ALL}test`, JSON.stringify({ ...MEETING, full_nmae: 'x' })],
  ['a create', 201, ALL, JSON.stringify(MEETING)],
  ['the same again, a duplicate', 409, ALL, JSON.stringify(MEETING)],
  ['a taken slug', 409, ALL, JSON.stringify({ ...NAMELESS, slug: 'harbour-night', full_name: 'Another' })],
  ['a create elsewhere', 403, ALL, JSON.stringify({ ...NAMELESS, country_id: 'FRA' })],
  ['a test without a name', 422, `${ALL}test`, JSON.stringify({ ...MEETING, full_name: ' ' })],
  ['an upload', 200, PATH, JSON.stringify({ city: 'Harbour', competitors: [competitor()] })],
  ['an upload of what is there', 200, PATH, JSON.stringify(MEETING)],
  ['a move elsewhere', 403, PATH, JSON.stringify({ country_id: 'FRA' })],
  ['many faults', 422, PATH, JSON.stringify({ competitors: faulty })],
  ['a birth to come', 422, PATH, JSON.stringify({ competitors: [{ ...competitor(), year_of_birth: 2100 }] })],
  ['malformed JSON', 400, PATH, '{"city": "Harbour", }'],
  ['a text with U+0000', 422, PATH, '{"city": "Har\\u0000bour"}'],
  ['nesting too deep', 422, PATH, `{"odd": ${'['.repeat(40)}${']'.repeat(40)}}`],
  ['a list', 422, PATH, '[{"city": "Harbour"}]'],
];

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?/g;
// Where in the text the parser gave up: behind the white space.
const PLACE = /position \d+ \(line 1 column \d+\)|position \d+/;
const TOKEN = /"override_token":"[^"]+"/;
/** Without what is made anew each time. */
const masked = (text: string) =>
  text
    .replaceAll(UUID, (id) => (id === ID ? id : '<id>'))
    .replaceAll(TIME, '<time>')
    .replaceAll(/account\d+@/g, '<account>@')
    .replace(PLACE, 'a place')
    .replace(TOKEN, '"override_token":"<token>"');

async function storedIn(db: Db): Promise<Record<string, unknown>> {
  const names = ['competitions', 'competitors', 'entries', 'teams', 'events', 'units', 'outbox'];
  const tables = names.map(async (name) => {
    const { rows } = await db.$client.query<{ row: string }>(
      `select row_to_json(t)::text as row from "${name}" t`,
    );
    return [name, rows.map(({ row }) => masked(row)).toSorted()] as const;
  });
  const audit = db.$client.query(
    'select account is null as nobody, action, target, competition_id, count, detail from audit',
  );
  return { ...Object.fromEntries(await Promise.all(tables)), audit: (await audit).rows };
}

describe('a large upload is answered and stored as a small one of the same content:', () => {
  const worlds: { api: TestApp; admin: Client }[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) {
      const api = await startTestApp();
      worlds.push({ api, admin: await api.as('ADMIN_GBR') });
    }
  });
  afterAll(async () => {
    for (const { api } of worlds) await api.close();
  });

  test.for(REQUESTS)('%s', async ([, status, path, body]) => {
    const [small, other] = worlds as [(typeof worlds)[0], (typeof worlds)[0]];
    const answers = [await small.admin.post(path, body), await other.admin.post(path, large(body))];
    const [expected, found] = answers.map(({ headers, text, ...answer }) => {
      const {
        'x-request-id': _request,
        date: _date,
        'content-length': _length,
        connection: _connection,
        ...others
      } = headers;
      return { status: answer.status, headers: others, text: masked(text) };
    });
    expect(expected!.status).toBe(status);
    expect(found).toEqual(expected);
    expect(await storedIn(other.api.db)).toEqual(await storedIn(small.api.db));
  });
});

/** Waits until a connection of the thread is found so. */
async function untilThread(api: TestApp, state: string): Promise<void> {
  const found = () =>
    runSql(
      urlNow(api.deps.databaseUrl),
      `select pid from pg_stat_activity where datname = current_database()
         and application_name = 'athletics-data-service uploads' and ${state}`,
    );
  await expect.poll(found).toHaveLength(1);
}

const COMMITTING = `state = 'active' and query ilike 'commit%'`;

/** Has commits of new rows of a table stand still, with all of their locks. @returns what lets them go on */
async function lingeringCommits({ ownerUrl }: TestApp, table: string): Promise<() => Promise<void>> {
  const statement = `create function linger() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(1, 0); return null; end $$`;
  await runSql(ownerUrl, statement);
  await runSql(
    ownerUrl,
    `create constraint trigger linger after insert on ${table} deferrable initially deferred
      for each row execute function linger()`,
  );
  return holdLock(ownerUrl, 1);
}

const UPLOAD = json({ city: 'Harbour', competitors: [competitor({ competitor_id: '1' })] });

/** A million objects: far more memory than a thread of 32 MB has, which itself needs half of that. */
const EXTENSIVE = `{"city": "Harbour", "seats": [${'{},'.repeat(1_000_000)}{}]}`;

describe('a thread that ends in the midst of an upload', () => {
  test('before its commit has changed nothing; the next upload has another thread', async () => {
    const { api, threads } = await watched();
    const { path, id } = await uploadsInto(await api.as('ADMIN_GBR'));
    const admin = await api.as('ADMIN_GBR');
    const held = await startTransaction(
      urlNow(api.deps.databaseUrl),
      `select 1 from competitions where id = '${id}' for update`,
    );
    const before = await snapshot(api.db);
    const uploading = admin.post(path, UPLOAD);
    await untilThread(api, `wait_event_type = 'Lock'`);
    // Meanwhile others read and save.
    const elsewhere = await uploadsInto(admin, { events: [{ event_id: 'T1', rounds: '1' }] });
    expect(await elsewhere.unit('T1')).toMatchObject({ event_id: 'T1' });
    const during = await snapshot(api.db);
    await threads[0]!.terminate();
    expect(await uploading).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { detail: expect.stringContaining('nothing was changed') },
    });
    await held.end();
    expect(await snapshot(api.db)).toEqual(during);
    expect(during['competitors']).toEqual(before['competitors']);
    expect(await admin.post(path, UPLOAD)).toMatchObject({ status: 200, body: { city: 'Harbour' } });
    expect(threads).toHaveLength(2);
  });

  test('within its commit may have saved it', async () => {
    const { api, threads } = await watched();
    const admin = await api.as('ADMIN_GBR');
    const { path } = await uploadsInto(admin);
    const letGo = await lingeringCommits(api, 'competitors');
    const uploading = admin.post(path, UPLOAD);
    await untilThread(api, COMMITTING);
    await threads[0]!.terminate();
    expect(await uploading).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { detail: expect.stringContaining('it may have been saved') },
    });
    await letGo();
  });

  test.for<[string, string, Partial<UploadLimits>, { memory?: ResourceLimits }, number]>([
    ['for want of memory', EXTENSIVE, {}, { memory: { maxOldGenerationSizeMb: 32 } }, 200],
    ['because it computes for too long', UPLOAD, { computingMs: 1 }, {}, 503],
  ])('%s has changed nothing', async ([, fatal, limits, first, next]) => {
    const { api, threads } = await watched(limits, first);
    const admin = await api.as('ADMIN_GBR');
    const { path } = await uploadsInto(admin);
    const before = await snapshot(api.db);
    expect(await admin.post(path, fatal)).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining('nothing was changed') },
    });
    expect(await snapshot(api.db)).toEqual(before);
    expect(threads).toHaveLength(1);
    expect((await admin.post(path, UPLOAD)).status).toBe(next);
  });
});

test('more large uploads than may wait are refused, and those before them are stored', async () => {
  const { api, threads } = await watched({ waiting: 1 });
  const admin = await api.as('ADMIN_GBR');
  const { path, id } = await uploadsInto(admin);
  const held = await startTransaction(
    urlNow(api.deps.databaseUrl),
    `select 1 from competitions where id = '${id}' for update`,
  );
  const uploading = admin.post(path, UPLOAD);
  await untilThread(api, `wait_event_type = 'Lock'`);
  // The one that is there first waits, whichever that is.
  const two = ['Hill', 'Hill'].map((city) => admin.post(path, json({ city })));
  expect(await Promise.race(two)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { detail: expect.stringContaining('1 large uploads wait; nothing was changed') },
  });
  await held.end();
  expect((await uploading).status).toBe(200);
  expect((await Promise.all(two)).map(({ status }) => status)).toContain(200);
  expect((await admin.get(path)).body).toMatchObject({ city: 'Hill' });
  expect(threads).toHaveLength(1);
});

test('a body that comes in small pieces, divided within letters, is stored as it was sent', async () => {
  const { api } = await watched();
  const admin = await api.as('ADMIN_GBR');
  const { path, page } = await uploadsInto(admin);
  const origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const names = Array.from({ length: 4000 }, (_, nr) => `${'Þórshöfn '.repeat(nr % 7)}${nr}`);
  const competitors = names.map((last_name, nr) => ({ competitor_id: String(nr), last_name }));
  const bytes = Buffer.from(JSON.stringify({ competitors }));
  const pieces = Array.from({ length: bytes.length / 1447 + 1 }, (_, nr) =>
    bytes.subarray(nr * 1447, (nr + 1) * 1447),
  );
  const { status } = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: Readable.toWeb(Readable.from(pieces)),
    duplex: 'half',
  } as RequestInit);
  expect(status).toBe(200);
  const stored: { last_name: string }[] = (await api.get(`${page}/json/`)).body.competitors;
  expect(stored.map(({ last_name }) => last_name).toSorted()).toEqual(
    names.map((name) => name.trim()).toSorted(),
  );
});

test('a thread without work ends, and its memory is free; the next upload starts another', async () => {
  // As source, as the demo and the development server have it.
  const { api, threads } = await watched({ idleMs: 50 }, { start: startOf('upload-worker') });
  const admin = await api.as('ADMIN_GBR');
  const { path } = await uploadsInto(admin);
  expect((await admin.post(path, json({ city: 'Harbour' }))).status).toBe(200);
  // It may have ended already.
  await expect.poll(() => threads[0]!.threadId).toBe(-1);
  expect((await admin.post(path, json({ city: 'Hill' }))).status).toBe(200);
  expect(threads).toHaveLength(2);
});

const heats = (performance: string) => ({
  events: [
    {
      event_id: 'T1',
      event_code: '100',
      units: [{ round: 1, heat: 1, results: [{ bib: '1', performance }] }],
    },
  ],
});

test('whatever an upload has locked, others read, save and upload in other competitions until it is stored', async () => {
  const { api } = await watched();
  const admin = await api.as('ADMIN_GBR');
  const uploaded = await uploadsInto(admin, { push: true, ...heats('10.01') });
  const other = await uploadsInto(admin, { push: true, ...heats('10.02') });
  // Of competitors: whatever else an upload may lock is locked by then.
  const letGo = await lingeringCommits(api, 'competitors');
  const uploading = admin.post(uploaded.path, json({ competitors: [competitor()], ...heats('10.03') }));
  await untilThread(api, COMMITTING);

  const saved = await admin.patch(`${other.path}/events/T1/units/1/1`, heats('10.04').events[0]!.units[0]);
  expect(saved).toMatchObject({ status: 200, body: { results: [{ performance: '10.04' }] } });
  await other.store(heats('10.05'));
  await uploadsInto(admin, heats('10.06'));
  expect(await other.unit('T1')).toMatchObject({ results: [{ performance: '10.05' }] });
  expect(await uploaded.unit('T1')).toMatchObject({ results: [{ performance: '10.01' }] });

  await letGo();
  expect(await uploading).toMatchObject({ status: 200 });
  expect(await uploaded.unit('T1')).toMatchObject({ results: [{ performance: '10.03' }] });
});
