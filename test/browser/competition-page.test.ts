// A competition's pages in a real browser: what follows from many units comes by itself, and so does who is up.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser, openTab, withoutBrowser } from '../helpers/browser.ts';
import { startLiveServer } from '../helpers/live-meeting.ts';

describe.skipIf(withoutBrowser)(`the pages of a competition${withoutBrowser}`, () => {
  let server: Awaited<ReturnType<typeof startLiveServer>>;
  beforeAll(async () => {
    server = await startLiveServer();
  });
  afterAll(() => Promise.all([server.stop(), closeBrowser()]));

  test('show an attempt in the ticker, and the unit as live, without being loaded again', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await tab.goto(meeting.page);
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await tab.locator('[data-region=ticker] li:has-text("Ada Quick"):has-text("6.12")').waitFor();
    await tab.locator('[data-event=F1] .chip.live').waitFor();
    await expect(tab.locator('[data-region=state] .chip').getAttribute('class')).resolves.not.toContain(
      'before',
    );
  });

  test('the announcer reads who is up and what they need, after each attempt', async () => {
    const meeting = await server.meeting();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    const tab = await openTab();
    await tab.goto(`${meeting.pageOf('F1')}?view=announcer`);
    await expect(tab.locator('[data-announced]').getAttribute('data-announced')).resolves.toBe('12');
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.attempt('F1', { bib: '12', round: 1, result: '6.30' });
    await tab.locator('[data-announced="13"] [data-need="1"]:has-text("6.31")').waitFor();
    await tab.locator('tr[data-bib="13"][data-up]').waitFor();
    await tab.locator('tr[data-bib="11"][data-next]').waitFor();
  });

  test('a chart appears beside the table once two athletes have marks', async () => {
    const meeting = await server.meeting();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    const tab = await openTab();
    await tab.goto(meeting.pageOf('F1'));
    await tab.locator('[data-live=connected]').waitFor();
    await expect(tab.locator('[data-chart]').count()).resolves.toBe(0);
    await meeting.attempt('F1', { bib: '12', round: 1, result: '6.30' });
    await tab.locator('[data-chart=series] svg[role=img] circle').first().waitFor();
  });

  test('a followed athlete stays followed on the device, and stands on the page of the competition', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await tab.goto(meeting.page);
    await expect(tab.locator('[data-followed]').isHidden()).resolves.toBe(true);
    await tab.goto(`${meeting.page}competitor/11/`);
    await tab.locator('[data-action=follow][aria-pressed=false]').click();
    await tab.reload();
    await tab.locator('[data-action=follow][aria-pressed=true]').waitFor();
    await expect(tab.locator('[data-action=follow]').textContent()).resolves.toBe('Followed on this device');
    // In whatever language: the links stay in that of the page.
    const inGerman = meeting.page.replace('/x/', '/de/x/');
    await tab.goto(inGerman);
    const block = tab.getByRole('region', { name: 'Gemerkte Athletinnen und Athleten' });
    await block.locator('li.next:has-text("Nächster Start") a').waitFor();
    expect(await block.getByRole('link', { name: 'Ada Quick' }).getAttribute('href')).toBe(
      new URL(`${inGerman}competitor/11/`).pathname,
    );
    expect(await block.locator('li.next a').getAttribute('href')).toContain('/de/x/');
  });

  test('a result of a followed athlete comes to the page of the competition by itself', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await tab.addInitScript(
      `localStorage.setItem('athletics-followed', ${JSON.stringify(
        JSON.stringify([
          'no athlete',
          { href: 'javascript:alert(1)', name: 'Nobody' },
          { href: `/en${new URL(meeting.page).pathname}competitor/12/`, name: 'Bea Hopper' },
          { path: '/x/2020/GBR/another/competitor/1/', name: 'Of another competition' },
        ]),
      )})`,
    );
    await tab.clock.install();
    await tab.goto(meeting.page);
    const names = tab.locator('[data-followed] > ul > li > a');
    await tab.locator('[data-followed] li.next').first().waitFor();
    await expect(names.allTextContents()).resolves.toEqual(['Bea Hopper']);
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.save('T1', {
      results_status: 'official',
      results: [{ bib: '12', performance: '11.90', place: 1 }],
    });
    await tab.locator('[data-region=ticker] li:has-text("11.90")').waitFor();
    // Not at every attempt.
    await tab.clock.fastForward(16_000);
    await tab.locator('[data-followed] li.result:has-text("100 m Women"):has-text("11.90")').waitFor();
  });
});
