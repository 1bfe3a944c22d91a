import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { delivered, overviewDeliveries, staleChannels } from '../helpers/deliveries.ts';
import { report } from '../helpers/figures.ts';
import { type ApiClient, get, responseTo, signIn, withToken } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { listen, listenRaw } from '../helpers/push-client.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { runSql, startTransaction } from '../helpers/sql.ts';
import { createMeeting, type Meeting, type Save, saveOnce, type Send } from '../helpers/steady-saves.ts';

const PATIENCE = { timeout: 40_000, interval: 20 };
const WARM_UP = byLength(30, 200);
const NEWCOMERS = 5;

async function world() {
  const env = { ...(await databaseEnvironment()), RATE_LIMIT_WRITE: '0' };
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  let token: string | undefined;
  const start = async () => {
    const server = await startServerProcess(env);
    token ??= await signIn(server.baseUrl, account);
    return { ...server, api: withToken(server.baseUrl, token) };
  };
  const waiting = () => runSql(env.DATABASE_URL, 'select channel, event from outbox');
  return { env, url: env.DATABASE_URL, start, waiting };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

type Answer = { status: number | undefined };

/** Clients that ask again as soon as they have their answer; each ends with its first failure. */
function askForever(clients: (() => Promise<Answer>)[]) {
  const answers: Answer[] = [];
  const client = async (ask: () => Promise<Answer>): Promise<string> => {
    for (;;) {
      try {
        answers.push(await ask());
      } catch (error) {
        return codeOf(error);
      }
    }
  };
  return { answers, failures: Promise.all(clients.map(client)) };
}

/** On a connection of its own, as scripts ask. */
async function askAnew(url: string): Promise<{ status: number | undefined }> {
  const sent = request(url, { agent: false });
  sent.end();
  const response = await responseTo(sent);
  await text(response);
  return { status: response.statusCode };
}

/** As askForever, with saves. What was answered with anything but success is a failure too. */
function saveForever({ lanes }: Meeting, api: ApiClient) {
  const saves: Save[] = [];
  const lane = async (one: Meeting['lanes'][number]): Promise<string> => {
    let failure: string | undefined;
    const send: Send = (method, path, body) =>
      api(method, path, body).catch((error: unknown) => {
        failure = codeOf(error);
        throw error;
      });
    for (;;) {
      try {
        saves.push(await saveOnce(one, send, () => failure !== undefined));
      } catch (error) {
        return failure ?? String(error);
      }
    }
  };
  return { saves, failures: Promise.all(lanes.map(lane)) };
}

it('a server told to stop under load drops no request, and pushes what it has saved before it sends its push clients away', async () => {
  const { env, start, waiting } = await world();
  const server = await start();
  const meeting = await createMeeting(server.api, 'stopped');
  const received = await listen(server.baseUrl, '8', meeting.channels);
  const pushClient = await listenRaw(server.baseUrl, meeting.overview);
  const saving = saveForever(meeting, server.api);
  const page = '/x/2026/GBR/stopped/json/';
  const reading = askForever([
    () => get(server.baseUrl + page),
    () => get(server.baseUrl + page),
    () => server.api('GET', '/competitions/'),
    () => get(`${server.baseUrl}/api/v1/ping/`),
    ...Array.from({ length: NEWCOMERS }, () => () => askAnew(`${server.baseUrl}/api/v1/ping/`)),
  ]);
  await vi.waitFor(() => expect(saving.saves.length).toBeGreaterThan(WARM_UP), PATIENCE);
  const before = saving.saves.length;

  expect(await server.kill('SIGTERM')).toBe(0);
  const failures = [...(await saving.failures), ...(await reading.failures)];
  expect(new Set(failures)).toEqual(new Set(['ECONNREFUSED']));
  expect(new Set(reading.answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await waiting()).toEqual([]);
  expect(await pushClient.closed).toBe(4100);
  await delivered(meeting, saving.saves, received);
  expect(overviewDeliveries(meeting, saving.saves, received)).toMatchObject({ missing: [], outOfOrder: 0 });
  report({ saves: before, 'during the stop': saving.saves.length - before, reads: reading.answers.length });

  const { baseUrl } = await serve(env);
  expect(await staleChannels(baseUrl, meeting, received)).toEqual([]);
}, 120_000);

// In every run nginx turns to the other server, and the push clients of one that stops are those of a cluster.
it.runIf(byLength(false, true))(
  'clients that turn to the other server when one refuses them lose nothing while that one stops',
  async () => {
    const { start, waiting } = await world();
    const [leader, survivor] = [await start(), await start()];
    await leader.until(/this process publishes the outbox/);
    const meeting = await createMeeting(leader.api, 'rolling');
    const received = await listen(survivor.baseUrl, '8', meeting.channels);
    const failures: string[] = [];
    const either: ApiClient = async (...request) => {
      if (failures.length > 0) return survivor.api(...request);
      try {
        return await leader.api(...request);
      } catch (error) {
        failures.push(codeOf(error));
        return survivor.api(...request);
      }
    };
    const state = { over: false };
    const saves: Save[] = [];
    const saving = meeting.lanes.map(async (lane) => {
      while (!state.over) saves.push(await saveOnce(lane, either));
    });
    await vi.waitFor(() => expect(saves.length).toBeGreaterThan(WARM_UP), PATIENCE);
    expect(await leader.kill('SIGTERM')).toBe(0);
    await survivor.until(/this process publishes the outbox/);
    const enough = saves.length + WARM_UP;
    await vi.waitFor(() => expect(saves.length).toBeGreaterThan(enough), PATIENCE);
    state.over = true;
    await Promise.all(saving);

    expect(new Set(failures)).toEqual(new Set(['ECONNREFUSED']));
    expect(saves.filter(({ unanswered }) => unanswered > 0)).toEqual([]);
    await delivered(meeting, saves, received);
    expect(overviewDeliveries(meeting, saves, received)).toMatchObject({ missing: [], outOfOrder: 0 });
    expect(await waiting()).toEqual([]);
  },
  120_000,
);

it('a large upload that a server told to stop has begun is stored and answered first; a request that does not end is cut off, and holds up neither the push clients nor the end', async () => {
  const { url, start } = await world();
  const server = await start();
  const meeting = await createMeeting(server.api, 'stuck', 2);
  await createMeeting(server.api, 'upload', 2);
  const pushClient = await listenRaw(server.baseUrl, meeting.overview);
  const held = (slug: string) =>
    startTransaction(url, `select from competitions where slug = '${slug}' for update`);
  const [forEver, forAWhile] = [await held('stuck'), await held('upload')];
  const blocked = (count: number, name: string) =>
    vi.waitFor(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and application_name like 'athletics-data-service${name}'`;
      expect(await runSql(url, waiting)).toHaveLength(count);
    }, PATIENCE);
  const { method, path, body } = meeting.lanes[0]!.request(0);
  const stuck = server.api(method, path, body).catch(codeOf);
  await blocked(1, '%');
  const [row] = await runSql(url, `select id from competitions where slug = 'upload'`);
  const competitors = Array.from({ length: 5000 }, (_, index) => ({
    competitor_id: `${index}`,
    first_name: 'Maren',
    last_name: `Okafor ${index}`,
  }));
  const uploading = server.api('POST', `/competitions/${row!['id']}`, { competitors });
  await blocked(1, ' uploads');

  const stopping = server.kill('SIGTERM');
  await server.until(/stopping/);
  await forAWhile.end();
  expect((await uploading).status).toBe(200);
  expect(await pushClient.closed).toBe(4100);
  expect(await stopping).toBe(0);
  expect(await stuck).toBe('ECONNRESET');
  expect(server.written.stdout).toContain('cut off requests');
  await forEver.end();
  expect(await runSql(url, `select from competitors where competitor_id = '4999'`)).toHaveLength(1);
}, 60_000);
