import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { delivered, overviewDeliveries, snapshotDeliveries, staleChannels } from '../helpers/deliveries.ts';
import { inMs, percentile, report } from '../helpers/figures.ts';
import { byLength } from '../helpers/length.ts';
import { type ApiClient, signIn, withToken } from '../helpers/http-client.ts';
import { listen } from '../helpers/push-client.ts';
import { preparePushService } from '../helpers/push-service.ts';
import { databaseEnvironment, makeAccount, type Server, startServerProcess } from '../helpers/server.ts';
import { createMeeting, startSaving } from '../helpers/steady-saves.ts';

const PER_SECOND = 100;
const KILLS = byLength(2, 4);
/** Saves before a kill, and after the last one. */
const SAVES = byLength(100, 600);

type Replica = Server & { api: ApiClient; asked: number };

/** When a process began to publish, by its own log; undefined when it never did. */
function ledSince({ written }: Replica): number | undefined {
  const line = written.stdout.split('\n').find((text) => text.includes('this process publishes the outbox'));
  return line === undefined ? undefined : (JSON.parse(line) as { time: number }).time;
}

async function leaderOf(replicas: Replica[]): Promise<Replica> {
  for (;;) {
    const leader = replicas.find((replica) => ledSince(replica) !== undefined);
    if (leader) return leader;
    await sleep(10);
  }
}

async function more(saves: unknown[]): Promise<void> {
  const enough = saves.length + SAVES;
  await vi.waitFor(() => expect(saves.length).toBeGreaterThanOrEqual(enough), { timeout: 60_000 });
}

async function ask(replica: Replica, ...request: Parameters<ApiClient>): ReturnType<ApiClient> {
  replica.asked += 1;
  try {
    return await replica.api(...request);
  } finally {
    replica.asked -= 1;
  }
}

/** Kills the leader in the midst of saves and starts another process in its place. Returns how long nobody led. */
async function replaceLeader(replicas: Replica[], start: () => Promise<Replica>): Promise<number> {
  const leader = await leaderOf(replicas);
  while (leader.asked === 0) await sleep(1);
  replicas.splice(replicas.indexOf(leader), 1);
  const killedAt = Date.now();
  await leader.kill('SIGKILL');
  const next = await leaderOf(replicas);
  replicas.push(await start());
  return ledSince(next)! - killedAt;
}

it(`${KILLS} leaders killed amid saves lose no event, put none out of order, and leave each unit as it is`, async () => {
  const service = await preparePushService();
  await service.start();
  const env = { ...(await databaseEnvironment()), ...service.env, RATE_LIMIT_WRITE: '0' };
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  let token: string | undefined;
  const start = async (): Promise<Replica> => {
    const server = await startServerProcess(env);
    token ??= await signIn(server.baseUrl, account);
    return { ...server, api: withToken(server.baseUrl, token), asked: 0 };
  };
  const replicas = [await start(), await start()];
  const meeting = await createMeeting(replicas[0]!.api, 'leaders');
  const received = await listen(replicas[0]!.baseUrl, '8', meeting.channels);

  const startedMs = performance.now();
  const elapsed = () => (performance.now() - startedMs) / 1000;
  const saving = startSaving(meeting, {
    perSecond: PER_SECOND,
    send: (method, path, body, number) =>
      ask(replicas[(saving.saves.length + number) % replicas.length]!, method, path, body),
  });
  const { saves } = saving;
  const takeoversMs: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await more(saves);
    takeoversMs.push(await replaceLeader(replicas, start));
  }
  await more(saves);
  await saving.finish();
  const savedSeconds = elapsed();
  await delivered(meeting, saves, received);

  const overview = overviewDeliveries(meeting, saves, received);
  const snapshots = snapshotDeliveries(meeting, received);
  const answersMs = saves.map((save) => save.answeredMs - save.startedMs);
  report({
    saves: saves.length,
    'per second': Math.round(saves.length / savedSeconds),
    'sent again': saves.filter((save) => save.unanswered > 0).length,
    'overview events expected': overview.expected,
    missing: overview.missing.length,
    repeated: overview.repeated,
    'out of order': overview.outOfOrder,
    'unit snapshots': snapshots.snapshots,
    'of them repeated': snapshots.repeated,
    'out of order in their channel': snapshots.outOfOrder,
    'answer p50': inMs(percentile(answersMs, 0.5)),
    p99: inMs(percentile(answersMs, 0.99)),
    takeovers: takeoversMs.join(' '),
    'takeover max': inMs(Math.max(...takeoversMs)),
  });
  expect(overview).toMatchObject({ missing: [], outOfOrder: 0 });
  expect(snapshots.outOfOrder).toBe(0);
  expect(await staleChannels(replicas[0]!.baseUrl, meeting, received)).toEqual([]);
}, 240_000);
