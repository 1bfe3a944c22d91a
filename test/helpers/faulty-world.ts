// A world for faults: replicas on a Postgres of their own behind a network, writers, readers and subscribers, and what must hold.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { delivered, overviewDeliveries, snapshotDeliveries, staleChannels } from './deliveries.ts';
import { postmasterPid, usedFolder } from './embedded-process.ts';
import { type ApiClient, get, type Reply, signIn, withToken } from './http-client.ts';
import { byLength } from './length.ts';
import { listen, type Pushed } from './push-client.ts';
import { preparePushService } from './push-service.ts';
import { type Running, serve } from './running-server.ts';
import { makeAccount, startServerProcess } from './server.ts';
import { runSql } from './sql.ts';
import { createMeeting, type Meeting, type Save, startSaving } from './steady-saves.ts';
import { startProxy, type TcpProxy, through } from './tcp-proxy.ts';

export type Replica = Running & {
  api: ApiClient;
  /** As an operator stops it. */
  stop: () => Promise<void>;
  kill: () => Promise<unknown>;
};

export type FaultyWorld = {
  replicas: Replica[];
  /** In the place of one that is gone. */
  startReplica: () => Promise<Replica>;
  /** Between the replicas and Postgres. */
  network: TcpProxy;
  /** Of the database, past the network. */
  databaseUrl: string;
  killPostgres: () => Promise<void>;
  meeting: Meeting;
  received: Pushed[];
};

const PATIENCE = { timeout: 60_000, interval: 20 };
const quiet = pino({ level: 'silent' });

const kill = () => Promise.reject(new Error('no process of its own'));

export async function faultyWorld(replicaCount: number): Promise<FaultyWorld> {
  const folder = await usedFolder();
  // Not a disposable one, which may forget what it has committed when it is killed.
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  onTestFinished(() => postgres.stop());
  const databaseUrl = postgres.serviceUrl;
  await migrate(postgres.ownerUrl, { serviceUrl: databaseUrl });
  const network = await startProxy(Number(new URL(databaseUrl).port));
  const service = await preparePushService();
  await service.start();
  const env = {
    ...service.env,
    DATABASE_URL: through(network, databaseUrl),
    DATA_DIR: folder,
    JWT_SECRET: 'a secret of the end-to-end tests',
    RATE_LIMIT_WRITE: '0',
  };
  const account = await makeAccount(databaseUrl, 'ADMIN_GBR');
  let token: Promise<string> | undefined;
  const apiOf = async (baseUrl: string) => {
    token ??= signIn(baseUrl, account);
    return withToken(baseUrl, await token);
  };
  const startProcess = async (): Promise<Replica> => {
    const server = await startServerProcess(env);
    const stop = async () => expect(await server.kill('SIGTERM')).toBe(0);
    return { ...server, api: await apiOf(server.baseUrl), stop, kill: () => server.kill('SIGKILL') };
  };
  // Nobody kills these: a start is much quicker.
  const startInside = async (): Promise<Replica> => {
    const server = await serve(env);
    return { ...server, api: await apiOf(server.baseUrl), kill };
  };
  const replicas = await Promise.all(Array.from({ length: replicaCount }, startProcess));
  const startReplica = byLength(startInside, startProcess);
  const meeting = await createMeeting(replicas[0]!.api, 'faults', 6);
  const received = await listen(replicas[0]!.baseUrl, '8', meeting.channels);
  const killPostgres = async () => void process.kill((await postmasterPid(folder))!, 'SIGKILL');
  return { replicas, startReplica, network, databaseUrl, killPostgres, meeting, received };
}

/** The replica that publishes, by its own log: of those that ever did, the one that began last. */
export async function leaderOf({ replicas }: FaultyWorld): Promise<Replica> {
  const since = ({ written }: Replica) => {
    const line = written.stdout.split('\n').findLast((text) => text.includes('publishes the outbox'));
    return line === undefined ? 0 : (JSON.parse(line) as { time: number }).time;
  };
  return vi.waitFor(() => {
    const leader = replicas.toSorted((one, other) => since(other) - since(one))[0]!;
    if (since(leader) === 0) throw new Error('nobody publishes');
    return leader;
  }, PATIENCE);
}

/**
 * Refusals other than what a fault may cause are kept, and must not be there.
 * @throws every refusal
 */
function judge(reply: Reply, unexpected: string[]): Reply {
  if (reply.status === 200 || reply.status === 201) return reply;
  const told = reply.status === 503 && Number(reply.headers['retry-after']) > 0;
  if (!told) unexpected.push(`${reply.status} ${reply.text}`);
  throw new Error(String(reply.status));
}

/** What came in the place of answers: 503, or the code of a connection's error. */
const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/** Reads every unit through one replica after the other. What was read once is never older in a later read. */
function startReading(
  { replicas, meeting }: FaultyWorld,
  { unexpected, unanswered }: { unexpected: string[]; unanswered: Set<string> },
) {
  const state = { over: false };
  onTestFinished(() => void (state.over = true));
  const newest = new Map<string, number>();
  const read = async () => {
    for (let n = 0; !state.over; n += 1) {
      const { jsonPath } = meeting.lanes[n % meeting.lanes.length]!;
      const asked = replicas[n % replicas.length]!;
      const answer = await get(asked.baseUrl + jsonPath)
        .then((reply) => judge(reply, unexpected))
        .catch((error: unknown) => void unanswered.add(reasonOf(error)));
      const revision = answer?.body.revision as number | undefined;
      if (revision === undefined) await sleep(20);
      else {
        const before = newest.get(jsonPath) ?? 0;
        if (revision < before) unexpected.push(`${jsonPath} went back from ${before} to ${revision}`);
        newest.set(jsonPath, revision);
      }
    }
  };
  const reading = read();
  return async () => {
    state.over = true;
    await reading;
  };
}

/**
 * Saves and reads go on while `strike` does its worst, and for a while after. Then all that was promised is looked for.
 * @returns figures
 */
export async function survive(
  world: FaultyWorld,
  strike: (world: FaultyWorld) => Promise<void>,
  { perSecond, saves: around }: { perSecond: number; saves: number },
) {
  const { replicas, meeting, received, databaseUrl } = world;
  const unexpected: string[] = [];
  const unanswered = new Set<string>();
  const from = received.length;
  const saving = startSaving(meeting, {
    perSecond,
    async send(method, path, body, number) {
      const { api } = replicas[(saving.saves.length + number) % replicas.length]!;
      try {
        return judge(await api(method, path, body), unexpected);
      } catch (error) {
        unanswered.add(reasonOf(error));
        throw error;
      }
    },
  });
  const stopReading = startReading(world, { unexpected, unanswered });
  const { saves } = saving;
  const more = (enough: number) =>
    vi.waitFor(() => expect(saves.length).toBeGreaterThanOrEqual(enough), PATIENCE);
  await more(around);
  await strike(world);
  await more(saves.length + around);
  await saving.finish();
  await stopReading();
  await delivered(meeting, saves, received);
  expect(unexpected).toEqual([]);
  await expectPublished(databaseUrl);
  const pushed = received.slice(from);
  const overview = overviewDeliveries(meeting, saves, pushed);
  expect(overview).toMatchObject({ missing: [], outOfOrder: 0 });
  expect(snapshotDeliveries(meeting, pushed).outOfOrder).toBe(0);
  await expectKept(world, saves);
  return {
    saves: saves.length,
    'sent again': saves.filter(({ unanswered }) => unanswered > 0).length,
    'because of': [...unanswered].toSorted().join(' '),
    repeated: overview.repeated,
    'slowest answer': `${Math.round(Math.max(...saves.map((save) => save.answeredMs - save.startedMs)))} ms`,
  };
}

const expectPublished = (databaseUrl: string) =>
  vi.waitFor(
    async () => expect(await runSql(databaseUrl, 'select id from outbox limit 1')).toEqual([]),
    PATIENCE,
  );

/** Each answered save is in the public JSON, which is the same on every replica and what was pushed last. */
async function expectKept({ replicas, meeting, received }: FaultyWorld, saves: Save[]): Promise<void> {
  for (const { channel, jsonPath } of meeting.lanes) {
    const revisions = saves.filter((save) => save.channel === channel).map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    const texts = await Promise.all(
      replicas.map(async ({ baseUrl }) => (await get(baseUrl + jsonPath)).text),
    );
    expect(new Set(texts).size).toBe(1);
    // A save that was stored and not answered is repeated: it changes nothing, and says the same revision.
    expect((JSON.parse(texts[0]!) as { revision: number }).revision).toBe(revisions.at(-1));
  }
  expect(await staleChannels(replicas[0]!.baseUrl, meeting, received)).toEqual([]);
}
