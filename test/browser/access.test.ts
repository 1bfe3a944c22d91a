// Pages for everybody: nothing for axe to find in any state and theme, no sideways scrolling, names of every script and length.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../helpers/axe.ts';
import { byLength } from '../helpers/length.ts';
import { closeBrowser, openTab, withoutBrowser } from '../helpers/browser.ts';
import { startLiveServer } from '../helpers/live-meeting.ts';

const LONG = 'Maximiliana Konstantinopolitanska-Wolfeschlegelsteinhausenbergerdorff-Oberhuber';
const MARKUP = '<img src=x onerror=alert(1)><b>"&amp;\'</b>';
const PEOPLE = [
  { competitor_id: '1', first_name: '', last_name: LONG.padEnd(80, 'x'), team_id: 'A' },
  { competitor_id: '2', first_name: 'أمينة', last_name: 'بن يوسف', team_id: 'B' },
  { competitor_id: '3', first_name: 'Αικατερίνη', last_name: 'Στεφανίδη', team_id: 'A' },
  { competitor_id: '4', first_name: 'Ada', last_name: MARKUP, team_id: 'B' },
];
const BIBS = PEOPLE.map(({ competitor_id: bib }) => bib);
const lanes = BIBS.map((bib, index) => ({ bib, lane: index + 1 }));
const times = lanes.map((row, index) => ({
  ...row,
  place: index + 1,
  performance: index === 3 ? 'DQ' : `12.0${index}`,
  qualified: 'Q',
  note: MARKUP,
  splits: [{ distance: 50, elapsed_time: '6.5' }],
}));
const unit = (heat: number, fields: object) => ({ round: 1, heat, ...fields });
const STATES = [
  unit(1, {}),
  unit(2, { results: lanes, results_status: 'seeded' }),
  unit(3, { results: lanes, results_status: 'in_progress', wind_assistance: '+2.4' }),
  unit(4, { results: times, results_status: 'provisional', heat_name: MARKUP }),
  unit(5, { results: times, results_status: 'official', scheduled_start_time: '15:45' }),
  unit(6, { results: lanes, status: 'cancelled' }),
  unit(7, { results: lanes, status: 'postponed' }),
  unit(8, { results: times, status: 'interrupted' }),
];
const trial = (bib: string, round: number, result: string) => ({ bib, round, result, wind: '+0.3' });
const jump = (bib: string, height: string, result: string) => ({ bib, height, result });
const starters = BIBS.map((bib, index) => ({ bib, order: index + 1 }));
const EVENTS = [
  { event_id: 'T1', event_code: '100', name: `100 m ${MARKUP}`, units: STATES },
  {
    event_id: 'F1',
    event_code: 'LJ',
    name: 'Long Jump',
    units: [unit(1, { results: starters, trials: [trial('1', 1, '6.10'), trial('2', 1, 'x')] })],
  },
  {
    event_id: 'F2',
    event_code: 'HJ',
    name: 'High Jump',
    units: [
      unit(1, {
        results: starters,
        heights: ['1.60', '1.65', '1.70', '1.75', '1.80', '1.85', '1.90', '1.95'],
        trials: [jump('1', '1.60', 'o'), jump('2', '1.60', 'x'), jump('3', '1.60', '-')],
      }),
    ],
  },
  {
    event_id: 'R1',
    event_code: '4x100',
    name: 'Relay',
    units: [unit(1, { results: [{ bib: 'A', place: 1, performance: '42.00' }] })],
  },
  {
    event_id: 'X1',
    event_code: 'XC',
    name: 'Teams',
    units: [
      unit(1, {
        results: [
          { bib: 'A', place: 1, performance: '20' },
          { bib: 'B', place: 2, performance: '31' },
        ],
      }),
    ],
  },
  {
    event_id: 'M1',
    event_code: 'TRI',
    name: 'Triathlon',
    rounds: '1',
    units: [],
    results: BIBS.map((bib) => ({ bib })),
  },
  {
    event_id: 'M2',
    event_code: 'SP',
    parent: 'M1',
    units: [unit(1, { results: [{ bib: '1', place: 1, performance: '12.00' }] })],
  },
];
const KINDS = ['F1', 'F2', 'R1', 'X1', 'M1'].map((id) => `event/${id}/1/1/`);
const UNITS = [...STATES.map(({ heat }) => `event/T1/1/${heat}/`), ...KINDS];
const OTHERS = [
  '',
  'competitors/',
  'competitors/?q=ada',
  'competitor/4/',
  'event/T1/',
  'event/T1/1/',
  'event/M1/',
  'event/F2/1/1/?view=announcer',
  'event/F1/1/1/embed/',
  'embed/',
  'screen/',
  'event/F2/1/1/screen/?clock=1&qr=1',
  'overlay/?show=table',
  'event/F1/1/1/card/',
];

describe.skipIf(withoutBrowser)(`every page${withoutBrowser}`, () => {
  let server: Awaited<ReturnType<typeof startLiveServer>>;
  let paths: string[];
  let pathOf: (part: string) => string;
  beforeAll(async () => {
    server = await startLiveServer();
    const teams = [
      { team_id: 'A', team_name: LONG },
      { team_id: 'B', team_name: MARKUP },
    ];
    const { page } = await server.meeting({
      full_name: `Meeting ${MARKUP}`,
      city: MARKUP,
      competitors: PEOPLE,
      teams,
      events: EVENTS,
    });
    pathOf = (part) => new URL(part, page).pathname + new URL(part, page).search;
    const year = new Date().getUTCFullYear();
    paths = [
      '/',
      '/de/',
      '/?q=meeting',
      '/?q=nobody',
      `/x/${year}/`,
      `/de/x/${year}/GBR/`,
      '/x/1999/',
      '/x/1999/GBR/nobody/',
      ...[...UNITS, ...OTHERS].map(pathOf),
    ];
  });
  afterAll(() => Promise.all([server.stop(), closeBrowser()]));

  test('has nothing for axe to find, in light and dark, on a telephone', async () => {
    const tab = await openTab({ viewport: { width: 390, height: 800 } });
    const faults: string[] = [];
    // Neighbours are alike: every fifth one finds most of what there is.
    for (const path of byLength(
      paths.filter((_, index) => index % 5 === 0),
      paths,
    )) {
      await tab.goto(server.baseUrl + path);
      faults.push(...(await faultsOf(tab)));
    }
    expect(faults).toEqual([]);
  }, 120_000);

  test('never scrolls sideways at 320 pixels, and shows markup as text', async () => {
    const tab = await openTab({ viewport: { width: 320, height: 700 } });
    const wide: string[] = [];
    for (const path of paths) {
      await tab.goto(server.baseUrl + path);
      const { width, elements } = await tab.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        elements: document.querySelectorAll('main img').length,
      }));
      if (width > 320 || elements > 0) wide.push(`${path}: ${width}, ${elements}`);
    }
    // A page of a club, with nothing on it but widgets.
    const widgets = ['event/T1/1/5/', 'event/F1/1/1/', 'event/F2/1/1/', 'event/R1/1/1/'].map(
      (path) => `<athletics-unit src="${pathOf(path)}"></athletics-unit>`,
    );
    const competition = `<athletics-competition src="${pathOf('')}"></athletics-competition>`;
    const body = `<!doctype html><meta name="viewport" content="width=device-width">
      <script async src="/embed/v1.js"></script>${widgets.join('')}${competition}`;
    await tab.route('**/club', (route) => route.fulfill({ contentType: 'text/html', body }));
    await tab.goto(`${server.baseUrl}/club`);
    await tab.locator('[data-live]').nth(widgets.length).waitFor();
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }, 60_000);

  test('draws a race of a thousand, and keeps markup text when it is drawn again', async () => {
    const crowd = Array.from({ length: 1000 }, (_, index) => ({
      bib: String(index + 1),
      place: index + 1,
      performance: `31:${10 + (index % 50)}`,
    }));
    const meeting = await server.meeting({
      competitors: PEOPLE,
      events: [{ event_id: 'T1', event_code: '10000', name: MARKUP, units: [unit(1, { results: crowd })] }],
    });
    const tab = await openTab();
    await tab.goto(meeting.pageOf('T1'));
    await tab.locator('[data-live=connected]').waitFor();
    await meeting.save('T1', {
      results: [{ ...crowd[3], performance: '30:59' }, ...crowd.filter(({ bib }) => bib !== '4')],
    });
    await tab.locator('tr[data-bib="4"] [data-cell=performance]:text-is("30:59")').waitFor();
    await expect(tab.locator('tr[data-bib]').count()).resolves.toBe(1000);
    await expect(tab.locator('main img').count()).resolves.toBe(0);
    await expect(tab.locator('tr[data-bib="4"] [data-cell=name]').textContent()).resolves.toContain(MARKUP);
  }, 30_000);
});
