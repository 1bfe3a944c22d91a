// Connections to the database that are lost at bad moments, as a transaction sees them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { connect, type Db } from '../../src/db/client.ts';
import { prepared } from '../../src/db/prepared.ts';
import { outageOf } from '../../src/db/sqlstate.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/db.ts';
import { runSql } from '../helpers/sql.ts';
import { startProxy, through } from '../helpers/tcp-proxy.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await runSql(database.url, 'create table notes (note text)');
});
afterAll(() => database.drop());

async function world<Result>(
  work: (db: Db, proxy: Awaited<ReturnType<typeof startProxy>>) => Promise<Result>,
) {
  const proxy = await startProxy(Number(new URL(database.url).port));
  const lost: Error[] = [];
  const db = connect(through(proxy, database.url), (error) => lost.push(error), 2);
  try {
    return await work(db, proxy);
  } finally {
    await db.$client.end();
  }
}

const note = (db: Db, text: string, meanwhile = async () => {}) =>
  inTransaction(db, async (tx) => {
    await tx.execute(sql`insert into notes values (${text})`);
    await meanwhile();
    await tx.execute(sql`select 1`);
  });
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
const count = async (text: string) =>
  (await runSql(database.url, 'select note from notes where note = $1', [text])).length;

function withResolvers() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

const endIdle = () =>
  runSql(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction'`,
  );

test('a connection cut in the midst of a transaction fails it, changes nothing, and costs nobody else anything', () =>
  world(async (db, proxy) => {
    const error = await failure(
      note(db, 'cut', async () => {
        proxy.cut();
        // While nobody waits for an answer nobody but the connection's own listener hears of it.
        await pause();
      }),
    );
    expect(outageOf(error)).toBe('nothing was changed');
    expect(await count('cut')).toBe(0);
    await note(db, 'after the cut');
    expect(await count('after the cut')).toBe(1);
    expect(db.$client.totalCount).toBe(1);
  }));

test('a transaction that Postgres ends for its idleness changes nothing, and its connection is not used again', () =>
  world(async (db) => {
    const error = await failure(note(db, 'idle', async () => void (await endIdle(), await pause())));
    expect(outageOf(error)).toBe('nothing was changed');
    await note(db, 'after idling');
    expect(await count('after idling')).toBe(1);
  }));

test('when the answer to a commit is lost it is not known whether it was saved', () =>
  world(async (db, proxy) => {
    const lost = proxy.loseAnswer('COMMIT');
    const error = await failure(note(db, 'committed'));
    await lost;
    expect(outageOf(error)).toBe('unknown');
    expect(await count('committed')).toBe(1);
  }));

const addNote = prepared<[note: string], object>('add_note', 'insert into notes values ($1)');

test('so it is of a statement by itself; and known of one that found no connection', () =>
  world(async (db, proxy) => {
    const lost = proxy.loseAnswer('INSERT 0 1');
    expect(outageOf(await failure(addNote(db, 'alone')))).toBe('unknown');
    await lost;
    expect(await count('alone')).toBe(1);
    proxy.refuse(true);
    expect(outageOf(await failure(addNote(db, 'refused')))).toBe('nothing was changed');
    expect(outageOf(await failure(note(db, 'refused')))).toBe('nothing was changed');
    expect(await count('refused')).toBe(0);
  }));

test('no connection is kept that leads to a database which takes no writes', () =>
  world(async (db) => {
    const error = await failure(
      inTransaction(db, async (tx) => {
        await tx.execute(sql`set transaction read only`);
        await tx.execute(sql`insert into notes values ('read-only')`);
      }),
    );
    expect(outageOf(error)).toBe('nothing was changed');
    expect(db.$client.totalCount).toBe(0);
  }));

test('transactions of one competition leave connections for those of others', () =>
  world(async (db) => {
    let running = 0;
    const { promise: released, resolve: free } = withResolvers();
    const work = async () => {
      running += 1;
      await released;
    };
    const hang = () => inTransaction(db, work, 'a');
    const hanging = [hang(), hang(), hang()];
    await note(db, 'another');
    expect(await count('another')).toBe(1);
    await expect.poll(() => running).toBe(1);
    free();
    await Promise.all(hanging);
    expect(running).toBe(3);
  }));

test('every connection carries the limits that free what a hanging process holds', () =>
  world(async (db) => {
    const names = [
      'idle_in_transaction_session_timeout',
      'lock_timeout',
      'statement_timeout',
      'tcp_user_timeout',
    ];
    const { rows } = await db.$client.query(
      'select name, setting from pg_settings where name = any($1) order by name',
      [names],
    );
    expect(rows.filter(({ setting }) => Number(setting) > 0).map(({ name }) => name)).toEqual(names);
    const again = connect(
      `${database.url}${database.url.includes('?') ? '&' : '?'}options=-c%20work_mem%3D8MB`,
      () => {},
    );
    const shown = await again.$client.query(
      `select current_setting('work_mem') as own, current_setting('lock_timeout') as ours`,
    );
    expect(shown.rows).toEqual([{ own: '8MB', ours: '12s' }]);
    await again.$client.end();
  }));
