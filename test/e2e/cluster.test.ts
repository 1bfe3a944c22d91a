import { expect, it, vi } from 'vitest';
import { type ApiClient, get, signIn, withToken } from '../helpers/http-client.ts';
import { listen, type Pushed } from '../helpers/push-client.ts';
import { databaseEnvironment, makeAccount, type Server, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

/** The heats that are saved while all is well, while a server is killed, and afterwards. */
const PHASES = [heatsFrom(1, 30), heatsFrom(31, 90), heatsFrom(91, 120)] as const;
const BATCH_EVENTS_MAX = 10;
const PATIENCE = { timeout: 40_000, interval: 20 };
const SPRINT = { event_id: 'T1', event_code: '100', name: '100 m', rounds: String(PHASES.flat().length) };
const MEETING = {
  full_name: 'Cluster Meeting',
  slug: 'cluster',
  country_id: 'GBR',
  date: '2026-07-18',
  events: [SPRINT],
};
const PAGE = '/x/2026/GBR/cluster/json/';
const OVERVIEW = 'x-2026-GBR-cluster-overview';

/** Two servers on one database; the first one publishes. A test takes them through much: starting them takes longest. */
async function world() {
  const env = await databaseEnvironment();
  const leader = await startServerProcess(env);
  await leader.until(/this process publishes the outbox/);
  const follower = await startServerProcess(env);
  const token = await signIn(leader.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const apiOf = ({ baseUrl }: Server) => withToken(baseUrl, token);
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
  servers: Server[],
  { by, heats }: { by: Server[]; heats: readonly number[] },
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

type Victim = { killed: Server; survivor: Server; repeatsMax: number };

/** A server is killed amid saves; the clients of the other one get everything all the same. */
async function killAmidSaves(cluster: World, { killed, survivor, repeatsMax }: Victim) {
  const { path, addresses, drained, apiOf } = cluster;
  const apis = [survivor, killed].map(apiOf);
  const heats = PHASES[1];
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
  expect(await addresses()).toEqual(new Set([survivor.baseUrl]));
}

it('clients of either server get every event exactly once and in order; a follower may be killed, come again, and others join', async () => {
  const cluster = await world();
  const { env, leader, follower, addresses } = cluster;
  await expectExactly(cluster, [leader, follower], { by: [leader, follower], heats: PHASES[0] });

  await killAmidSaves(cluster, { killed: follower, survivor: leader, repeatsMax: 0 });

  // On its port it is the same server.
  const again = await startServerProcess({ ...env, PORT: new URL(follower.baseUrl).port });
  expect(await addresses()).toEqual(new Set([leader.baseUrl, again.baseUrl]));
  const joined = await startServerProcess(env);
  await expectExactly(cluster, [again, joined], { by: [leader], heats: PHASES[2] });
}, 120_000);

it('a leader that is killed costs the clients of the other server nothing; one that is told to stop signs off first', async () => {
  const cluster = await world();
  const { env, leader, follower, path, addresses, drained, apiOf } = cluster;
  expect(await addresses()).toEqual(new Set([leader.baseUrl, follower.baseUrl]));
  await killAmidSaves(cluster, { killed: leader, survivor: follower, repeatsMax: BATCH_EVENTS_MAX });

  const third = await startServerProcess(env);
  const client = await listen(third.baseUrl, '8', [OVERVIEW]);
  const saving = saveHeats([apiOf(third)], path, PHASES[2]);
  expect(await follower.kill('SIGTERM')).toBe(0);
  expect(await addresses()).toEqual(new Set([third.baseUrl]));
  await saving;
  // What is saved then is published without it.
  await drained();
  const expected = await savedHeats(third.baseUrl, PHASES[2]);
  await vi.waitFor(() => expect(client.map(heatOf)).toEqual(expected), PATIENCE);
  expect(await third.kill('SIGTERM')).toBe(0);
  expect(await addresses()).toEqual(new Set());
}, 120_000);
