import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectBeside } from '../../src/db/client.ts';
import { startHeartbeat, type Heartbeat } from '../../src/push/server-heartbeat.ts';
import {
  addServer,
  giveUpServer,
  listGivenUp,
  listServers,
  removeServer,
  sortOutServers,
  takeServerBack,
} from '../../src/push/server-store.ts';
import { createTestDatabase } from '../helpers/db.ts';
import { runSql } from '../helpers/sql.ts';

const A = 'http://10.0.0.1:3000';
const B = 'http://10.0.0.2:3000';
const PATIENCE = { timeout: 20_000, interval: 20 };

async function world() {
  const database = await createTestDatabase();
  const db = connectBeside(database.url, () => {});
  const heartbeats: Heartbeat[] = [];
  onTestFinished(async () => {
    for (const heartbeat of heartbeats) await heartbeat.stop();
    await db.$client.end();
    await database.drop();
  });
  const missed: string[] = [];
  return {
    db,
    missed,
    enter: async (address: string) => {
      const onMissed = () => void missed.push(address);
      const heartbeat = await startHeartbeat({
        db,
        address,
        onMissed,
        now: () => new Date(),
        log: pino({ level: 'silent' }),
      });
      heartbeats.push(heartbeat);
      return heartbeat;
    },
    seen: async (address: string) => {
      const sql = 'select seen_at::text from push_servers where address = $1';
      return (await runSql(database.url, sql, [address]))[0]?.['seen_at'];
    },
    age: (address: string, seconds: number) =>
      runSql(
        database.url,
        `update push_servers set seen_at = seen_at - make_interval(secs => $2) where address = $1`,
        [address, seconds],
      ),
  };
}

test('a server is on the list from the moment it enters until it leaves', async () => {
  const { db, enter } = await world();
  const [a] = [await enter(A), await enter(B)];
  expect((await listServers(db)).toSorted()).toEqual([A, B]);
  await a.stop();
  expect(await listServers(db)).toEqual([B]);
});

test('of servers that take nothing only those without a heartbeat are removed', async () => {
  const { db, age } = await world();
  await addServer(db, { address: A, instance: randomUUID() });
  await addServer(db, { address: B, instance: randomUUID() });
  await age(A, 30);
  expect(await sortOutServers(db, [A, B])).toEqual({ removed: [A], left: [B] });
  expect(await sortOutServers(db, [A, B])).toEqual({ removed: [], left: [B] });
});

test('a living server keeps its heartbeat fresh', async () => {
  const { db, enter, age, seen } = await world();
  await enter(A);
  await age(A, 30);
  const before = await seen(A);
  await vi.waitFor(async () => expect(await seen(A)).not.toBe(before), PATIENCE);
  expect(await sortOutServers(db, [A])).toEqual({ removed: [], left: [A] });
});

test('a server that was taken for dead enters again and hears that it missed events', async () => {
  const { db, enter, age, missed } = await world();
  await enter(A);
  await vi.waitFor(async () => {
    // A heartbeat that comes between is late, which is told too.
    missed.length = 0;
    await age(A, 30);
    expect((await sortOutServers(db, [A])).removed).toEqual([A]);
  }, PATIENCE);
  await vi.waitFor(() => expect(missed).toEqual([A]), PATIENCE);
  expect(await listServers(db)).toEqual([A]);
});

test('a server whose heartbeat comes back after a gap hears that it may have missed events, once', async () => {
  const { enter, age, seen, missed } = await world();
  await enter(A);
  await age(A, 6);
  const before = await seen(A);
  await vi.waitFor(async () => expect(await seen(A)).not.toBe(before), PATIENCE);
  const first = await seen(A);
  await vi.waitFor(async () => expect(await seen(A)).not.toBe(first), PATIENCE);
  expect(missed).toEqual([A]);
});

test('a server that was given up is off the list and knows it, until it is taken back', async () => {
  const { db, enter, missed } = await world();
  const a = await enter(A);
  expect(a.isServed()).toBe(true);
  await giveUpServer(db, A);
  expect([await listServers(db), await listGivenUp(db)]).toEqual([[], [A]]);
  await vi.waitFor(() => expect([a.isServed(), missed.length > 0]).toEqual([false, true]), PATIENCE);
  await takeServerBack(db, A);
  expect([await listServers(db), await listGivenUp(db)]).toEqual([[A], []]);
  await vi.waitFor(() => expect(a.isServed()).toBe(true), PATIENCE);
});

test('a server that was given up and dies leaves the list, and one started again at its address is on it', async () => {
  const { db, age } = await world();
  for (const address of [A, B]) {
    await addServer(db, { address, instance: randomUUID() });
    await giveUpServer(db, address);
  }
  await age(A, 30);
  expect(await listGivenUp(db)).toEqual([B]);
  await addServer(db, { address: B, instance: randomUUID() });
  expect(await listServers(db)).toEqual([B]);
});

test('after a restart at the same address the one before can no longer take it off the list', async () => {
  const { db } = await world();
  const before = { address: A, instance: randomUUID() };
  await addServer(db, before);
  await addServer(db, { address: A, instance: randomUUID() });
  await removeServer(db, before);
  expect(await listServers(db)).toEqual([A]);
});

test('what was killed long ago is forgotten when the next server enters', async () => {
  const { db, enter, age } = await world();
  await addServer(db, { address: A, instance: randomUUID() });
  await age(A, 3600);
  await enter(B);
  expect(await listServers(db)).toEqual([B]);
});
