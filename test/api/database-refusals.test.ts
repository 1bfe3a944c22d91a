// A database that is there and takes no writes: full, failed over, too slow. Saves are told so, and /readyz says why.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildCalendar, currentYears } from '../../src/calendar/build.ts';
import { type Answer, type Client, startTestApp, type TestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { runSql } from '../helpers/sql.ts';

let api: TestApp;
let judge: Client;
let world: Awaited<ReturnType<typeof fieldUnit>>;
beforeAll(async () => {
  api = await startTestApp();
  judge = await api.as('ADMIN_GBR');
  world = await fieldUnit(judge);
  api.clock.now = new Date();
  await buildCalendar(api.deps, () => currentYears(api.deps));
  api.clock.now = new Date('2026-06-01T12:00:00.000Z');
});
afterAll(() => api.close());

const TABLES = ['competitions', 'units', 'service_secrets'];

/** From now on every write of these tables fails with that code. */
async function refuseWrites(code: string): Promise<void> {
  await runSql(
    api.ownerUrl,
    `create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = '${code}'; end $$`,
  );
  for (const table of TABLES) {
    const when = `before insert or update on ${table} for each statement`;
    await runSql(api.ownerUrl, `create trigger refusing ${when} execute function refuse()`);
  }
}

async function acceptWrites(): Promise<void> {
  for (const table of TABLES) await runSql(api.ownerUrl, `drop trigger if exists refusing on ${table}`);
}
afterEach(acceptWrites);

let marks = 0;
const saves = (): Record<string, () => Promise<Answer>> => {
  const performance = `6.${(marks += 1) + 10}`;
  return {
    create: () => judge.post('/api/v1/competitions/', competition()),
    upload: () => world.upload({ events: [{ event_id: `E${marks}`, event_code: '100', rounds: '1' }] }),
    patch: () => world.patch({ results: [{ bib: '1', performance }] }),
    attempt: () => world.attempt({ bib: '2', round: 1, result: performance }),
    'attempt with a key': () =>
      world.attempt({ bib: '2', round: 2, result: performance }, { 'idempotency-key': `key ${marks}` }),
  };
};

describe.each([
  ['the disk is full', '53100'],
  ['memory has run out', '53200'],
  ['the disk has failed', '58030'],
  ['it has become read-only, or a standby', '25006'],
  ['the statement took too long', '57014'],
  ['a lock took too long', '55P03'],
])('while %s (%s)', (_why, code) => {
  test('every save is a 503 with Retry-After that says that nothing was changed, and is right', async () => {
    const before = await world.document();
    await refuseWrites(code);
    const connections = api.db.$client.totalCount;
    expect(connections).toBeGreaterThan(0);
    for (const [name, save] of Object.entries(saves())) {
      const { status, headers, body } = await save();
      expect([name, status, headers['retry-after'], headers['idempotency-key'], body]).toEqual([
        name,
        503,
        '5',
        undefined,
        { detail: expect.stringContaining('nothing was changed') },
      ]);
    }
    expect(await world.document()).toEqual(before);
    await acceptWrites();
    for (const [name, save] of Object.entries(saves())) {
      const { status } = await save();
      expect([name, [200, 201].includes(status)]).toEqual([name, true]);
    }
  });
});

const connected = async (): Promise<number> => {
  const { rows } = await api.db.$client.query('select pg_backend_pid() as pid');
  return Number(rows[0].pid);
};

test('no connection is used again that leads to a database which has become read-only', async () => {
  await refuseWrites('25006');
  for (const save of Object.values(saves())) {
    const before = await connected();
    // All others would hide which one is used next.
    expect(api.db.$client.totalCount).toBe(1);
    expect((await save()).status).toBe(503);
    expect(await connected()).not.toBe(before);
  }
});

test.each([
  ['53100', { status: 'down', reason: 'disk full' }],
  ['58030', { status: 'down', reason: 'disk fault' }],
  ['53200', { status: 'down', reason: 'out of memory' }],
  ['25006', { status: 'down', reason: 'read-only' }],
  ['57014', { status: 'down', reason: 'too slow' }],
  ['55P03', { status: 'down', reason: 'too slow' }],
  ['42501', { status: 'down', reason: 'not reachable' }],
])('/readyz tells of %s why the database takes no writes', async (code, database) => {
  expect((await api.get('/readyz')).body.checks.database).toEqual({ status: 'ok' });
  await refuseWrites(code);
  const { status, body } = await api.get('/readyz');
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'down', checks: { database, migrations: { status: 'ok' } } });
});
