// Who is told of a save, and how: in this process directly, in others by the database.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect, type Tx, urlNow } from '../../src/db/client.ts';
import { inRehearsal, inTransaction } from '../../src/db/transaction.ts';
import { createDeps } from '../../src/deps.ts';
import { enqueue } from '../../src/push/enqueue.ts';
import { outboxBellOf } from '../../src/push/outbox-bell.ts';
import { type Answer, startTestApp } from '../helpers/app.ts';
import { createTestDatabase } from '../helpers/db.ts';
import { leadsHere } from '../helpers/leads-here.ts';

/** Another process: how often it was told, and how much waited then. */
async function otherProcess(url: string) {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const told: Promise<number>[] = [];
  const waiting = async () => Number((await client.query('select count(*) from outbox')).rows[0]!.count);
  client.on('notification', () => void told.push(waiting()));
  await client.query('listen outbox');
  return {
    waiting,
    told: () => Promise.all(told),
    /** Everything that was told before has arrived. */
    settle: () => client.query('select'),
  };
}

type Other = Awaited<ReturnType<typeof otherProcess>>;

async function world() {
  const database = await createTestDatabase();
  const db = connect(database.url, () => {}, 1);
  onTestFinished(async () => {
    await db.$client.end();
    await database.drop();
  });
  return { db, bell: outboxBellOf(db), other: await otherProcess(database.url) };
}

test('rings during one that is under way are one more', async () => {
  const { db, bell, other } = await world();
  for (let time = 0; time < 50; time += 1) bell.ring();
  await vi.waitFor(async () => expect(await other.told()).toHaveLength(2));
  bell.ring();
  await vi.waitFor(async () => expect(await other.told()).toHaveLength(3));
  expect(db.$client.waitingCount).toBe(0);
});

test('where all who want to hear are in this process, the database is not asked', async () => {
  const { bell, other } = await world();
  const { heard, end } = leadsHere(bell);
  bell.ring();
  expect(heard.times).toBe(2);
  await other.settle();
  expect(await other.told()).toEqual([]);
  end();
  bell.ring();
  await vi.waitFor(async () => expect(await other.told()).toHaveLength(1));
  expect(heard.times).toBe(2);
});

test('a database that is away fails no ring, and the next one is heard', async () => {
  const { db, bell, other } = await world();
  const away = vi.spyOn(db.$client, 'connect').mockImplementationOnce(() => {
    throw new Error('away');
  });
  bell.ring();
  await vi.waitFor(() => expect(away).toHaveBeenCalledTimes(1));
  await other.settle();
  expect(await other.told()).toEqual([]);
  bell.ring();
  await vi.waitFor(async () => expect(await other.told()).toHaveLength(1));
});

async function openMeet() {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  // What is done here, no other process is told.
  const { end } = leadsHere(outboxBellOf(app.deps.db));
  const { post, patch, request, token } = await app.as('ADMIN_GBR');
  const fields = { full_name: 'Open', slug: 'open', country_id: 'GBR', date: '2026-07-18' };
  const { id } = (await post('/api/v1/competitions/', fields)).body;
  await patch(`/api/v1/competitions/${id}/settings`, { push_notifications: true });
  const units = [{ round: 1, heat: 1 }];
  const events = [
    { event_id: 'T1', event_code: '100', name: '100 m', units },
    { event_id: 'F1', event_code: 'SP', name: 'Shot put', units: [{ ...units[0], results: [{ bib: '1' }] }] },
    { event_id: 'D', event_code: 'DEC', name: 'Decathlon', units },
    { event_id: 'D1', event_code: '100', name: '100 m', parent: 'D', units },
  ];
  expect((await post(`/api/v1/competitions/${id}`, { events })).status).toBe(200);
  end();
  const results = (eventId: string) => (performance: string) =>
    patch(`/api/v1/competitions/${id}/events/${eventId}/units/1/1`, { results: [{ bib: '1', performance }] });
  const upload = (performance: string) => ({
    events: [{ ...events[0], units: [{ ...units[0], results: [{ bib: '1', performance }] }] }],
  });
  const saves = {
    'a unit': results('T1'),
    'a part of a combined event': results('D1'),
    'an attempt sent with a key': (performance: string) =>
      post(
        `/api/v1/competitions/${id}/events/F1/units/1/1/attempts`,
        { bib: '1', round: Number(performance.at(-1)), result: performance },
        { 'idempotency-key': performance },
      ),
    'an upload': (performance: string) => post(`/api/v1/competitions/${id}`, upload(performance)),
    // Spaces are as good as athletes.
    'a large upload': (performance: string) =>
      request({
        method: 'POST',
        url: `/api/v1/competitions/${id}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify(upload(performance)) + ' '.repeat(300_000),
      }),
  };
  return { app, saves, other: await otherProcess(app.ownerUrl) };
}

const kinds = ['a unit', 'a part of a combined event', 'an attempt sent with a key', 'an upload'] as const;

test.each(kinds)('%s is told of after its commit', async (kind) => {
  const { app, saves, other } = await openMeet();
  expect(await firstTold(other, () => saves[kind]('10.01'))).toBe('what it left');
  const { heard } = leadsHere(outboxBellOf(app.deps.db));
  expect((await saves[kind]('10.02')).status).toBeLessThan(300);
  expect(heard.times).toBe(2);
  await other.settle();
  expect(await other.told()).toHaveLength(1);
});

test('a large upload, too, whose thread has a bell of its own', async () => {
  const { saves, other } = await openMeet();
  expect(await firstTold(other, () => saves['a large upload']('10.01'))).toBe('what it left');
});

/** What another process finds when it is told of the first save. */
async function firstTold(other: Other, save: () => Promise<Answer>) {
  const before = await other.waiting();
  expect((await save()).status).toBeLessThan(300);
  await vi.waitFor(async () => expect(await other.told()).toHaveLength(1));
  const [waiting] = await other.told();
  return waiting! > before ? 'what it left' : 'nothing';
}

const leaveEvent = (tx: Tx) =>
  enqueue(tx, [
    { competitionId: randomUUID(), channel: 'x', event: 'latest_attempt', data: '{}', coalesce: false },
  ]);

test('who ends right after a commit, as a command does, has told of it', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const other = await otherProcess(app.ownerUrl);
  const { config, databaseUrl } = app.deps;
  const own = { ...config, DATABASE_URL: urlNow(databaseUrl), DATABASE_MIGRATION_URL: app.ownerUrl };
  const { deps, close } = await createDeps(own, app.deps.log);
  await inTransaction(deps.db, leaveEvent);
  await close();
  await other.settle();
  expect(await other.told()).toEqual([1]);
});

test('what is undone rings for nobody', async () => {
  const { db, bell } = await world();
  const { heard } = leadsHere(bell);
  await inRehearsal(db, leaveEvent);
  expect(heard.times).toBe(0);
  await inTransaction(db, async (tx) => {
    await leaveEvent(tx);
    await leaveEvent(tx);
    expect(heard.times).toBe(0);
  });
  expect(heard.times).toBe(2);
});
