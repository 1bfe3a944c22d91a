// A replica that hangs in the midst of an upload: the others go on, and its competition is free again soon.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LOCKS } from '../../src/db/locks.ts';
import { inMs, percentile, report } from '../helpers/figures.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { holdLock, runSql } from '../helpers/sql.ts';
import { createMeeting, type Meeting, saveOnce } from '../helpers/steady-saves.ts';

const WARM_UP_ROUNDS = byLength(2, 100);
const IDLE_ROUNDS = byLength(5, 200);
/** A short run has too few for a judgement of times; a long one asks for as long as the others wait. */
const ROUNDS_MIN = 10;
const ROUNDS_MAX = byLength(ROUNDS_MIN, Infinity);
const RATIO_MAX = byLength(Infinity, 3);
const HELD_MS_MAX = byLength(Infinity, 15_000);

type World = Awaited<ReturnType<typeof world>>;

async function world() {
  const env = { ...(await databaseEnvironment()), RATE_LIMIT_WRITE: '0' };
  const hung = await startServerProcess(env);
  const healthy = await serve(env);
  const token = await signIn(hung.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const api = withToken(healthy.baseUrl, token);
  const meetings = [await createMeeting(api, 'held', 4), await createMeeting(api, 'free', 4)] as const;
  return { env, hung, healthy, token, api, meetings };
}

/** Stops the process while it holds the lock of a competition and waits for nothing but itself. */
async function freezeInUpload({ env, hung, token, meetings: [meeting] }: World) {
  const id = meeting.lanes[0]!.request(0).path.split('/')[2]!;
  // The push lock comes last: while it is taken, the upload stands in the midst of its transaction.
  const key = await runSql(env.DATABASE_URL, 'select hashtext($1) as key', [id]);
  const holder = await holdLock(env.DATABASE_URL, LOCKS.push, Number(key[0]!['key']));
  void withToken(hung.baseUrl, token)('POST', `/competitions/${id}`, { city: 'Harbour Town' }).catch(
    () => undefined,
  );
  const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
  await expect.poll(() => runSql(env.DATABASE_URL, waiting)).toHaveLength(1);
  process.kill(hung.pid, 'SIGSTOP');
  await holder();
}

type Times = { saves: number[]; reads: number[] };

async function tookMs(work: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work;
  return performance.now() - startedMs;
}

/** How long saves and reads of a meeting take, one after the other, in so many rounds or until something is over. */
async function timesOf(meeting: Meeting, { api, healthy }: World, rounds: number, state = { over: false }) {
  const times: Times = { saves: [], reads: [] };
  for (let round = 0; round < rounds && !state.over; round += 1) {
    for (const lane of meeting.lanes) {
      times.saves.push(await tookMs(saveOnce(lane, api)));
      times.reads.push(await tookMs(get(healthy.baseUrl + lane.jsonPath)));
    }
  }
  return times;
}

function compare(what: string, held: number[], idle: number[]): void {
  const [heldMs, idleMs] = [percentile(held, 0.99), percentile(idle, 0.99)];
  const ratio = heldMs / idleMs;
  report({ [what]: held.length, p99: inMs(heldMs), idle: inMs(idleMs), ratio: ratio.toFixed(2) });
  expect(ratio).toBeLessThan(RATIO_MAX);
}

it(
  'saves of other competitions and reads do not wait for it, those of its competition seconds',
  async () => {
    const running = await world();
    const { healthy, hung, api, meetings } = running;
    const [held, free] = meetings;
    await timesOf(free, running, WARM_UP_ROUNDS);
    const before = await timesOf(free, running, IDLE_ROUNDS);
    await freezeInUpload(running);
    const startedMs = performance.now();
    const state = { over: false };
    const saves = Array.from({ length: 30 }, (_, n) => saveOnce(held.lanes[n % held.lanes.length]!, api));
    const waited = Promise.all(saves).then(() => {
      state.over = true;
      return performance.now() - startedMs;
    });
    // Until all of them wait.
    await sleep(300);
    expect((await get(healthy.baseUrl + held.lanes[0]!.jsonPath)).status).toBe(200);
    const meanwhile = await timesOf(free, running, ROUNDS_MAX, state);
    // So many were answered while every save of the held competition waited.
    expect(meanwhile.saves.length).toBeGreaterThanOrEqual(ROUNDS_MIN * free.lanes.length);
    const heldMs = await waited;
    report({ 'saves of its competition': inMs(heldMs) });
    expect(heldMs).toBeLessThan(HELD_MS_MAX);
    process.kill(hung.pid, 'SIGCONT');
    // What hung takes part again.
    await expect.poll(async () => (await get(`${hung.baseUrl}/healthz`)).status).toBe(200);
    const after = await timesOf(free, running, IDLE_ROUNDS);
    compare('other saves', meanwhile.saves, [...before.saves, ...after.saves]);
    compare('reads', meanwhile.reads, [...before.reads, ...after.reads]);
  },
  byLength(120_000, 400_000),
);
