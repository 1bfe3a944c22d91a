import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { buildApp, streamsOf } from '../../src/app.ts';
import { connect, urlNow } from '../../src/db/client.ts';
import { changeHints, outbox } from '../../src/db/schema.ts';
import { createPushServer } from '../../src/push/server/push-server.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { get } from '../helpers/http-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment } from '../helpers/server.ts';
import { competition } from '../helpers/factories.ts';
import { fieldUnit } from '../helpers/field-unit.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

type Samples = Map<string, number>;

/** Values by series, as written: name{labels}. */
function samplesOf(text: string): Samples {
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const scrape = async (): Promise<Samples> => samplesOf((await test.get('/metrics')).text);
const requests = (samples: Samples) =>
  [...samples].filter(([series]) => series.startsWith('http_request_duration_seconds_count'));

it('answers in the text format of Prometheus, without a token', async () => {
  const { status, headers, text } = await test.get('/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const names = [...samplesOf(text).keys()].map((series) => series.split('{')[0]);
  expect(names).toEqual(
    expect.arrayContaining([
      'outbox_rows',
      'outbox_oldest_seconds',
      'outbox_dead_rows',
      'build_info',
      'push_events_total',
      'db_pool_total',
      'db_pool_idle',
      'db_pool_waiting',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
    ]),
  );
  const declared = text.match(/^# TYPE \S+/gm) ?? [];
  expect(new Set(declared).size).toBe(declared.length);
});

it('counts requests by route pattern, method and status, however many addresses are asked for', async () => {
  const admin = await test.as('ADMIN_GBR');
  const { body } = await admin.post('/api/v1/competitions/', competition());
  await admin.get(`/api/v1/competitions/${body.id}`);
  await admin.get('/api/v1/competitions/00000000-0000-4000-8000-000000000000');
  const before = requests(await scrape()).length;
  for (let n = 0; n < 20; n += 1) await test.get(`/made-up/${n}`);
  for (let n = 0; n < 20; n += 1) await admin.get(`/api/v1/competitions/${n}`);
  const counts = requests(await scrape());
  expect(counts.length).toBeLessThanOrEqual(before + 2);
  const series = new Map(counts);
  const count = (labels: string) => series.get(`http_request_duration_seconds_count{${labels}}`);
  expect(count('route="/api/v1/competitions/:comp_id",method="GET",status="200"')).toBe(1);
  expect(count('route="/api/v1/competitions/:comp_id",method="GET",status="404"')).toBe(21);
  expect(count('route="none",method="GET",status="404"')).toBe(20);
  expect(JSON.stringify(counts)).not.toContain(body.id);
});

it('tells how many events wait', async () => {
  const before = (await scrape()).get('outbox_rows')!;
  await fieldUnit(await test.as('ADMIN_GBR'));
  const after = await scrape();
  expect(after.get('outbox_rows')).toBeGreaterThan(before);
  expect(after.get('outbox_oldest_seconds')).toBeGreaterThan(0);
});

it('tells how many saves the feed of changes does not tell of yet, for how long, and how many follow it', async () => {
  // As whoever numbers takes them.
  await test.db.delete(changeHints);
  const numbered = await scrape();
  expect(numbered.get('changes_unnumbered_saves')).toBe(0);
  expect(numbered.get('changes_unnumbered_oldest_seconds')).toBe(0);
  await (await test.as('ADMIN_GBR')).post('/api/v1/competitions/', competition());
  const before = await scrape();
  expect(before.get('changes_unnumbered_saves')).toBe(1);
  expect(before.get('changes_unnumbered_oldest_seconds')).toBeGreaterThan(0);
  expect(before.get('change_streams')).toBe(0);
  const changeStreams = { ...streamsOf(test.deps), count: () => 7 };
  const app = await buildApp(test.deps, { baseUrl: () => '', pushServer: null, changeStreams });
  expect(samplesOf((await app.inject('/metrics')).body).get('change_streams')).toBe(7);
  await app.close();
});

it('tells of what is the whole database’s by the process that publishes alone, and which one that is', async () => {
  const row = { competitionId: randomUUID(), channel: 'x', event: 'unit', data: '{}', dead: true };
  await test.db.insert(outbox).values(row);
  const scrapeOf = async (leading: boolean) => {
    const app = await buildApp(test.deps, { baseUrl: () => '', pushServer: null, leads: () => leading });
    const samples = samplesOf((await app.inject('/metrics')).body);
    await app.close();
    return ['push_leader', 'outbox_dead_rows', 'outbox_rows', 'outbox_oldest_seconds'].map((name) =>
      samples.get(name),
    );
  };
  expect(await scrapeOf(true)).toEqual([1, 1, expect.any(Number), expect.any(Number)]);
  expect(await scrapeOf(false)).toEqual([0, undefined, undefined, undefined]);
});

it('counts events by what became of them, and push clients, where there is a push server', async () => {
  const { deps } = test;
  const pushServer = createPushServer({
    app: deps.pushApp,
    maxEventBytes: 1000,
    maxConnections: 1,
    maxConnectionsPerAddress: 1,
    log: deps.log,
  });
  const counts = { published: 7, reduced: 2, stale: 3, dead: 1, failed: 4 };
  const app = await buildApp(deps, { baseUrl: () => '', pushServer, pushCounts: () => counts });
  const scraped = async () => samplesOf((await app.inject('/metrics')).body);
  await scraped();
  const samples = await scraped();
  const outcomes = ['published', 'reduced', 'stale', 'dead', 'failed'];
  const values = outcomes.map((outcome) => samples.get(`push_events_total{outcome="${outcome}"}`));
  expect(values).toEqual([5, 2, 3, 1, 4]);
  expect(samples.get('push_connections')).toBe(0);
  await app.close();
});

it('without a database everything else is still there', async () => {
  const db = connect('postgres://nobody@127.0.0.1:1/none', () => {});
  const deps = { ...test.deps, config: loadConfig({}), db, reads: db };
  const app = await buildApp(deps, { baseUrl: () => '', pushServer: null });
  const answer = await app.inject('/metrics');
  expect(answer.statusCode).toBe(200);
  const samples = samplesOf(answer.body);
  expect(samples.get('outbox_rows')).toBeUndefined();
  expect(samples.get('outbox_oldest_seconds')).toBeUndefined();
  expect(samples.get('db_pool_total')).toBe(0);
  await app.close();
});

it('a database that never answers does not keep /metrics from answering', async () => {
  const db = connect(urlNow(test.deps.databaseUrl), () => {}, 1);
  const held = await db.$client.connect();
  const app = await buildApp({ ...test.deps, reads: db }, { baseUrl: () => '', pushServer: null });
  const samples = samplesOf((await app.inject('/metrics')).body);
  expect(samples.get('outbox_rows')).toBeUndefined();
  expect(samples.get('changes_unnumbered_saves')).toBeUndefined();
  // That about the outbox, that about the feed of changes, and that about webhooks.
  expect(samples.get('db_pool_waiting')).toBe(3);
  held.release();
  await app.close();
  await db.$client.end();
});

it('tells how long the last calendar build took and when it was, and nothing before there was one', async () => {
  expect([...(await scrape()).keys()].filter((series) => series.startsWith('calendar_'))).toEqual([]);
  const startedSeconds = Date.now() / 1000;
  const { baseUrl } = await serve(await databaseEnvironment());
  await vi.waitFor(async () => {
    const samples = samplesOf((await get(`${baseUrl}/metrics`)).text);
    expect(samples.get('calendar_build_seconds')).toBeGreaterThan(0);
    expect(samples.get('calendar_built_timestamp_seconds')).toBeGreaterThanOrEqual(
      Math.floor(startedSeconds),
    );
  }, 20_000);
});
