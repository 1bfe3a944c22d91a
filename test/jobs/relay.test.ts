import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connect, type Db } from '../../src/db/client.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { unitChannel } from '../../src/push/channels.ts';
import { enqueue, takeRevisions, type OutboxEvent } from '../../src/push/enqueue.ts';
import { outboxStatus, removePublished, retryDead, takePage } from '../../src/push/outbox-store.ts';
import { createPublisher, type Publisher } from '../../src/push/publisher.ts';
import { startRelay, type Relay } from '../../src/push/relay.ts';
import { createTestDatabase } from '../helpers/db.ts';
import { startFakePushService, type FakePushService, type Received } from '../helpers/fake-push-service.ts';

const app = { id: '1', key: 'key', secret: 'a secret of some length' };
const competitionId = randomUUID();
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Db;
let service: FakePushService;
let publisher: Publisher;
let relays: Relay[];

beforeEach(async () => {
  database = await createTestDatabase();
  db = connect(database.url, () => undefined);
  service = await startFakePushService();
  publisher = createPublisher({
    app,
    host: '127.0.0.1',
    port: service.port,
    tls: false,
    now: () => new Date(),
  });
  relays = [];
}, 60_000);

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  publisher.close();
  await service.close();
  await db.$client.end();
  await database.drop();
});

function relay(maxEventBytes = 250_000): Relay {
  const started = startRelay({
    url: database.url,
    publisher,
    maxEventBytes,
    baseUrl: 'https://example.org',
    now: () => new Date(),
    log: pino({ level: 'silent' }),
  });
  relays.push(started);
  return started;
}

function event(data: unknown, overrides: Partial<OutboxEvent> = {}): OutboxEvent {
  return {
    competitionId,
    channel: 'x-2026-GBR-open-overview',
    event: 'latest_attempt',
    data: JSON.stringify(data),
    coalesce: false,
    ...overrides,
  };
}

async function save(...events: OutboxEvent[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    await takeRevisions(tx, competitionId, 1);
    await enqueue(tx, events);
  });
}

/** A save that numbers its events the way revisions are numbered: under the lock. */
async function numberedSave(competitionId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await takeRevisions(tx, competitionId, 1);
    const result = await tx.execute<{ n: number }>(sql`select nextval('revisions') as n`);
    const n = result.rows[0]?.n;
    const channel = `x-${competitionId}`;
    await enqueue(tx, [
      event({ n }, { competitionId, channel: `${channel}-unit` }),
      event({ n }, { competitionId, channel }),
    ]);
  });
}

const empty = async () => expect((await outboxStatus(db)).rows).toBe(0);
const datas = (channel: string) =>
  service.accepted.filter((item) => item.channel === channel).map((item) => item.data);

function numbers(channel: string): number[] {
  return datas(channel).map((data) => Number(/\d+/.exec(data)?.[0]));
}

/** Whether each channel of the competitions got every save's event once and in order. */
function inOrder(competitions: string[], savesEach: number): boolean {
  return competitions
    .flatMap((id) => [numbers(`x-${id}`), numbers(`x-${id}-unit`)])
    .every((sent) => sent.length === savesEach && sent.every((n, i) => i === 0 || n > (sent[i - 1] ?? n)));
}

/** How many were killed: none while nobody leads. */
async function killLeader(): Promise<number> {
  const result = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and classid = 7302 and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return result.rows.length;
}

test('the bytes that were queued are the bytes that are published', async () => {
  relay();
  const data = '{"name": "Zoë \\u00d8 \\"x\\"",\n "n":1.50}';
  await save({ ...event({}), data });
  await eventually(() => expect(service.accepted.map((item) => item.data)).toEqual([data]));
  await eventually(empty);
});

test('what concurrent saves queue is published in order on every channel', async () => {
  relay();
  relay();
  const competitions = [randomUUID(), randomUUID(), randomUUID()];
  const writers = Array.from({ length: 9 }, async (_, writer) => {
    for (let save = 0; save < 20; save += 1) await numberedSave(competitions[writer % 3] ?? '');
  });
  await Promise.all(writers);
  await eventually(empty);
  expect(inOrder(competitions, 60)).toBe(true);
});

test('thousands of events of one save keep their order', async () => {
  await save(...Array.from({ length: 3000 }, (_, n) => event({ n })));
  relay();
  await eventually(empty);
  expect(numbers('x-2026-GBR-open-overview')).toEqual(Array.from({ length: 3000 }, (_, n) => n));
  expect(Math.max(...service.requests)).toBe(10);
});

test('of a page it is known whether something waits behind it', async () => {
  await save(...Array.from({ length: 199 }, (_, n) => event({ n })));
  const client = await db.$client.connect();
  const first = await takePage(client);
  await removePublished(
    client,
    first.rows.map(({ id }) => id),
  );
  const second = await takePage(client);
  client.release();
  expect([first.rows.length, first.isLast]).toEqual([100, false]);
  expect([second.rows.length, second.isLast]).toEqual([99, true]);
});

test('while the push service is away nothing is lost, and afterwards it arrives in order', async () => {
  const answers: (number | undefined)[] = [undefined, 500, 503, 401, 404, 429];
  let refusals = 0;
  service.answer = () => {
    const status = answers[refusals % answers.length];
    refusals += 1;
    return status === undefined ? undefined : { status };
  };
  const running = relay();
  const competitions = [randomUUID()];
  for (let save = 0; save < 30; save += 1) await numberedSave(competitions[0] ?? '');
  await eventually(() => expect(refusals).toBeGreaterThanOrEqual(answers.length));
  expect(service.accepted).toEqual([]);
  const waiting = await outboxStatus(db);
  expect(waiting).toMatchObject({ rows: 60, dead: 0 });
  expect(waiting.oldestSeconds).toBeGreaterThan(0);
  service.answer = () => ({ status: 200 });
  await eventually(empty);
  expect(inOrder(competitions, 30)).toBe(true);
  expect(running.status().counts).toMatchObject({ published: 60, dead: 0 });
});

const snapshot = (channel: string, n: number) => event({ n }, { channel, event: 'unit', coalesce: true });

test('of the snapshots of a unit that piled up only the newest is published, of attempts all', async () => {
  for (let n = 0; n < 150; n += 1) await save(snapshot('unit-1', n), event({ n }));
  await save(snapshot('unit-2', 0));
  const running = relay();
  await eventually(empty);
  expect(numbers('unit-1')).toEqual([149]);
  expect(numbers('unit-2')).toEqual([0]);
  expect(numbers('x-2026-GBR-open-overview')).toHaveLength(150);
  expect(running.status().counts).toMatchObject({ published: 152, stale: 149 });
});

const isBad = (item: Received) => item.data.includes('bad');

test('a unit that is saved again and again does not wait for the end of the queue', async () => {
  for (let n = 0; n < 150; n += 1) await save(snapshot('unit-1', n), event({ n }));
  relay();
  await eventually(() => expect(service.accepted.length).toBeGreaterThan(0));
  expect(service.accepted[0]).toMatchObject({ channel: 'unit-1', data: '{"n":149}' });
});

test('an event that is rejected is put aside, and those around it are published', async () => {
  service.answer = (batch) => ({ status: batch.some(isBad) ? 400 : 200 });
  await save(event({ n: 1 }), event({ n: 'bad' }), event({ n: 3 }), event({ n: 4 }));
  relay();
  await eventually(empty);
  expect(numbers('x-2026-GBR-open-overview')).toEqual([1, 3, 4]);
  expect(await outboxStatus(db)).toMatchObject({ rows: 0, dead: 1 });
  const result = await db.execute(sql`select last_error from outbox where dead`);
  expect(result.rows).toEqual([{ last_error: expect.stringContaining('HTTP 400') }]);

  service.answer = () => ({ status: 200 });
  expect(await retryDead(db)).toBe(1);
  await eventually(() => expect(service.accepted.at(-1)?.data).toBe('{"n":"bad"}'));
  await eventually(async () => expect(await outboxStatus(db)).toMatchObject({ rows: 0, dead: 0 }));
});

const unit = { eventId: 'F 1', round: 1, heat: 2 };
const channel = unitChannel({ year: 2026, countryId: 'GBR', slug: 'open' }, unit);
const bigUnit = event(
  {
    event_id: 'F 1',
    round_no: 1,
    heat_no: 2,
    channel,
    results: [{ bib: '1', splits: ['1'.repeat(500)] }],
    trials: ['2'.repeat(5000)],
  },
  { channel, event: 'unit', coalesce: true },
);
const reduced = {
  event_id: 'F 1',
  round_no: 1,
  heat_no: 2,
  channel,
  results: [{ bib: '1' }],
  too_large: true,
  url: 'https://example.org/x/2026/GBR/open/event/F%201/1/2/json/',
};
const received = () => service.accepted.map((item): unknown => JSON.parse(item.data));

test('a unit above the limit goes out reduced, with the address of the whole one', async () => {
  const running = relay(5000);
  await save(bigUnit, event({ n: 1 }));
  await eventually(empty);
  expect(received()).toEqual([reduced, { n: 1 }]);
  expect(service.requests).toEqual([2]);
  expect(running.status().counts).toMatchObject({ published: 2, reduced: 1 });
});

test('a unit that the push service finds too large goes out reduced', async () => {
  service.answer = (batch) => ({ status: batch.some((item) => item.data.length > 5000) ? 413 : 200 });
  await save(event({ n: 1 }), bigUnit, event({ n: 2 }));
  relay();
  await eventually(empty);
  expect(received()).toEqual([{ n: 1 }, reduced, { n: 2 }]);
});

test('what is too large however it is reduced is put aside', async () => {
  await save(bigUnit, event({ text: 'x'.repeat(200) }), event({ n: 1 }));
  relay(100);
  await eventually(empty);
  expect(received()).toEqual([{ n: 1 }]);
  expect(await outboxStatus(db)).toMatchObject({ dead: 2 });
});

test('a killed leader is followed by another, and at most the batch in flight is repeated', async () => {
  relay();
  relay();
  const competition = randomUUID();
  const kills = 4;
  const savers = Array.from({ length: 3 }, async () => {
    for (let save = 0; save < 40; save += 1) await numberedSave(competition);
  });
  const killer = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      const soFar = service.requests.length;
      await eventually(async () => expect(await killLeader()).toBe(1));
      await numberedSave(competition);
      await eventually(() => expect(service.requests.length).toBeGreaterThan(soFar));
    }
  })();
  await Promise.all([...savers, killer]);
  await eventually(empty);
  const sent = numbers(`x-${competition}`);
  expect(new Set(sent).size).toBe(120 + kills);
  expect(sent.length - 120 - kills).toBeLessThanOrEqual(kills * 10);
  const first = sent.filter((n, index) => sent.indexOf(n) === index);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
});

test('only one of several relays publishes, and the next takes over when it stops', async () => {
  const [one, two] = [relay(), relay()];
  const leaders = () => [one, two].filter((running) => running.status().leading);
  await eventually(() => expect(leaders()).toHaveLength(1));
  const [leader] = leaders();
  await leader?.stop();
  await eventually(() => expect(leaders()).toHaveLength(1));
  expect(leaders()[0]).not.toBe(leader);
});

test('stopping finishes the batch in flight and no other', async () => {
  let release: ((answer: { status: number }) => void) | undefined;
  service.answer = () => new Promise((resolve) => (release = resolve));
  await save(...Array.from({ length: 25 }, (_, n) => event({ n })));
  const running = relay();
  await eventually(() => expect(release).toBeDefined());
  const stopped = running.stop();
  release?.({ status: 200 });
  await stopped;
  expect(service.requests).toEqual([10]);
  expect((await outboxStatus(db)).rows).toBe(15);
});

test('stopping with time left publishes what waits first, also what came last', async () => {
  const running = relay();
  await eventually(() => expect(running.status().leading).toBe(true));
  await save(...Array.from({ length: 250 }, (_, n) => event({ n })));
  await running.stop(60_000);
  expect((await outboxStatus(db)).rows).toBe(0);
  expect(service.accepted).toHaveLength(250);
});

test('stopping with time left does not wait for a push service that takes nothing', async () => {
  service.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } });
  const [running, other] = [relay(), relay()];
  await save(event({ n: 1 }));
  await eventually(() => expect(service.requests).not.toEqual([]));
  await Promise.all([running.stop(60_000), other.stop(60_000)]);
  expect((await outboxStatus(db)).rows).toBe(1);
});
