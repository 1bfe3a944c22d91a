// /metrics in the text format of Prometheus: the build, requests by route, outbox and leadership, what became of events, push
// clients, the feed of changes and webhooks, calendar files, database connections, the process.
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { calendarFolder, currentYears } from '../calendar/build.ts';
import { lastBuilt } from '../calendar/write.ts';
import { numberingStatus, type NumberingStatus } from '../changes/store.ts';
import type { Deps } from '../deps.ts';
import type { PushServer } from '../push/server/push-server.ts';
import type { DispatchCounts } from '../push/dispatch.ts';
import { outboxStatus, type OutboxStatus } from '../push/outbox-store.ts';
import type { SenderCounts } from '../webhooks/sender.ts';
import { countWebhooks, type WebhookCounts } from '../webhooks/store.ts';

export type MetricsOptions = {
  deps: Deps;
  pushServer: PushServer | null;
  /** Of this process's relay; undefined until it runs. */
  pushCounts: () => DispatchCounts | undefined;
  /** Whether this process is the one that publishes; undefined until it takes part. */
  leads: () => boolean | undefined;
  /** Of this process's sender of webhooks; undefined until it runs. */
  webhookCounts: () => SenderCounts | undefined;
  /** Open streams of changes in this process. */
  changeStreams: () => number;
  /** How long this process took to build the calendar files the last time. */
  calendarBuildSeconds: () => number | undefined;
};

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
// A scraper waits ten seconds for everything.
const OUTBOX_TIMEOUT_MS = 2000;

/** To be registered before the routes whose requests are measured. */
export const metrics = fastifyPlugin(
  async (app: FastifyInstance, options: MetricsOptions) => {
    const registry = new Registry();
    // Of the whole database, and so told by one process alone: sums over replicas are right.
    const byLeader =
      <Value>(read: (db: Deps['reads']) => Promise<Value>) =>
      async () =>
        options.leads() === false ? undefined : read(options.deps.reads);
    const readOutbox = outboxGauges(registry, byLeader(outboxStatus));
    const readNumbering = numberingGauges(registry, byLeader(numberingStatus));
    const readWebhooks = webhookGauges(registry, byLeader(countWebhooks));
    countEvents(registry, options.pushCounts);
    countAttempts(registry, options.webhookCounts);
    addGauges(registry, options);
    measureRequests(app, registry);
    const ofProcess = processRegistry();
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
      await Promise.all([readOutbox(), readNumbering(), readWebhooks()]);
      const texts = await Promise.all([registry.metrics(), ofProcess.metrics()]);
      return reply.type(registry.contentType).send(texts.join('\n'));
    });
  },
  { name: 'metrics' },
);

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, never the address: whoever asks for made-up addresses must not make up series.
    const { url: route = 'none', config } = request.routeOptions;
    const labels = { route, method: request.method, status: reply.statusCode };
    if (!config.staysOpen) duration.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

let shared: Registry | undefined;

// One for all applications of a process: what it observes belongs to the process, and its observers cannot be removed.
function processRegistry(): Registry {
  if (shared) return shared;
  shared = new Registry();
  collectDefaultMetrics({ register: shared });
  return shared;
}

function addGauges(
  registry: Registry,
  {
    deps,
    pushServer,
    leads,
    changeStreams,
    calendarBuildSeconds,
  }: Omit<MetricsOptions, 'pushCounts' | 'webhookCounts'>,
): void {
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node', 'environment'],
    registers: [registry],
  }).set({ version: VERSION, node: process.version, environment: deps.config.ENVIRONMENT }, 1);
  gauge(registry, 'push_leader', 'Whether this process is the one that publishes: 1 or 0', () => {
    const leading = leads();
    return leading === undefined ? undefined : Number(leading);
  });
  if (pushServer) {
    gauge(registry, 'push_connections', 'Clients connected to the push server of this process', () =>
      pushServer.connections(),
    );
  }
  gauge(registry, 'change_streams', 'Open streams of changes in this process', changeStreams);
  gauge(
    registry,
    'calendar_build_seconds',
    'How long this process took to build the calendar files the last time',
    calendarBuildSeconds,
  );
  gauge(
    registry,
    'calendar_built_timestamp_seconds',
    'When the calendar files of this year were built, by whichever process',
    async () => {
      const built = await lastBuilt(calendarFolder(deps.config), currentYears(deps)[0]);
      return built ? built.getTime() / 1000 : undefined;
    },
  );
  const { db, reads } = deps;
  const sum = (of: (pool: Deps['db']['$client']) => number) => () => of(db.$client) + of(reads.$client);
  gauge(
    registry,
    'db_pool_total',
    'Open database connections',
    sum((pool) => pool.totalCount),
  );
  gauge(
    registry,
    'db_pool_idle',
    'Database connections without work',
    sum((pool) => pool.idleCount),
  );
  const waiting = sum((pool) => pool.waitingCount);
  gauge(registry, 'db_pool_waiting', 'Queries that wait for a connection', waiting);
}

type Reading = number | undefined;

/** Left out while it cannot be read: 0 would be a value. */
function gauge(registry: Registry, name: string, help: string, read: () => Reading | Promise<Reading>): void {
  const collect = async function (this: Gauge) {
    const value = await read();
    if (value === undefined) this.remove();
    else this.set(value);
  };
  registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
}

function outboxGauges(
  registry: Registry,
  read: () => Promise<OutboxStatus | undefined>,
): () => Promise<void> {
  const registers = [registry];
  const rows = new Gauge({ name: 'outbox_rows', help: 'Events that wait to be published', registers });
  const oldest = new Gauge({
    name: 'outbox_oldest_seconds',
    help: 'How long the oldest of them has waited',
    registers,
  });
  const dead = new Gauge({
    name: 'outbox_dead_rows',
    help: 'Events that were given up: the push service takes them never',
    registers,
  });
  return async () => {
    const status = await inTime(read());
    if (status) {
      rows.set(status.rows);
      oldest.set(status.oldestSeconds);
      dead.set(status.dead);
    } else {
      // An old number would look like a quiet outbox.
      for (const one of [rows, oldest, dead]) one.remove();
    }
  };
}

function numberingGauges(
  registry: Registry,
  read: () => Promise<NumberingStatus | undefined>,
): () => Promise<void> {
  const registers = [registry];
  const waiting = new Gauge({
    name: 'changes_unnumbered_saves',
    help: 'Saves that the feed of changes does not tell of yet',
    registers,
  });
  const oldest = new Gauge({
    name: 'changes_unnumbered_oldest_seconds',
    help: 'How long the oldest of them has waited',
    registers,
  });
  return async () => {
    const status = await inTime(read());
    if (!status) return [waiting, oldest].forEach((one) => one.remove());
    waiting.set(status.waiting);
    oldest.set(status.oldestSeconds);
  };
}

function webhookGauges(
  registry: Registry,
  read: () => Promise<WebhookCounts | undefined>,
): () => Promise<void> {
  const registers = [registry];
  const states = new Gauge({
    name: 'webhooks',
    help: 'Webhooks that take what is sent (active), do not (failing), are not served (disabled)',
    labelNames: ['state'],
    registers,
  });
  const deliveries = new Gauge({
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries of webhooks that wait to be sent, or to be sent again',
    registers,
  });
  return async () => {
    const counts = await inTime(read());
    states.reset();
    if (!counts) return deliveries.remove();
    const { waiting, ...others } = counts;
    deliveries.set(waiting);
    for (const [state, count] of Object.entries(others)) states.set({ state }, count);
  };
}

/** Undefined when it fails or takes too long: a database that is away must not silence the rest. */
async function inTime<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), OUTBOX_TIMEOUT_MS);
  });
  const value = await Promise.race([reading.catch(() => undefined), late]);
  clearTimeout(timer);
  return value;
}

function countEvents(registry: Registry, counts: MetricsOptions['pushCounts']): void {
  const counter = new Counter({
    name: 'push_events_total',
    help:
      'Events this process has published whole or reduced, left out as stale, given up as dead; ' +
      'and requests that failed and were repeated',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      const { published, reduced, ...others } = counts() ?? NOTHING;
      this.reset();
      const outcomes = { published: published - reduced, reduced, ...others };
      for (const [outcome, count] of Object.entries(outcomes)) this.inc({ outcome }, count);
    },
  });
  registry.registerMetric(counter);
}

function countAttempts(registry: Registry, counts: MetricsOptions['webhookCounts']): void {
  const counter = new Counter({
    name: 'webhook_attempts_total',
    help: 'Webhooks that this process has sent: delivered, failed, and broken off by its stop',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(counts() ?? {})) this.inc({ outcome }, count);
    },
  });
  registry.registerMetric(counter);
}

const NOTHING: DispatchCounts = { published: 0, reduced: 0, stale: 0, dead: 0, failed: 0 };
