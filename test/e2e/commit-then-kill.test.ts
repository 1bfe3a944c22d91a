import { expect, it } from 'vitest';
import { LOCKS } from '../../src/db/locks.ts';
import { delivered, overviewDeliveries, snapshotDeliveries, staleChannels } from '../helpers/deliveries.ts';
import { report } from '../helpers/figures.ts';
import { signedIn } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { LOSES_NOTHING } from '../helpers/loses-nothing.ts';
import { listen, type Pushed } from '../helpers/push-client.ts';
import { freePort } from '../helpers/free-port.ts';
import { preparePushService } from '../helpers/push-service.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { holdLock, runSql } from '../helpers/sql.ts';
import {
  createMeeting,
  type Meeting,
  type Save,
  saveOnce,
  startSaving,
  type Send,
} from '../helpers/steady-saves.ts';

const KILLS = byLength(1, 5);
const ANSWERS = 10;

async function database(extra: Record<string, string>) {
  const env = { ...(await databaseEnvironment()), RATE_LIMIT_WRITE: '0', ...extra };
  const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
  const start = async () => {
    const server = await startServerProcess(env);
    return { ...server, api: await signedIn(server.baseUrl, account) };
  };
  /** When nobody kills it any more. */
  const restart = async () => {
    const { baseUrl } = await serve(env);
    return { baseUrl, api: await signedIn(baseUrl, account) };
  };
  const waiting = async () =>
    (await runSql(env.DATABASE_URL, `select id from outbox where event <> 'unit'`)).length;
  return { url: env.DATABASE_URL, start, restart, waiting };
}

async function saveTwice({ lanes }: Meeting, send: Send): Promise<Save[]> {
  const saves = lanes.map(async (lane) => [await saveOnce(lane, send), await saveOnce(lane, send)]);
  return (await Promise.all(saves)).flat();
}

async function expectComplete(meeting: Meeting, saves: Save[], received: Pushed[], baseUrl: string) {
  await delivered(meeting, saves, received);
  const overview = overviewDeliveries(meeting, saves, received);
  expect(overview).toMatchObject({ missing: [], outOfOrder: 0 });
  expect(snapshotDeliveries(meeting, received).outOfOrder).toBe(0);
  expect(await staleChannels(baseUrl, meeting, received)).toEqual([]);
  return { 'overview events delivered': overview.expected, repeated: overview.repeated };
}

it.runIf(byLength(false, true))(
  'what a server had answered for is published after its restart when the push service was away until the kill',
  LOSES_NOTHING,
  async () => {
    const service = await preparePushService();
    const { start, restart, waiting } = await database(service.env);
    const server = await start();
    const meeting = await createMeeting(server.api, 'away');
    const saves = await saveTwice(meeting, server.api);
    await server.kill('SIGKILL');
    const unpublished = await waiting();
    await service.start(meeting.channels.length);
    const { baseUrl } = await restart();
    const received = await listen(baseUrl, '8', meeting.channels);
    const figures = await expectComplete(meeting, saves, received, baseUrl);
    report({ saves: saves.length, 'events unpublished at the kill': unpublished, ...figures });
    expect(unpublished).toBe(figures['overview events delivered']);
  },
);

it(
  'what a server with the push server inside had answered for is published after its restart',
  LOSES_NOTHING,
  async () => {
    const { url, start, restart, waiting } = await database({ PORT: String(await freePort()) });
    // With the leader's lock held here nothing is published before the kill, nor before clients are back.
    const release = await holdLock(url, LOCKS.relay);
    const server = await start();
    const meeting = await createMeeting(server.api, 'embedded');
    const saves = await saveTwice(meeting, server.api);
    await server.kill('SIGKILL');
    const unpublished = await waiting();
    const { baseUrl } = await restart();
    const received = await listen(baseUrl, '8', meeting.channels);
    expect(received).toEqual([]);
    await release();
    const figures = await expectComplete(meeting, saves, received, baseUrl);
    report({ saves: saves.length, 'events unpublished at the kill': unpublished, ...figures });
    expect(unpublished).toBe(figures['overview events delivered']);
  },
);

it(
  `a server killed the moment it has answered a save, ${KILLS === 1 ? 'once' : `${KILLS} times`}, gets every answered save published`,
  LOSES_NOTHING,
  async () => {
    const service = await preparePushService();
    await service.start();
    const { start, restart, waiting } = await database(service.env);
    let server = await start();
    let { api } = server;
    const meeting = await createMeeting(server.api, 'moment');
    const received = await listen(server.baseUrl, '8', meeting.channels);

    let onAnswer: (() => void) | undefined;
    const saving = startSaving(meeting, {
      perSecond: 100,
      send: async (method, path, body) => {
        const reply = await api(method, path, body);
        onAnswer?.();
        return reply;
      },
    });
    const { saves } = saving;
    const unpublished: number[] = [];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await new Promise<unknown>((resolve) => {
        let answers = 0;
        onAnswer = () => {
          answers += 1;
          if (answers === ANSWERS) resolve(server.kill('SIGKILL'));
        };
      });
      unpublished.push(await waiting());
      if (kill === KILLS) break;
      server = await start();
      ({ api } = server);
    }
    const restarted = await restart();
    ({ api } = restarted);
    await saving.finish();
    const figures = await expectComplete(meeting, saves, received, restarted.baseUrl);
    report({
      saves: saves.length,
      'sent again': saves.filter((save) => save.unanswered > 0).length,
      'events unpublished at the kills': unpublished.join(' '),
      ...figures,
    });
    expect(saves.length).toBeGreaterThanOrEqual(KILLS * ANSWERS);
  },
);
