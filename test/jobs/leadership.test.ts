// The lock that one process leads with, when that process hangs: another gets it, however much Postgres wants to tell the first.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { follow, trySessionLock } from '../../src/db/session-lock.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/db.ts';
import { runSql } from '../helpers/sql.ts';

const LOCK = 7399;
const SILENCE_MS = 1000;
const soon = { timeout: 30_000, interval: 20 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** One that leads and listens; its socket is open, and read from until it is paused. */
async function leader() {
  const client = await connected();
  await client.query('listen news');
  expect(await trySessionLock(client, LOCK)).toBe(true);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { stream } = (client as unknown as { connection: { stream: NodeJS.ReadStream } }).connection;
  return { client, stream, pid: rows[0]!.pid };
}

async function follower() {
  const client = await connected();
  const leaving = new AbortController();
  const heard = { refused: 0, ended: 0 };
  const leads = follow(client, {
    lock: LOCK,
    silenceMs: SILENCE_MS,
    onRefused: () => (heard.refused += 1),
    onEnded: () => (heard.ended += 1),
    until: leaving.signal,
  });
  return { client, leads, heard, leave: () => leaving.abort() };
}

const tellMuch = () =>
  runSql(
    database.url,
    `select count(pg_notify('news', n || repeat('x', 7000))) from generate_series(1, 500) n`,
  );
const waitsFor = async (pid: number) =>
  (await runSql(database.url, 'select wait_event from pg_stat_activity where pid = $1', [pid]))[0]?.[
    'wait_event'
  ];

test('a leader that hangs while Postgres wants to tell it something loses the lock', async () => {
  const hanging = await leader();
  const next = await follower();
  hanging.stream.pause();
  await vi.waitFor(async () => {
    await tellMuch();
    expect(await waitsFor(hanging.pid)).toBe('ClientWrite');
  }, soon);
  await expect(next.leads).resolves.toBe(true);
  expect(next.heard.ended).toBe(1);
  const lost = new Promise((resolve) => hanging.client.once('end', resolve));
  hanging.stream.resume();
  await lost;
  await next.client.end();
});

test('a leader that listens keeps the lock, however long it has had nothing to say', async () => {
  const listening = await leader();
  const next = await follower();
  await tellMuch();
  // Several looks at who has it, each long after the leader last spoke.
  await vi.waitFor(() => expect(next.heard.refused).toBeGreaterThan(12), soon);
  await expect(listening.client.query('select')).resolves.toMatchObject({ rowCount: 1 });
  expect(next.heard.ended).toBe(0);
  next.leave();
  await expect(next.leads).resolves.toBe(false);
  await Promise.all([next.client.end(), listening.client.end()]);
});
