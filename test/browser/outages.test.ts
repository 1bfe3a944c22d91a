// A page that is open while things fail: it says so, keeps what it has, and catches up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser, openTab, withoutBrowser } from '../helpers/browser.ts';
import { freePort } from '../helpers/free-port.ts';
import { meetingsOn, startLiveServer } from '../helpers/live-meeting.ts';
import { databaseEnvironment, makeAccount, startServerProcess } from '../helpers/server.ts';

afterAll(() => closeBrowser());

describe.skipIf(withoutBrowser)(`an open page${withoutBrowser}`, () => {
  test('says that it reconnects when the server is killed, and catches up after its return', async () => {
    const database = await databaseEnvironment();
    const env = { ...database, PORT: String(await freePort()) };
    const account = await makeAccount(database.DATABASE_MIGRATION_URL, 'ADMIN_GBR');
    const first = await startServerProcess(env);
    const meeting = await (await meetingsOn(first.baseUrl, account))();
    const tab = await openTab();
    await tab.goto(meeting.pageOf('F1'));
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await tab.locator('tr[data-bib="11"] [data-cell=performance]:text-is("6.12")').waitFor();

    await first.kill('SIGKILL');
    await tab.locator('[data-live=reconnecting]').waitFor();
    await expect(tab.locator('[data-live-text]').textContent()).resolves.toMatch(/\d\d:\d\d:\d\d/);
    await expect(tab.locator('tr[data-bib="11"] [data-cell=performance]').textContent()).resolves.toBe(
      '6.12',
    );

    const second = await startServerProcess(env);
    expect(second.baseUrl).toBe(first.baseUrl);
    await meeting.attempt('F1', { bib: '12', round: 1, result: '6.30' });
    const caughtUp = tab.locator('tr[data-bib="12"] [data-cell=performance]:text-is("6.30")');
    await caughtUp.waitFor({ timeout: 60_000 });
    await tab.locator('[data-live=connected]').waitFor({ timeout: 60_000 });
  }, 180_000);
});

describe.skipIf(withoutBrowser)(`an open page of a server that stays${withoutBrowser}`, () => {
  let server: Awaited<ReturnType<typeof startLiveServer>>;
  beforeAll(async () => {
    server = await startLiveServer();
  });
  afterAll(() => server.stop());

  test('asks again when it wakes, and at intervals where the competition does not push', async () => {
    const meeting = await server.meeting({ push: false });
    const tab = await openTab();
    await tab.goto(meeting.pageOf('F1'));
    await tab.locator('[data-live=polling]').waitFor();
    const shows = (bib: string, mark: string) =>
      tab.locator(`tr[data-bib="${bib}"] [data-cell=performance]:text-is("${mark}")`).waitFor();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await shows('11', '6.12');
    await meeting.attempt('F1', { bib: '12', round: 1, result: '6.30' });
    await tab.clock.install();
    await tab.reload();
    await tab.locator('[data-live=polling]').waitFor();
    await meeting.attempt('F1', { bib: '13', round: 1, result: '6.50' });
    await tab.clock.fastForward(16_000);
    await shows('13', '6.50');
    await expect(tab.locator('[data-unit]').getAttribute('data-state')).resolves.toBe('live');
  }, 60_000);

  test('of the entrance shows what has become live, with a live region that is asked for again', async () => {
    const tab = await openTab();
    await tab.clock.install();
    await tab.goto(`${server.baseUrl}/`);
    await tab.locator('[data-live=polling]').waitFor();
    const meeting = await server.meeting();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await tab.clock.fastForward(16_000);
    const id = meeting.api.split('/').at(-1);
    const live = tab.locator(`[data-section=live] [data-competition="${id}"]`);
    await live.waitFor();
    await expect(live.textContent()).resolves.toContain('Live Meeting');
  }, 60_000);

  test('asks again while the push library gives up again and again, and connects anew once it can', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    // As behind something that forbids connections of this kind for a while: the library then fails at once.
    await tab.addInitScript(`window.allowed = window.WebSocket; delete window.WebSocket`);
    await tab.goto(meeting.pageOf('F1'));
    await tab.locator('[data-live=reconnecting]').waitFor();
    const shows = (bib: string, mark: string) =>
      tab.locator(`tr[data-bib="${bib}"] [data-cell=performance]:text-is("${mark}")`).waitFor();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await shows('11', '6.12');
    await tab.evaluate('window.WebSocket = window.allowed');
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.attempt('F1', { bib: '12', round: 1, result: '6.30' });
    await expect(shows('12', '6.30')).resolves.toBeUndefined();
  }, 60_000);
});
