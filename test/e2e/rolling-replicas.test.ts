import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { gatherAudience, type Subscriber } from '../helpers/audience.ts';
import { inMs, percentile, report } from '../helpers/figures.ts';
import { freePort } from '../helpers/free-port.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { makeStaticRoot, startNginx, withoutNginx } from '../helpers/nginx.ts';
import { databaseEnvironment, makeAccount, type Server, startServerProcess } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';
import { createMeeting, type Meeting, type Save, type Send, startSaving } from '../helpers/steady-saves.ts';

const REPLICAS = 3;
const MEETINGS = 10;
const UNITS = 20;
const SUBSCRIBERS = Number(process.env['SUBSCRIBERS'] ?? 2000);
const PER_SECOND = Number(process.env['SAVES_PER_SECOND'] ?? 200);
/** How long it is quiet at first, and how long at least it goes on after each disturbance; in full five minutes in all. */
const QUIET_MS = 120_000;
const AFTER_MS = 70_000;
const PATIENCE = { timeout: 60_000, interval: 100 };

/** Replicas behind nginx as they are deployed, each with a push server of its own. */
async function world() {
  const port = await freePort();
  const apps = await Promise.all(Array.from({ length: REPLICAS }, freePort));
  const staticRoot = await makeStaticRoot();
  const edge = { EDGE_CACHE_SECONDS: '1' };
  const { baseUrl } = await startNginx({ port, apps: apps.map(String), staticRoot, values: edge });
  const env = {
    ...(await databaseEnvironment()),
    ...edge,
    BASE_URL: baseUrl,
    TRUST_PROXY: '1',
    STATIC_DIR: join(staticRoot, 'main'),
    RATE_LIMIT_WRITE: '0',
    LOG_LEVEL: 'info',
  };
  const start = (app: number) => startServerProcess({ ...env, PORT: String(app) });
  const replicas = await Promise.all(
    apps.map(async (app) => ({ app, direct: `http://127.0.0.1:${app}`, server: await start(app) })),
  );
  const token = await signIn(baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  return { baseUrl, env, replicas, start, api: withToken(baseUrl, token) };
}

type World = Awaited<ReturnType<typeof world>>;
type Replica = { app: number; direct: string; server: Server };

/** Saves for as long as the test wants, by way of nginx; what is not answered with success is kept and sent again. */
function saveSteadily({ api }: World, meetings: Meeting[]) {
  const refusals: string[] = [];
  const send: Send = async (method, path, body) => {
    const reply = await api(method, path, body).catch((error: unknown) => {
      refusals.push(String(error));
      throw error;
    });
    if (reply.status! < 500) return reply;
    refusals.push(`${reply.status}, Retry-After ${reply.headers['retry-after']}`);
    throw new Error(reply.text);
  };
  const perSecond = PER_SECOND / meetings.length;
  const judges = meetings.map((meeting) => startSaving(meeting, { perSecond, send }));
  const finish = async () => {
    await Promise.all(judges.map((judge) => judge.finish()));
    return judges.flatMap(({ saves }) => saves);
  };
  return { refusals, finish };
}

/** One after the other, as the README says: the next when the one before is ready. */
async function restartEach({ replicas, start }: World): Promise<void> {
  for (const replica of replicas) {
    // Where the machine has no time for it, it is cut off after ten seconds: that may lose nothing either.
    await replica.server.kill('SIGTERM');
    replica.server = await start(replica.app);
    await ready(replica);
  }
}

const ready = ({ direct }: Replica) =>
  vi.waitFor(async () => expect((await get(`${direct}/readyz`)).status).toBe(200), PATIENCE);

/** The one that publishes, at once and without a word. */
async function killLeader({ replicas, start }: World): Promise<void> {
  const leads = await Promise.all(
    replicas.map(async ({ direct }) => /^push_leader 1$/m.test((await get(`${direct}/metrics`)).text)),
  );
  const leader = replicas[leads.indexOf(true)]!;
  await leader.server.kill('SIGKILL');
  leader.server = await start(leader.app);
  await ready(leader);
}

/** The units whose stored state is not what was saved there last. */
async function unlikeSaved({ baseUrl, env }: World, meetings: Meeting[], saves: Save[]): Promise<string[]> {
  const rows = await runSql(env.DATABASE_URL, 'select max(revision) as revision from units');
  expect(rows[0]!['revision']).toBe(Math.max(...saves.map(({ revision }) => revision)));
  const wrong: string[] = [];
  const lastOf = lastRevisions(saves);
  for (const lane of meetings.flatMap(({ lanes }) => lanes)) {
    // A query of its own: no copy that nginx keeps.
    const { body } = await get(`${baseUrl}${lane.jsonPath}?end`);
    const sent = Array.from({ length: lane.saves }, (_, n) => lane.request(n).body);
    const isRight =
      body.revision === lastOf.get(lane.channel) && marksOf(body).join() === marksSent(sent).join();
    if (!isRight) wrong.push(lane.channel);
  }
  return wrong;
}

type Marks = {
  bib?: string;
  round?: number;
  result?: string;
  results?: { bib: string; performance: string }[];
};

const marksOf = ({ trials = [], results }: { trials?: Marks[] } & Marks): string[] =>
  trials.length ? marksSent(trials) : marksSent([{ results: results ?? [] }]);

/** What must be stored after these: each attempt's last mark, or the performances of the last results. */
function marksSent(bodies: Marks[]): string[] {
  const last = bodies.at(-1)?.results;
  if (last) return last.map(({ bib, performance }) => `${bib} ${performance}`).toSorted();
  const attempts = new Map(bodies.map(({ bib, round, result }) => [`${bib} ${round}`, result]));
  return Array.from(attempts, ([attempt, result]) => `${attempt} ${result}`).toSorted();
}

function lastRevisions(saves: Save[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const { channel, revision } of saves) last.set(channel, Math.max(last.get(channel) ?? 0, revision));
  return last;
}

type Arrival = { save: Save; atMs: number; exactly: boolean };

/** When each subscriber had what was saved on its channel, be it by a later state; never is Infinity. */
function arrivals(saves: Save[], audience: Subscriber[]): Arrival[] {
  const ofChannel = new Map<string, Save[]>();
  for (const save of saves.toSorted((one, other) => one.revision - other.revision))
    ofChannel.set(save.channel, [...(ofChannel.get(save.channel) ?? []), save]);
  return audience.flatMap(({ channel, sights }) => {
    let at = 0;
    return (ofChannel.get(channel) ?? []).map((save) => {
      while (at < sights.length && sights[at]!.revision < save.revision) at += 1;
      const sight = sights[at];
      return { save, atMs: sight?.atMs ?? Infinity, exactly: sight?.revision === save.revision };
    });
  });
}

type Phase = { name: string; fromMs: number };

/** Figures of the saves that were begun in each phase. */
function tell(phases: Phase[], saves: Save[], arrived: Arrival[]): void {
  phases.forEach(({ name, fromMs }, index) => {
    const endMs = phases[index + 1]?.fromMs ?? Infinity;
    const within = ({ startedMs }: Save) => startedMs >= fromMs && startedMs < endMs;
    const answers = saves.filter(within).map(({ startedMs, answeredMs }) => answeredMs - startedMs);
    const some = arrived.filter(({ save }) => within(save));
    const delays = some.map(({ save, atMs }) => atMs - save.startedMs);
    report({
      [name]: `${answers.length} saves`,
      'save p50': inMs(percentile(answers, 0.5)),
      p99: inMs(percentile(answers, 0.99)),
      'save → event p50': inMs(percentile(delays, 0.5)),
      'event p99': inMs(percentile(delays, 0.99)),
      longest: inMs(percentile(delays, 1)),
      'of later states': some.filter(({ exactly }) => !exactly).length,
    });
  });
}

/** What the database sees of all replicas. */
async function connections({ env }: World): Promise<number> {
  const all = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name like 'athletics%'`;
  return Number((await runSql(env.DATABASE_URL, all))[0]!['n']);
}

describe.runIf(!withoutNginx && byLength(false, true))(
  `${REPLICAS} replicas behind nginx${withoutNginx}`,
  () => {
    it('lose no save, and no subscriber misses one, while each is replaced and the one that publishes is killed', async () => {
      const here = await world();
      const meetings: Meeting[] = [];
      for (let n = 0; n < MEETINGS; n += 1)
        meetings.push(await createMeeting(here.api, `rolling-${n}`, UNITS));
      const audience = await gatherAudience(
        here.baseUrl,
        meetings.flatMap(({ lanes }) => lanes),
        SUBSCRIBERS,
      );
      const phases: Phase[] = [];
      const begin = (name: string) => phases.push({ name, fromMs: performance.now() });

      begin('quiet');
      const saving = saveSteadily(here, meetings);
      await sleep(QUIET_MS);
      const connected = await connections(here);
      begin('rolling restart');
      await restartEach(here);
      begin('after it');
      await sleep(AFTER_MS);
      begin('kill -9');
      await killLeader(here);
      begin('after that');
      await sleep(AFTER_MS);
      const saves = await saving.finish();

      const last = lastRevisions(saves);
      const behind = () =>
        audience.filter(({ channel, sights }) => (sights.at(-1)?.revision ?? 0) < last.get(channel)!);
      await vi.waitFor(() => expect(behind()).toEqual([]), PATIENCE);
      const arrived = arrivals(saves, audience);
      tell(phases, saves, arrived);
      const seconds = (Math.max(...saves.map(({ answeredMs }) => answeredMs)) - phases[0]!.fromMs) / 1000;
      report({
        saves: saves.length,
        'a second': Math.round(saves.length / seconds),
        deliveries: arrived.length,
        repeated: audience.reduce((sum, { repeated }) => sum + repeated, 0),
        reconnected: audience.reduce((sum, { losses }) => sum + losses, 0),
        refused: saving.refusals.length,
        'connections to Postgres': connected,
      });
      expect(arrived.filter(({ atMs }) => atMs === Infinity)).toEqual([]);
      expect(await unlikeSaved(here, meetings, saves)).toEqual([]);
      expect(saving.refusals.filter((refusal) => !/^503, Retry-After \d+$/.test(refusal))).toEqual([]);
    }, 600_000);
  },
);
