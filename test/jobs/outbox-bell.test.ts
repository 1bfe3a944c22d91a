// Who is told of a save, and how: in this process directly, in others by the database.
import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { createOutboxBell, type OutboxBell } from '../../src/push/outbox-bell.ts';
import { startTestApp } from '../helpers/app.ts';
import { createTestDatabase } from '../helpers/db.ts';

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
    told: () => Promise.all(told),
    /** Everything that was told before has arrived. */
    settle: () => client.query('select'),
  };
}

function leadsHere(bell: OutboxBell) {
  const heard = { times: 0 };
  const ends = [0, 1].map(() => bell.hear(() => void (heard.times += 1)));
  return { heard, end: () => ends.forEach((end) => end()) };
}

async function world() {
  const database = await createTestDatabase();
  const db = connect(database.url, () => {}, 1);
  onTestFinished(async () => {
    await db.$client.end();
    await database.drop();
  });
  return { db, bell: createOutboxBell(db), other: await otherProcess(database.url) };
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

test('a save rings after its commit, and tells nobody by it', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const { post, patch } = await app.as('ADMIN_GBR');
  const fields = { full_name: 'Open', slug: 'open', country_id: 'GBR', date: '2026-07-18' };
  const { id } = (await post('/api/v1/competitions/', fields)).body;
  await patch(`/api/v1/competitions/${id}/settings`, { push_notifications: true });
  const events = [{ event_id: 'T1', event_code: '100', name: '100 m', units: [{ round: 1, heat: 1 }] }];
  await post(`/api/v1/competitions/${id}`, { events });
  const other = await otherProcess(app.ownerUrl);
  const save = (performance: string) =>
    patch(`/api/v1/competitions/${id}/events/T1/units/1/1`, { results: [{ bib: '1', performance }] });

  const before = Number((await app.db.execute('select count(*) from outbox')).rows[0]!['count']);
  expect((await save('10.01')).status).toBe(200);
  await vi.waitFor(async () => expect(await other.told()).toHaveLength(1));
  const [waited] = await other.told();
  expect(waited).toBeGreaterThan(before);

  const { heard } = leadsHere(app.deps.outboxBell);
  expect((await save('10.02')).status).toBe(200);
  expect(heard.times).toBe(2);
  await other.settle();
  expect(await other.told()).toHaveLength(1);
});
