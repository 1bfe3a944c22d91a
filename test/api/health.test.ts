import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { buildCalendar, currentYears } from '../../src/calendar/build.ts';
import { connect } from '../../src/db/client.ts';
import { changeHints, outbox } from '../../src/db/schema.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { runSql } from '../helpers/sql.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
  test.clock.now = new Date();
  await buildCalendar(test.deps, () => currentYears(test.deps));
});
afterAll(() => test.close());

const ready = () => test.get('/readyz');

it('with everything well /readyz names each thing it has looked at', async () => {
  const { status, body } = await ready();
  expect(status).toBe(200);
  expect(body).toEqual({
    status: 'ok',
    checks: {
      database: { status: 'ok' },
      migrations: { status: 'ok', pending: 0 },
      outbox: { status: 'ok', rows: 0, oldest_seconds: 0, dead: 0 },
      changes: { status: 'ok', waiting: 0, oldest_seconds: 0 },
      calendar: { status: 'ok', age_seconds: expect.any(Number) },
    },
  });
});

it.each([
  ['waits for long', { createdAt: new Date(Date.now() - 60_000) }],
  ['was given up', { dead: true }],
])('an event that %s makes it degraded, and that is still 200', async (_what, fields) => {
  const row = { competitionId: randomUUID(), channel: 'x', event: 'unit', data: '{}', ...fields };
  await test.db.insert(outbox).values(row);
  const { status, body } = await ready();
  expect({ status, overall: body.status, outbox: body.checks.outbox.status }).toEqual({
    status: 200,
    overall: 'degraded',
    outbox: 'degraded',
  });
  await test.db.delete(outbox);
});

it.each([
  [20, 'ok'],
  [60, 'degraded'],
] as const)(
  'a save without its number in the feed after %i s makes it %s, and that is still 200',
  async (seconds, overall) => {
    const hintedAt = new Date(Date.now() - seconds * 1000);
    await test.db.insert(changeHints).values({ competitionId: randomUUID(), hintedAt });
    const { status, body } = await ready();
    expect({ status, overall: body.status }).toEqual({ status: 200, overall });
    expect(body.checks.changes).toMatchObject({ status: overall, waiting: 1 });
    expect(body.checks.changes.oldest_seconds).toBeGreaterThanOrEqual(seconds);
    await test.db.delete(changeHints);
  },
);

it('a database without the newest migration is not ready', async () => {
  const migrations = 'drizzle.__drizzle_migrations';
  await runSql(
    test.ownerUrl,
    `create table kept as select * from ${migrations};
     delete from ${migrations} where id = (select max(id) from ${migrations})`,
  );
  const { status, body } = await ready();
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'down', checks: { migrations: { status: 'down', pending: 1 } } });
  await runSql(test.ownerUrl, `insert into ${migrations} select * from kept on conflict do nothing`);
  expect((await ready()).status).toBe(200);
});

it('without its database the process is alive and not ready, and tells strangers no more than that', async () => {
  const db = connect('postgres://anna:geheim@127.0.0.1:1/none', () => {});
  const app = await buildApp({ ...test.deps, db, reads: db }, { baseUrl: () => '', pushServer: null });
  const alive = await app.inject('/healthz');
  expect({ status: alive.statusCode, body: alive.json() }).toEqual({
    status: 200,
    body: { status: 'ok', checks: {} },
  });
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  const away = { status: 'down', reason: 'not reachable' };
  expect(answer.json()).toMatchObject({
    status: 'down',
    checks: { database: away, migrations: away, outbox: away, changes: away, calendar: { status: 'ok' } },
  });
  expect(answer.body).not.toMatch(/geheim|127\.0\.0\.1/);
  await app.close();
});
