// Large files of entries, which the thread of large uploads deals with: answered and stored as small ones of the same content.
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { urlNow } from '../../src/db/client.ts';
import { startBuiltWorker, startTestApp, type TestApp } from '../helpers/app.ts';
import { snapshot } from '../helpers/snapshot.ts';
import { runSql, startTransaction } from '../helpers/sql.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const CSV = { 'content-type': 'text/csv' };
/** The same rows, with a blank line that makes the file large. */
const large = (file: string) => `${file}${' '.repeat(300_000)}\r\n`;

/** An application whose threads are at hand. */
async function watched() {
  const threads: Worker[] = [];
  const startWorker: typeof startBuiltWorker = (options) => {
    const thread = startBuiltWorker(options);
    threads.push(thread);
    return thread;
  };
  return { api: await startTestApp({}, { uploadThread: { startWorker } }), threads };
}

const EVENTS = [{ event_id: 'S', event_code: '100', rounds: '1' }];
const FILE = 'Bib;Last Name;Gender;Event;PB;Shoe Size\r\n1;Bo;F;S;11,90;38\r\n2;Lind;F;S;;\r\n';

describe('a large file of entries is answered and stored as a small one:', () => {
  let world: Awaited<ReturnType<typeof watched>>;
  beforeAll(async () => {
    world = await watched();
  });
  afterAll(() => world.api.close());

  test.for<[string, number, string, string?]>([
    ['entries', 200, FILE],
    ['a trial', 200, `${FILE}3;Lund;F;X;;\r\n`, '?dry_run=true'],
    [
      'faults by line and column',
      422,
      'Bib,Date Of Birth,Gender,Event\n1,2003-02-30,F,S\n2,,Female!,S\n,,F,S\n',
    ],
    ['faults that only the database knows', 422, 'Bib,Year Of Birth\n1,2200\n'],
    ['no columns that we know', 422, 'Shoe,Size\n1,2\n'],
    ['an unreadable question', 422, FILE, '?dry_run=perhaps'],
  ])('%s', async ([, status, file, query = '']) => {
    const { api } = world;
    const admin = await api.as('ADMIN_GBR');
    const sent = async (text: string) => {
      const { path } = await uploadsInto(admin, { events: EVENTS });
      const { status: found, headers, body } = await admin.post(`${path}/entries${query}`, text, CSV);
      const { competitors } = (await admin.get(`${path}?include=competitors`)).body;
      return { status: found, type: headers['content-type'], body, competitors };
    };
    const small = await sent(file);
    expect(small.status).toBe(status);
    expect(await sent(large(file))).toEqual(small);
  });

  test('by a thread; who may not is refused before, and of what is not there', async () => {
    const { api, threads } = world;
    expect(threads).toHaveLength(1);
    const { path } = await uploadsInto(await api.as('ADMIN_GBR'));
    const send = async (who: { post: TestApp['post'] }, to = path) =>
      (await who.post(`${to}/entries`, large(FILE), CSV)).status;
    expect(await send(await api.as('ADMIN_FRA'))).toBe(403);
    expect(
      await send(await api.as(), path.replace(/[\da-f-]{36}/, '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11')),
    ).toBe(404);
    expect(await send(api)).toBe(401);
  });
});

test('a thread that ends in the midst of an import has stored nothing, and the next one is stored', async () => {
  const { api, threads } = await watched();
  onTestFinished(api.close);
  const admin = await api.as('ADMIN_GBR');
  const { path, id } = await uploadsInto(admin, { events: EVENTS });
  const url = urlNow(api.deps.databaseUrl);
  const held = await startTransaction(url, `select 1 from competitions where id = '${id}' for update`);
  const before = await snapshot(api.db);
  const sending = admin.post(`${path}/entries`, large(FILE), CSV);
  const waiting = () =>
    runSql(
      url,
      `select pid from pg_stat_activity where datname = current_database()
        and application_name = 'athletics-data-service uploads' and wait_event_type = 'Lock'`,
    );
  await expect.poll(waiting).toHaveLength(1);
  await threads[0]!.terminate();
  expect(await sending).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { detail: expect.stringContaining('nothing was changed') },
  });
  await held.end();
  expect(await snapshot(api.db)).toEqual(before);
  expect((await admin.post(`${path}/entries`, large(FILE), CSV)).body).toMatchObject({ competitors: 2 });
});
