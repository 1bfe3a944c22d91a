// What the log says while the relay is without the push service, or without the database: little, and no secret.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { enqueue, takeRevisions } from '../../src/push/enqueue.ts';
import { createPublisher } from '../../src/push/publisher.ts';
import { startRelay, type RelayOptions } from '../../src/push/relay.ts';
import { createTestDatabase } from '../helpers/db.ts';
import { startFakePushService } from '../helpers/fake-push-service.ts';
import { runSql } from '../helpers/sql.ts';

const app = { id: '1', key: 'key', secret: 'a secret of some length' };
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });

async function world() {
  const database = await createTestDatabase();
  const service = await startFakePushService();
  const clock = { now: new Date('2026-06-01T12:00:00.000Z') };
  const now = () => clock.now;
  const target = { app, host: '127.0.0.1', port: service.port, tls: false };
  const publisher = createPublisher({ ...target, now });
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const ends: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const end of ends) await end();
    publisher.close();
    await service.close();
    await database.drop();
  });
  return {
    database,
    service,
    lines,
    told: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    advance: (seconds: number) => void (clock.now = new Date(clock.now.getTime() + seconds * 1000)),
    relay: (options: Partial<RelayOptions>) => {
      const given = { url: database.url, publisher, maxEventBytes: 250_000, baseUrl: 'https://example.org' };
      const relay = startRelay({ ...given, now, log, ...options });
      ends.push(() => relay.stop());
      return relay;
    },
  };
}

async function saveOne(url: string): Promise<void> {
  const db = connect(url, () => {}, 1);
  const competitionId = randomUUID();
  const channel = 'x-2026-GBR-open-overview';
  await inTransaction(db, async (tx) => {
    await takeRevisions(tx, competitionId, 1);
    await enqueue(tx, [{ competitionId, channel, event: 'latest_attempt', data: '{}', coalesce: false }]);
  });
  await db.$client.end();
}

test('an outage of the push service is a line at its begin, one a minute, one at its end, none with a secret', async () => {
  const { database, service, lines, told, advance, relay } = await world();
  let refusals = 0;
  service.answer = () => {
    const { query } = service.signed.at(-1)!;
    if (refusals > 0) advance(10);
    refusals += 1;
    // As the hosted service quotes what it refuses.
    const body = `Invalid signature of ${app.secret}: you sent ${query.toString()} ${query.get('auth_signature')}`;
    return refusals <= 15 ? { status: 401, body } : { status: 200 };
  };
  await saveOne(database.url);
  relay({ heldMsMax: 5 });
  // Accepted there is not yet heard of here.
  await eventually(() => expect(told()).toHaveLength(4));
  expect(service.accepted).toHaveLength(1);
  expect(told().map(({ level, msg, seconds, tries }) => [level, msg, seconds, tries])).toEqual([
    [40, 'the push service takes no events; they wait', undefined, undefined],
    [40, 'the push service still takes no events; they wait', 60, 7],
    [40, 'the push service still takes no events; they wait', 120, 13],
    [40, 'the push service takes events again', 150, 15],
  ]);
  expect(lines[0]).toContain('HTTP 401 Invalid signature');
  expect(lines.join('')).not.toContain(app.secret);
  for (const { query } of service.signed) expect(lines.join('')).not.toContain(query.get('auth_signature'));
});

test('the time without the database is told in the same way', async () => {
  const { database, lines, told, advance, relay } = await world();
  const url = { now: database.url };
  let asked = 0;
  const running = relay({
    url: () => {
      // Counted from the first line on: what was asked when the connection was lost failed, too, or nothing was asked.
      if (url.now !== database.url && lines.length > 0) {
        asked += 1;
        advance(40);
      }
      return url.now;
    },
  });
  await eventually(() => expect(running.status().leading).toBe(true));
  url.now = 'postgres://127.0.0.1:1/none';
  await runSql(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like '% relay' and datname = current_database()`,
  );
  await eventually(() => expect(asked).toBe(3));
  url.now = database.url;
  await eventually(() => expect(running.status().leading).toBe(true));
  await eventually(() => expect(lines).toHaveLength(3));
  expect(told().map(({ msg, seconds, tries }) => [msg, seconds, tries])).toEqual([
    ['the relay lost its database connection', undefined, undefined],
    ['the relay still has no database connection', 80, 3],
    ['the relay has its database connection again', 120, 4],
  ]);
});
