import { expect, it, vi } from 'vitest';
import { type ApiClient, get, signIn, withToken } from '../helpers/http-client.ts';
import { listen, type Pushed } from '../helpers/push-client.ts';
import type { Program } from '../helpers/program.ts';
import { type Running, serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

/** The heats that are saved while all is well, while a server is killed, when others have come, and so on. */
const HEATS = {
  before: heatsFrom(1, 12),
  followerKilled: heatsFrom(13, 42),
  joined: heatsFrom(43, 54),
  leaderKilled: heatsFrom(55, 84),
  leaderStopped: heatsFrom(85, 96),
};
const BATCH_EVENTS_MAX = 10;
const PATIENCE = { timeout: 40_000, interval: 20 };
const SPRINT = {
  event_id: 'T1',
  event_code: '100',
  name: '100 m',
  rounds: String(Object.values(HEATS).flat().length),
};
const MEETING = {
  full_name: 'Cluster Meeting',
  slug: 'cluster',
  country_id: 'GBR',
  date: '2026-07-18',
  events: [SPRINT],
};
const PAGE = '/x/2026/GBR/cluster/json/';
const OVERVIEW = 'x-2026-GBR-cluster-overview';

const PUBLISHES = /this process publishes the outbox/;

/** Two servers on one database; the first one publishes. A test takes them through much: starting them takes longest. */
async function world() {
  const env = await databaseEnvironment();
  const leader = await startServerProcess(env);
  await leader.until(PUBLISHES);
  const follower = await startServerProcess(env);
  const token = await signIn(leader.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const apiOf = ({ baseUrl }: Running) => withToken(baseUrl, token);
  const path = await createMeeting(apiOf(leader));
  const addresses = async () => {
    const rows = await runSql(env.DATABASE_URL, 'select address from push_servers');
    return new Set(rows.map((row) => row['address']));
  };
  const drained = () =>
    vi.waitFor(
      async () => expect(await runSql(env.DATABASE_URL, 'select id from outbox limit 1')).toEqual([]),
      PATIENCE,
    );
  return { env, leader, follower, apiOf, path, addresses, drained };
}

async function createMeeting(api: ApiClient): Promise<string> {
  const { id } = (await api('POST', '/competitions/', MEETING)).body;
  await api('PATCH', `/competitions/${id}/settings`, { push_notifications: true });
  return `/competitions/${id}`;
}

/** Each heat's result is one event on the overview channel. Returns the heats left by a server killed meanwhile. */
async function saveHeats(apis: ApiClient[], path: string, heats: readonly number[]): Promise<number[]> {
  const waiting = [...heats];
  const left: number[] = [];
  const save = async (api: ApiClient) => {
    for (let heat = waiting.shift(); heat !== undefined; heat = waiting.shift()) {
      const body = { results: [{ bib: '1', place: 1, performance: '11.00' }] };
      const reply = await api('PATCH', `${path}/events/T1/units/1/${heat}`, body).catch(() => undefined);
      if (reply?.status !== 200) left.push(heat);
    }
  };
  await Promise.all(apis.flatMap((api) => [save(api), save(api)]));
  return left;
}

function heatsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const heatOf = ({ data }: Pushed) => (data as { heat_no: number }).heat_no;

type Unit = { heat: number; revision: number; results: unknown[] };

/** These heats in the order in which they were saved. */
async function savedHeats(baseUrl: string, heats: readonly number[]): Promise<number[]> {
  const units: Unit[] = (await get(baseUrl + PAGE)).body.events[0].units;
  const saved = units.filter(({ heat, results }) => heats.includes(heat) && results.length);
  expect(saved).toHaveLength(heats.length);
  return saved.toSorted((one, other) => one.revision - other.revision).map(({ heat }) => heat);
}

type World = Awaited<ReturnType<typeof world>>;

/** The clients get every heat that is saved once, in the order of the saves, and each server answers the same. */
async function expectExactly(
  { path, drained, apiOf }: World,
  servers: Running[],
  { by, heats }: { by: Running[]; heats: readonly number[] },
) {
  const clients = await Promise.all(servers.map(({ baseUrl }) => listen(baseUrl, '8', [OVERVIEW])));
  await saveHeats(by.map(apiOf), path, heats);
  const expected = await savedHeats(servers[0]!.baseUrl, heats);
  for (const { baseUrl } of servers) expect(await savedHeats(baseUrl, heats)).toEqual(expected);
  for (const client of clients) {
    await vi.waitFor(() => expect(client.length).toBeGreaterThanOrEqual(heats.length), PATIENCE);
    await drained();
    expect(client.map(heatOf)).toEqual(expected);
  }
}

const withoutRepeats = (heats: number[]) => [...new Set(heats)];

type Victim = {
  killed: Program & Running;
  /** The others; the first has the clients that are looked at. */
  survivors: Running[];
  heats: number[];
  repeatsMax: number;
};

/** A server is killed amid saves; the clients of another one get everything all the same. */
async function killAmidSaves(cluster: World, { killed, survivors, heats, repeatsMax }: Victim) {
  const { path, addresses, drained, apiOf } = cluster;
  const survivor = survivors[0]!;
  const apis = [survivor, killed].map(apiOf);
  const third = heats.length / 3;
  const client = await listen(survivor.baseUrl, '8', [OVERVIEW]);
  await saveHeats(apis, path, heats.slice(0, third));
  const saving = saveHeats(apis, path, heats.slice(third, 2 * third));
  await vi.waitFor(() => expect(client.length).toBeGreaterThan(third), PATIENCE);
  await killed.kill('SIGKILL');
  const left = await saving;
  await saveHeats([apis[0]!], path, [...left, ...heats.slice(2 * third)]);

  await drained();
  const expected = await savedHeats(survivor.baseUrl, heats);
  await vi.waitFor(() => expect(withoutRepeats(client.map(heatOf))).toEqual(expected), PATIENCE);
  expect(client.length - heats.length).toBeLessThanOrEqual(repeatsMax);
  expect(await addresses()).toEqual(new Set(survivors.map(({ baseUrl }) => baseUrl)));
}

it('clients of any server get every event exactly once and in order; a follower may be killed, come again, and others join; a leader that is killed costs them nothing, and one that is told to stop signs off first', async () => {
  const cluster = await world();
  const { env, leader, follower, path, addresses, drained, apiOf } = cluster;
  await expectExactly(cluster, [leader, follower], { by: [leader, follower], heats: HEATS.before });

  await killAmidSaves(cluster, {
    killed: follower,
    survivors: [leader],
    heats: HEATS.followerKilled,
    repeatsMax: 0,
  });

  // On its port it is the same server.
  const again = await serve({ ...env, PORT: new URL(follower.baseUrl).port });
  expect(await addresses()).toEqual(new Set([leader.baseUrl, again.baseUrl]));
  const joined = await serve(env);
  await expectExactly(cluster, [again, joined], { by: [leader], heats: HEATS.joined });

  await killAmidSaves(cluster, {
    killed: leader,
    survivors: [again, joined],
    heats: HEATS.leaderKilled,
    repeatsMax: BATCH_EVENTS_MAX,
  });

  const [next, last] = PUBLISHES.test(again.written.stdout) ? [again, joined] : [joined, again];
  const client = await listen(last.baseUrl, '8', [OVERVIEW]);
  const saving = saveHeats([apiOf(last)], path, HEATS.leaderStopped);
  await next.stop();
  expect(await addresses()).toEqual(new Set([last.baseUrl]));
  await saving;
  // What is saved then is published without it.
  await drained();
  const expected = await savedHeats(last.baseUrl, HEATS.leaderStopped);
  await vi.waitFor(() => expect(client.map(heatOf)).toEqual(expected), PATIENCE);
  await last.stop();
  expect(await addresses()).toEqual(new Set());
}, 180_000);
