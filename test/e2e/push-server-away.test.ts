import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  delivered,
  overviewDeliveries,
  revisionOf,
  snapshotDeliveries,
  staleChannels,
} from '../helpers/deliveries.ts';
import { inMs, percentile, report } from '../helpers/figures.ts';
import { byLength } from '../helpers/length.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import { listen, type Pushed } from '../helpers/push-client.ts';
import { preparePushService } from '../helpers/push-service.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { createMeeting, type Meeting, type Save, startSaving } from '../helpers/steady-saves.ts';

/** Saves before the push server goes, and again once it is back. */
const AROUND = byLength(15, 200);
/** How long it stays away after the server has noticed. */
const FURTHER_MS = byLength(0, 10_000);
const PER_SECOND = byLength(15, 50);

const PATIENCE = { timeout: 60_000, interval: 20 };

type Seen = { atMs: number; status: number | undefined; health: string; outbox: string };

function watchHealth(baseUrl: string) {
  const seen: Seen[] = [];
  const ask = async () => {
    const { status, body } = await get(`${baseUrl}/readyz`);
    seen.push({ atMs: performance.now(), status, health: body.status, outbox: body.checks.outbox.status });
  };
  const asked: Promise<void>[] = [];
  const timer = setInterval(() => asked.push(ask()), 250);
  onTestFinished(() => clearInterval(timer));
  return {
    seen,
    async finish() {
      clearInterval(timer);
      await Promise.all(asked);
      return seen;
    },
  };
}

const moreThan = (saves: Save[], count: number) =>
  vi.waitFor(() => expect(saves.length).toBeGreaterThan(count), PATIENCE);

const answersMs = (saves: Save[]) => saves.map((save) => save.answeredMs - save.startedMs);
const within = (fromMs: number, toMs: number) => (save: Save) =>
  save.startedMs > fromMs && save.answeredMs < toMs;

/** Snapshots that were delivered of these saves. */
function snapshotsOf(saves: Save[], received: Pushed[], { overview }: Meeting): number {
  const revisions = new Set(saves.map(({ revision }) => revision));
  const units = received.filter(({ channel }) => channel !== overview);
  return new Set(units.map(revisionOf).filter((revision) => revisions.has(revision))).size;
}

it('while the push server is away saves are answered as before, and everything is delivered afterwards', async () => {
  const service = await preparePushService();
  const first = await service.start();
  const env = { ...(await databaseEnvironment()), ...service.env, RATE_LIMIT_WRITE: '0' };
  const { baseUrl } = await serve(env);
  const api = await signedIn(baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const meeting = await createMeeting(api, 'away');
  const received = await listen(baseUrl, '8', meeting.channels);

  const saving = startSaving(meeting, { perSecond: PER_SECOND, send: api });
  const { saves } = saving;
  const watch = watchHealth(baseUrl);
  await moreThan(saves, AROUND);
  await first.kill('SIGKILL');
  const goneMs = performance.now();
  await vi.waitFor(() => expect(watch.seen.at(-1)).toMatchObject({ outbox: 'degraded' }), PATIENCE);
  await sleep(FURTHER_MS);
  const backMs = performance.now();
  await service.start(meeting.channels.length);
  await listen(baseUrl, '8', meeting.channels, received);
  const away = saves.filter(within(goneMs, backMs));
  await delivered(meeting, away, received);
  const caughtUpMs = performance.now() - backMs;
  await moreThan(saves, saves.length + AROUND);
  await saving.finish();
  const health = await watch.finish();
  await delivered(meeting, saves, received);

  const overview = overviewDeliveries(meeting, saves, received);
  const snapshots = snapshotsOf(away, received, meeting);
  const before = answersMs(saves.filter(within(0, goneMs)));
  const meanwhile = answersMs(away);
  const degraded = health.find((seen) => seen.outbox === 'degraded');
  report({
    saves: saves.length,
    failed: saves.filter((save) => save.unanswered > 0).length,
    'while away': away.length,
    'answer before p50': inMs(percentile(before, 0.5)),
    p99: inMs(percentile(before, 0.99)),
    'answer while away p50': inMs(percentile(meanwhile, 0.5)),
    'p99 ': inMs(percentile(meanwhile, 0.99)),
    'degraded after': inMs((degraded?.atMs ?? Number.NaN) - goneMs),
    'caught up within': inMs(caughtUpMs),
    'overview events expected': overview.expected,
    missing: overview.missing.length,
    repeated: overview.repeated,
    'out of order': overview.outOfOrder,
    'unit snapshots of saves while away': `${snapshots} of ${away.length}`,
  });
  expect(saves.filter((save) => save.unanswered > 0)).toEqual([]);
  expect(health.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
  expect(health.findLast(({ atMs }) => atMs < backMs)).toMatchObject({
    health: 'degraded',
    outbox: 'degraded',
  });
  expect((await get(`${baseUrl}/readyz`)).body).toMatchObject({ status: 'ok' });
  expect(overview).toMatchObject({ missing: [], outOfOrder: 0 });
  expect(snapshotDeliveries(meeting, received).outOfOrder).toBe(0);
  expect(snapshots).toBeLessThanOrEqual(meeting.lanes.length);
  // Of the two clients that are connected by now one may lag behind the other.
  await vi.waitFor(async () => expect(await staleChannels(baseUrl, meeting, received)).toEqual([]), PATIENCE);
}, 180_000);
