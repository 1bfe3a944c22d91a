// A replica that hangs in the midst of an upload: the others go on, and its competition is free again soon.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { LOCKS } from '../../src/db/locks.ts';
import { type ApiClient, get, signIn, withToken } from '../helpers/http-client.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { holdLock, runSql } from '../helpers/sql.ts';
import { createMeeting, type Meeting, saveOnce } from '../helpers/steady-saves.ts';

async function world() {
  const env = await databaseEnvironment();
  const hung = await startServerProcess(env);
  const healthy = await startServerProcess(env);
  const token = await signIn(hung.baseUrl, await makeAccount(env.DATABASE_URL, 'ADMIN_GBR'));
  const api = withToken(healthy.baseUrl, token);
  const meetings = [await createMeeting(api, 'held', 4), await createMeeting(api, 'free', 4)] as const;
  return { env, hung, healthy, token, api, meetings };
}

/** Stops the process while it holds the lock of a competition and waits for nothing but itself. */
async function freezeInUpload({ env, hung, token, meetings: [meeting] }: Awaited<ReturnType<typeof world>>) {
  const id = meeting.lanes[0]!.request(0).path.split('/')[2]!;
  // The push lock comes last: while it is taken, the upload stands in the midst of its transaction.
  const key = await runSql(env.DATABASE_URL, 'select hashtext($1) as key', [id]);
  const holder = await holdLock(env.DATABASE_URL, LOCKS.push, Number(key[0]!['key']));
  void withToken(hung.baseUrl, token)('POST', `/competitions/${id}`, { city: 'Harbour Town' }).catch(
    () => undefined,
  );
  await vi.waitFor(
    async () =>
      expect(
        await runSql(
          env.DATABASE_URL,
          `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`,
        ),
      ).toHaveLength(1),
    { timeout: 10_000, interval: 20 },
  );
  process.kill(hung.pid, 'SIGSTOP');
  await holder();
}

async function tookMs(work: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work;
  return performance.now() - startedMs;
}

/** The slowest of some saves and reads of a meeting, one after the other. */
async function slowestMs(meeting: Meeting, api: ApiClient, baseUrl: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const lane of meeting.lanes) {
      times.push(await tookMs(saveOnce(lane, (...save) => api(save[0], save[1], save[2]))));
      times.push(await tookMs(get(baseUrl + lane.jsonPath)));
    }
  }
  return Math.max(...times);
}

it('saves of other competitions and reads do not wait for it, those of its competition seconds', async () => {
  const running = await world();
  const { healthy, hung, api, meetings } = running;
  const [held, free] = meetings;
  await freezeInUpload(running);
  const startedMs = performance.now();
  const waiting = Array.from({ length: 30 }, (_, n) =>
    saveOnce(held.lanes[n % held.lanes.length]!, (...save) => api(save[0], save[1], save[2])),
  );
  const done = Promise.all(waiting).then(() => performance.now() - startedMs);
  await sleep(300);
  const slowest = await slowestMs(free, api, healthy.baseUrl);
  expect((await get(healthy.baseUrl + held.lanes[0]!.jsonPath)).status).toBe(200);
  // All of them were answered while every save of the held competition waited.
  const othersMs = performance.now() - startedMs;
  const heldMs = await done;
  expect(othersMs).toBeLessThan(heldMs);
  expect(slowest).toBeLessThan(heldMs / 3);
  expect(heldMs).toBeLessThan(15_000);
  process.kill(hung.pid, 'SIGCONT');
  // What hung takes part again.
  await vi.waitFor(async () => expect((await get(`${hung.baseUrl}/healthz`)).status).toBe(200));
}, 120_000);
