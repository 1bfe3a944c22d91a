// A unit's page in a real browser: complete at once, then drawn again with each save.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser, openLive, openTab, withoutBrowser } from '../helpers/browser.ts';
import { startLiveServer } from '../helpers/live-meeting.ts';

/** Provisional results in which an athlete is the first. */
const wonBy = (bib: string) => ({
  results_status: 'provisional',
  results: [{ bib, place: 1, performance: '11.90' }],
});

describe.skipIf(withoutBrowser)(`the page of a unit${withoutBrowser}`, () => {
  let server: Awaited<ReturnType<typeof startLiveServer>>;
  beforeAll(async () => {
    server = await startLiveServer();
  });
  afterAll(() => Promise.all([server.stop(), closeBrowser()]));

  test('is complete without JavaScript', async () => {
    const meeting = await server.meeting();
    const tab = await openTab({ javaScriptEnabled: false });
    await tab.goto(meeting.pageOf('F1'));
    await expect(tab.locator('tr[data-bib="11"] [data-cell="name"]').textContent()).resolves.toBe(
      'Ada Quick',
    );
    await expect(tab.locator('[data-unit]').getAttribute('data-state')).resolves.toBe('seeded');
  });

  test('shows an attempt as soon as it is saved, and which row it changed', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await openLive(tab, meeting.pageOf('F1'));
    // Waited for from before the save: the mark of the change is gone after three seconds.
    const changed = tab.locator('tr[data-bib="11"][data-changed] [data-cell=performance]:text-is("6.12")');
    await Promise.all([
      changed.waitFor(),
      meeting.attempt('F1', { bib: '11', round: 1, result: '6.12', wind: 0.4 }),
    ]);
    await expect(tab.locator('[data-unit]').getAttribute('data-state')).resolves.toBe('live');
    await tab.locator('tr[data-bib="11"]:not([data-changed])').waitFor();
  });

  test('says that a result is provisional, which row was changed, and to who comes later since when it stands', async () => {
    const meeting = await server.meeting();
    await meeting.save('T1', wonBy('11'));
    const tab = await openTab();
    await openLive(tab, meeting.pageOf('T1'));
    await tab.locator('[data-unit][data-state=provisional] .banner').waitFor();
    const asOf = tab.locator('caption time.as-of');
    const before = await asOf.getAttribute('datetime');
    const [{ updated_at: changed }] = await Promise.all([
      meeting.save('T1', wonBy('12')),
      tab.locator('tr[data-bib="12"][data-changed]').waitFor(),
    ]);
    await expect(asOf.getAttribute('datetime')).resolves.toBe(changed);
    expect(changed).not.toBe(before);
    await tab.reload();
    await expect(asOf.getAttribute('datetime')).resolves.toBe(changed);
    await expect(asOf.textContent()).resolves.toMatch(/^As of \d+ \w+ \d{4}, \d\d:\d\d/);
  });

  test('of a competition that is long over says that nothing changes any more, and offers nothing', async () => {
    const meeting = await server.meeting({ date: '2020-05-01' });
    const tab = await openTab();
    await tab.goto(meeting.pageOf('T1').replace(/x\/\d+/, 'x/2020'));
    await tab.locator('[data-live-text]:text-is("Final: no more updates")').waitFor();
    await expect(tab.locator('.live-bar button:visible').count()).resolves.toBe(0);
  });

  test('keeps still while it is paused, and shows everything afterwards', async () => {
    const meeting = await server.meeting();
    const tab = await openTab();
    await tab.goto(meeting.pageOf('F1'));
    await tab.locator('[data-live=connected]').waitFor();
    await tab.locator('[data-action=pause]').click();
    await tab.locator('[data-live=paused]').waitFor();
    await meeting.attempt('F1', { bib: '11', round: 1, result: '6.12' });
    await meeting.attempt('F1', { bib: '12', round: 1, result: '6.30' });
    await expect(tab.locator('[data-unit]').getAttribute('data-state')).resolves.toBe('seeded');
    await tab.locator('[data-action=pause]').click();
    await tab.locator('tr[data-bib="12"] [data-cell=place]:text-is("1")').waitFor();
  });

  test('keeps lane, mark and notes in sight on a telephone', async () => {
    const meeting = await server.meeting();
    const results = [
      {
        bib: '11',
        lane: 3,
        place: 1,
        performance: '11.82',
        qualified: 'Q',
        notes: 'PB',
        reaction_time: '0.131',
      },
      { bib: '12', lane: 4, performance: 'DQ TR16.8' },
    ];
    await meeting.save('T1', { results, results_status: 'official' });
    const tab = await openTab({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    await tab.goto(meeting.pageOf('T1'));
    const cells = ['lane', 'performance', 'note', 'reaction'].map((cell) =>
      tab.locator(`tr[data-bib="11"] [data-cell=${cell}]`).boundingBox(),
    );
    const ends = (await Promise.all(cells)).map((box) => box && box.x + box.width <= 320);
    expect(ends).toEqual([true, true, true, true]);
  });

  test('changes its language without JavaScript', async () => {
    const meeting = await server.meeting();
    const tab = await openTab({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
    await tab.goto(meeting.pageOf('T1'));
    await tab.locator('.languages summary').click();
    await expect(tab.locator('.languages a').count()).resolves.toBe(8);
    await tab.locator('.languages a[hreflang=fr]').click();
    await expect(tab.locator('html').getAttribute('lang')).resolves.toBe('fr');
    await expect(tab.locator('th[data-cell=lane]').textContent()).resolves.toBe('Couloir');
  });
});
