// The kill of a process whose thread is in the midst of a large upload: nothing of it is stored, and the next one works.
import { expect, it, vi } from 'vitest';
import { LOCKS } from '../../src/db/locks.ts';
import { get, type Reply, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { LOSES_NOTHING } from '../helpers/loses-nothing.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql, startTransaction } from '../helpers/sql.ts';

const PATIENCE = { timeout: 60_000, interval: 20 };
const FIELDS = { full_name: 'Harbour Meeting', slug: 'harbour', country_id: 'GBR', date: '2026-07-18' };
const COMPETITORS = 5000;
const UPLOAD = {
  city: 'Harbour Town',
  competitors: Array.from({ length: COMPETITORS }, (_, index) => ({
    competitor_id: `${index}`,
    first_name: 'Maren',
    last_name: `Okafor ${index}`,
  })),
  events: ['T1', 'T2', 'T3'].map((event_id) => ({
    event_id,
    event_code: '100',
    units: [{ round: 1, heat: 1, results: [{ bib: '1', place: 1, performance: '11.82' }] }],
  })),
};

/** What it waits for there. */
const MOMENTS: [moment: string, inTheWay: string][] = [
  ['before its first row', 'select from competitions for update'],
  ['between two tables', 'lock table units in exclusive mode'],
  [
    'before its push events',
    `select pg_advisory_xact_lock(${LOCKS.push}, hashtext(id::text)) from competitions`,
  ],
];
const WRITTEN = ['competitions', 'competitors', 'events', 'units', 'outbox', 'audit'];

const storedIn = (url: string) =>
  runSql(
    url,
    WRITTEN.map((name) => `select '${name}', xmin::text, row_to_json(t)::text from ${name} t`).join(
      ' union all ',
    ),
  );

/** Waits for this many sessions of the program. */
const sessions = (url: string, count: number, which: string) =>
  vi.waitFor(async () => {
    const ofProgram = `select from pg_stat_activity where datname = current_database()
      and application_name like 'athletics-data-service%'`;
    expect(await runSql(url, `${ofProgram} and ${which}`)).toHaveLength(count);
  }, PATIENCE);

it.runIf(byLength(false, true))(
  'a large upload whose process is killed in the midst of it leaves nothing, and the next one is stored whole',
  LOSES_NOTHING,
  async () => {
    const env = await databaseEnvironment();
    const url = env.DATABASE_URL;
    const account = await makeAccount(url, 'ADMIN_GBR');
    let server = await startServerProcess(env);
    const token = await signIn(server.baseUrl, account);
    const api = (...request: Parameters<ReturnType<typeof withToken>>): Promise<Reply> =>
      withToken(server.baseUrl, token)(...request);
    const path = `/competitions/${(await api('POST', '/competitions/', FIELDS)).body.id}`;
    await api('PATCH', `${path}/settings`, { push_notifications: true });
    const before = await storedIn(url);

    for (const [moment, inTheWay] of byLength(MOMENTS.slice(1), MOMENTS)) {
      const transaction = await startTransaction(url, inTheWay);
      const answer = api('POST', path, UPLOAD).catch((error: NodeJS.ErrnoException) => error.code);
      await sessions(url, 1, `application_name like '% uploads' and wait_event_type = 'Lock'`);
      await server.kill('SIGKILL');
      expect([moment, await answer]).toEqual([moment, 'ECONNRESET']);
      await transaction.end();
      await sessions(url, 0, 'true');
      expect([moment, await storedIn(url)]).toEqual([moment, before]);
      server = await startServerProcess(env);
    }

    expect((await api('POST', path, UPLOAD)).status).toBe(200);
    const { body } = await get(`${server.baseUrl}/x/2026/GBR/harbour/json/`);
    expect(body).toMatchObject({ city: 'Harbour Town', events: UPLOAD.events });
    expect(body.competitors).toHaveLength(COMPETITORS);
  },
);
