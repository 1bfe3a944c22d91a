import { expect, it, vi } from 'vitest';
import { report } from '../helpers/figures.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import { byLength } from '../helpers/length.ts';
import { openPage, type Page } from '../helpers/page.ts';
import { freePort } from '../helpers/free-port.ts';
import type { Environment } from '../helpers/program.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';
import { createMeeting, type Meeting, startSaving } from '../helpers/steady-saves.ts';
import { startProxy } from '../helpers/tcp-proxy.ts';

const UNITS = 6;
const PER_SECOND = 30;
/** Before each turn of events, and after the last. */
const SAVES = byLength(15, 150);
const VERSIONS = ['8', '7'] as const;

async function world<Server extends { baseUrl: string }>(
  startOne: (env: Environment) => Promise<Server>,
  env: Environment = {},
) {
  const environment = { ...(await databaseEnvironment()), ...env };
  const account = await makeAccount(environment.DATABASE_URL, 'ADMIN_GBR');
  const start = async () => {
    const server = await startOne(environment);
    return { ...server, api: await signedIn(server.baseUrl, account) };
  };
  return start;
}

const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

const more = (saves: unknown[]) => {
  const enough = saves.length + SAVES;
  return eventually(() => expect(saves.length).toBeGreaterThanOrEqual(enough));
};

/** Waits until each of these pages has had all of its subscriptions so often. */
const subscribed = (pages: Page[], { lanes }: Meeting, times: number) =>
  eventually(() => {
    for (const page of pages) {
      for (const { channel } of lanes) {
        expect(page.subscribed.get(channel) ?? 0).toBeGreaterThanOrEqual(times);
      }
    }
  });

/** What differs between a page and the data site, after events on their way have arrived. */
const expectCurrent = (pages: Page[], { lanes }: Meeting, baseUrl: string) =>
  eventually(async () => {
    for (const { channel, jsonPath } of lanes) {
      const { text } = await get(baseUrl + jsonPath);
      for (const page of pages) expect(page.shown.get(channel)).toBe(text);
    }
  });

const figures = (pages: Page[]) =>
  Object.fromEntries(
    VERSIONS.flatMap((version, index) => {
      const { fetches, events, rebuilt } = pages[index]!;
      const name = `pusher-js ${version}`;
      return [
        [`${name}: fetched`, fetches],
        ['units from events', events],
        ['given up', rebuilt],
      ].map(([what, value]) => [index && what !== `${name}: fetched` ? `${what} ` : what, value] as const);
    }),
  );

it('pages whose connection is cut twice while units are saved end with the JSON of the data site', async () => {
  const start = await world(serve);
  const { baseUrl, api } = await start();
  const meeting = await createMeeting(api, 'cut', UNITS);
  const proxy = await startProxy(Number(new URL(baseUrl).port));
  const pages = await Promise.all(
    VERSIONS.map((version) => openPage(meeting, version, { baseUrl, pushPort: proxy.port })),
  );
  await subscribed(pages, meeting, 1);
  const saving = startSaving(meeting, { perSecond: PER_SECOND, send: api });
  for (const cuts of [1, 2]) {
    await more(saving.saves);
    proxy.cut();
    await subscribed(pages, meeting, cuts + 1);
  }
  await more(saving.saves);
  await saving.finish();
  await expectCurrent(pages, meeting, baseUrl);
  report({ saves: saving.saves.length, ...figures(pages) });
  // 7.0.3 gives up at the second cut; only a page that builds a new client goes on.
  expect(pages.map(({ rebuilt }) => rebuilt)).toEqual([0, 1]);
}, 120_000);

it('pages of a server that is stopped and started at the same address end with the JSON of the data site', async () => {
  const start = await world(startServerProcess, { PORT: String(await freePort()) });
  const first = await start();
  const { baseUrl } = first;
  let { api } = first;
  const meeting = await createMeeting(api, 'restarted', UNITS);
  const pages = await Promise.all(VERSIONS.map((version) => openPage(meeting, version, { baseUrl })));
  await subscribed(pages, meeting, 1);
  const saving = startSaving(meeting, {
    perSecond: PER_SECOND,
    send: (method, path, body) => api(method, path, body),
  });
  await more(saving.saves);
  expect(await first.kill('SIGTERM')).toBe(0);
  const stoppedMs = performance.now();
  ({ api } = await start());
  const startedMs = performance.now();
  await subscribed(pages, meeting, 2);
  const backMs = performance.now();
  await more(saving.saves);
  await saving.finish();
  await expectCurrent(pages, meeting, baseUrl);
  report({
    saves: saving.saves.length,
    'server away': `${Math.round(startedMs - stoppedMs)} ms`,
    'last page back after': `${Math.round(backMs - stoppedMs)} ms`,
    ...figures(pages),
  });
  expect(pages.map(({ rebuilt }) => rebuilt)).toEqual([0, 0]);
}, 120_000);
