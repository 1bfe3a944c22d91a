import { expect, it, vi } from 'vitest';
import { type ApiClient, get, signIn, withToken } from '../helpers/http-client.ts';
import { listen, type Pushed } from '../helpers/push-client.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';

const HEATS = 60;
const BATCH_EVENTS_MAX = 10;
const PATIENCE = { timeout: 40_000, interval: 20 };
const SPRINT = { event_id: 'T1', event_code: '100', name: '100 m', rounds: String(HEATS) };
const MEETING = {
  full_name: 'Cluster Meeting',
  slug: 'cluster',
  country_id: 'GBR',
  date: '2026-07-18',
  events: [SPRINT],
};
const PAGE = '/x/2026/GBR/cluster/json/';
const OVERVIEW = 'x-2026-GBR-cluster-overview';

/** Two servers on one database; the first one publishes. */
async function world() {
  const env = await databaseEnvironment();
  const leader = await startServerProcess(env);
  await leader.until(/this process publishes the outbox/);
  const follower = await startServerProcess(env);
  const token = await signIn(leader.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const apis = [leader, follower].map(({ baseUrl }) => withToken(baseUrl, token));
  const path = await createMeeting(apis[0]!);
  const addresses = async () => {
    const rows = await runSql(env.DATABASE_URL, 'select address from push_servers');
    return new Set(rows.map((row) => row['address']));
  };
  const drained = () =>
    vi.waitFor(
      async () => expect(await runSql(env.DATABASE_URL, 'select id from outbox limit 1')).toEqual([]),
      PATIENCE,
    );
  return { env, leader, follower, apis, path, addresses, drained };
}

async function createMeeting(api: ApiClient): Promise<string> {
  const { id } = (await api('POST', '/competitions/', MEETING)).body;
  await api('PATCH', `/competitions/${id}/settings`, { push_notifications: true });
  return `/competitions/${id}`;
}

/** Each heat's result is one event on the overview channel. Returns the heats left by a server killed meanwhile. */
async function saveHeats(apis: ApiClient[], path: string, heats: number[]): Promise<number[]> {
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

const heatsFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const heatOf = ({ data }: Pushed) => (data as { heat_no: number }).heat_no;

type Unit = { heat: number; revision: number; results: unknown[] };

/** The saved heats in the order in which they were saved. */
async function savedHeats(baseUrl: string): Promise<number[]> {
  const units: Unit[] = (await get(baseUrl + PAGE)).body.events[0].units;
  const saved = units.filter(({ results }) => results.length);
  return saved.toSorted((one, other) => one.revision - other.revision).map(({ heat }) => heat);
}

const withoutRepeats = (heats: number[]) => [...new Set(heats)];

it('clients of either server get every event exactly once and in order, and read the same, whichever server saves', async () => {
  const { leader, follower, apis, path, drained } = await world();
  const clients = await Promise.all(
    [leader, follower].map(({ baseUrl }) => listen(baseUrl, '8', [OVERVIEW])),
  );
  await saveHeats(apis, path, heatsFrom(1, HEATS));
  const expected = await savedHeats(leader.baseUrl);
  expect(expected).toHaveLength(HEATS);
  expect(await savedHeats(follower.baseUrl)).toEqual(expected);
  for (const client of clients) {
    await vi.waitFor(() => expect(client.length).toBeGreaterThanOrEqual(HEATS), PATIENCE);
    await drained();
    expect(client.map(heatOf)).toEqual(expected);
  }
});

it.each([
  ['follower', 0],
  ['leader', BATCH_EVENTS_MAX],
] as const)(
  'a %s that is killed costs the clients of the other server nothing',
  async (victim, repeatsMax) => {
    const { leader, follower, apis, path, addresses, drained } = await world();
    const [killed, survivor, api] =
      victim === 'leader' ? [leader, follower, apis[1]!] : [follower, leader, apis[0]!];
    const client = await listen(survivor.baseUrl, '8', [OVERVIEW]);
    const third = HEATS / 3;
    await saveHeats(apis, path, heatsFrom(1, third));
    const saving = saveHeats(apis, path, heatsFrom(third + 1, 2 * third));
    await vi.waitFor(() => expect(client.length).toBeGreaterThan(third), PATIENCE);
    await killed.kill('SIGKILL');
    const left = await saving;
    await saveHeats([api], path, [...left, ...heatsFrom(2 * third + 1, HEATS)]);

    await drained();
    const expected = await savedHeats(survivor.baseUrl);
    expect(expected).toHaveLength(HEATS);
    await vi.waitFor(() => expect(withoutRepeats(client.map(heatOf))).toEqual(expected), PATIENCE);
    expect(client.length - HEATS).toBeLessThanOrEqual(repeatsMax);
    expect(await addresses()).toEqual(new Set([survivor.baseUrl]));
  },
  120_000,
);

it('a server that is told to stop signs off first, and what is saved then is published without it', async () => {
  const { leader, follower, apis, path, addresses, drained } = await world();
  expect(await addresses()).toEqual(new Set([leader.baseUrl, follower.baseUrl]));
  const client = await listen(follower.baseUrl, '8', [OVERVIEW]);
  const saving = saveHeats([apis[1]!], path, heatsFrom(1, HEATS));
  expect(await leader.kill('SIGTERM')).toBe(0);
  expect(await addresses()).toEqual(new Set([follower.baseUrl]));
  await saving;
  await drained();
  const expected = await savedHeats(follower.baseUrl);
  await vi.waitFor(() => expect(client.map(heatOf)).toEqual(expected), PATIENCE);
  expect(await follower.kill('SIGTERM')).toBe(0);
  expect(await addresses()).toEqual(new Set());
});

it('a server killed and started again on its port is one server, and one on another port joins', async () => {
  const { env, leader, follower, apis, path, addresses, drained } = await world();
  await follower.kill('SIGKILL');
  const again = await startServerProcess({ ...env, PORT: new URL(follower.baseUrl).port });
  expect(await addresses()).toEqual(new Set([leader.baseUrl, again.baseUrl]));
  const joined = await startServerProcess(env);
  const clients = await Promise.all([again, joined].map(({ baseUrl }) => listen(baseUrl, '8', [OVERVIEW])));
  await saveHeats([apis[0]!], path, heatsFrom(1, HEATS));
  const expected = await savedHeats(leader.baseUrl);
  for (const client of clients) {
    await vi.waitFor(() => expect(client.length).toBeGreaterThanOrEqual(HEATS), PATIENCE);
    await drained();
    expect(client.map(heatOf)).toEqual(expected);
  }
}, 120_000);
