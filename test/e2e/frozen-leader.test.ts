// A leader that freezes while it publishes: another takes over, and what the frozen one does when it wakes harms nobody.
import { expect, it, onTestFinished, vi } from 'vitest';
import { delivered, overviewDeliveries, snapshotDeliveries, staleChannels } from '../helpers/deliveries.ts';
import { startFakePushService, type Received } from '../helpers/fake-push-service.ts';
import { inMs, report } from '../helpers/figures.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { listen, type Pushed } from '../helpers/push-client.ts';
import { type Running, serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { createMeeting, startSaving } from '../helpers/steady-saves.ts';

const LEADS = 'this process publishes the outbox';
const PATIENCE = { timeout: 60_000, interval: 20 };
// So many notifications fill the socket of one that does not read before it counts as silent.
const PER_SECOND = 50;
const AROUND = byLength(15, 200);

async function world(push: Record<string, string> = {}) {
  const env = { ...(await databaseEnvironment()), ...push, RATE_LIMIT_WRITE: '0' };
  const leader = await startServerProcess(env);
  await leader.until(new RegExp(LEADS));
  const follower = await serve(env);
  const token = await signIn(follower.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const api = withToken(follower.baseUrl, token);
  return { leader, follower, api, meeting: await createMeeting(api, 'frozen', 6) };
}

const isLeading = ({ written }: Running) => written.stdout.includes(LEADS);
const moreThan = (items: unknown[], count: number) =>
  vi.waitFor(() => expect(items.length).toBeGreaterThan(count), PATIENCE);

async function takeoverMs(follower: Running): Promise<number> {
  const startedMs = performance.now();
  await vi.waitFor(() => expect(isLeading(follower)).toBe(true), PATIENCE);
  const tookMs = performance.now() - startedMs;
  expect(tookMs).toBeLessThan(15_000);
  return tookMs;
}

const pushedOf = ({ channel, name, data }: Received): Pushed => ({
  channel,
  event: name,
  data: JSON.parse(data) as unknown,
});

it('frozen amid saves, with clients of its own: nothing is lost or out of order, before and after it wakes', async () => {
  const { leader, follower, api, meeting } = await world();
  const received = await listen(follower.baseUrl, '8', meeting.channels);
  const itsOwn = await listen(leader.baseUrl, '8', meeting.channels);
  const saving = startSaving(meeting, { perSecond: PER_SECOND, send: api });
  const { saves } = saving;
  await moreThan(saves, AROUND);
  process.kill(leader.pid, 'SIGSTOP');
  const frozenMs = performance.now();
  const tookMs = await takeoverMs(follower);
  const so = saves.slice();
  await delivered(meeting, so, received);
  const caughtUpMs = performance.now() - frozenMs;
  process.kill(leader.pid, 'SIGCONT');
  await leader.until(/its clients connect again/);
  // What was saved while they were away they would read; these here only listen.
  await moreThan(itsOwn, itsOwn.length);
  await moreThan(saves, saves.length + AROUND);
  await saving.finish();
  await delivered(meeting, saves, received);
  // Back since then, its clients have got the last of each.
  await vi.waitFor(
    async () => expect(await staleChannels(follower.baseUrl, meeting, itsOwn)).toEqual([]),
    PATIENCE,
  );
  const overview = overviewDeliveries(meeting, saves, received);
  report({
    saves: saves.length,
    'takeover after': inMs(tookMs),
    'delivered again after': inMs(caughtUpMs),
    repeated: overview.repeated,
    'out of order': overview.outOfOrder,
  });
  expect(overview).toMatchObject({ missing: [], outOfOrder: 0 });
  for (const client of [received, itsOwn]) {
    expect(snapshotDeliveries(meeting, client).outOfOrder).toBe(0);
    expect(overviewDeliveries(meeting, saves, client).outOfOrder).toBe(0);
  }
}, 120_000);

it.runIf(byLength(false, true)).each(['in the midst of a batch', 'while it waits for Retry-After'])(
  'frozen %s, with a push service of its own: the service gets everything in order, and nothing old',
  async (moment) => {
    const service = await startFakePushService();
    onTestFinished(() => service.close());
    const { leader, follower, api, meeting } = await world({
      PUSHER_APP_ID: 'app',
      PUSHER_KEY: 'key',
      PUSHER_SECRET: 'secret of the push service',
      PUSHER_EMBEDDED: 'false',
      PUSHER_HOST: '127.0.0.1',
      PUSHER_PORT: String(service.port),
      PUSHER_TLS: 'false',
    });
    let isFrozen = false;
    const freeze = () => {
      process.kill(leader.pid, 'SIGSTOP');
      isFrozen = true;
      service.answer = () => ({ status: 200 });
    };
    const saving = startSaving(meeting, { perSecond: PER_SECOND, send: api });
    const { saves } = saving;
    await moreThan(saves, AROUND);
    if (moment === 'in the midst of a batch') {
      // It is taken, and the leader never hears so.
      service.answer = () => (freeze(), { status: 200 });
    } else {
      service.answer = () => {
        setTimeout(freeze, 500);
        return { status: 429, headers: { 'retry-after': '3600' } };
      };
    }
    await vi.waitFor(() => expect(isFrozen).toBe(true), PATIENCE);
    const tookMs = await takeoverMs(follower);
    const before = service.accepted.length;
    await moreThan(service.accepted, before + AROUND);
    process.kill(leader.pid, 'SIGCONT');
    await vi.waitFor(async () => expect((await get(`${leader.baseUrl}/healthz`)).status).toBe(200), PATIENCE);
    await moreThan(saves, saves.length + AROUND);
    await saving.finish();
    const received = service.accepted.map(pushedOf);
    const got = () => service.accepted.slice(received.length).map(pushedOf);
    await vi.waitFor(async () => {
      received.push(...got());
      await delivered(meeting, saves, received, 0);
    }, PATIENCE);
    const overview = overviewDeliveries(meeting, saves, received);
    report({ saves: saves.length, 'takeover after': inMs(tookMs), repeated: overview.repeated });
    expect(overview).toMatchObject({ missing: [], outOfOrder: 0 });
    expect(snapshotDeliveries(meeting, received).outOfOrder).toBe(0);
  },
  120_000,
);
