// The pages that pictures are taken of: name and path, in the order of the contact sheet.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { DATE, ENDED_PATH, MEETING_PATH, UNITS, WITHOUT_PUSH_PATH } from './meeting.ts';

export type Picture = {
  name: string;
  path: string;
  /** What brings about what the picture shows, on the page as it was loaded. */
  prepare?: (tab: Page, baseUrl: string) => Promise<unknown>;
};

const YEAR = DATE.slice(0, 4);
const unitOf = (event: string, heat = 1) => `${MEETING_PATH}event/${event}/1/${heat}/`;

/** Every address, in English and in one more language. */
const ADDRESSES: [name: string, path: string, language: string][] = [
  ['entrance', '/', 'de'],
  ['entrance, search', '/?q=harbour', 'fr'],
  ['calendar of a year', `/x/${YEAR}/`, 'es'],
  ['calendar of a country', `/x/${YEAR}/GBR/`, 'it'],
  ['competition', MEETING_PATH, 'el'],
  ['event', `${MEETING_PATH}event/T1/`, 'pl'],
  ['event, combined', `${MEETING_PATH}event/HEP/`, 'nb'],
  ['round', `${MEETING_PATH}event/T1/1/`, 'de'],
  ['unit, announcer', `${unitOf('HJ', 2)}?view=announcer`, 'fr'],
  ['competitors', `${MEETING_PATH}competitors/`, 'es'],
  ['competitor', `${MEETING_PATH}competitor/101/`, 'it'],
  ['screen of a competition', `${MEETING_PATH}screen/?clock=1&qr=1`, 'el'],
  ['screen of an event', `${MEETING_PATH}event/T1/screen/?theme=light`, 'pl'],
  ['screen of a unit, low resolution', `${unitOf('T1')}screen/?theme=lowres`, 'nb'],
  ['overlay of a competition, start list', `${MEETING_PATH}overlay/?show=startlist&key=00ff00`, 'de'],
  ['overlay of a unit, results', `${unitOf('T1')}overlay/?show=results&key=00ff00`, 'fr'],
  ['overlay of a unit, table', `${unitOf('LJ')}overlay/?show=table&key=00ff00`, 'es'],
  ['embed of a competition', `${MEETING_PATH}embed/`, 'it'],
  ['embed of a unit', `${unitOf('HJ', 2)}embed/`, 'el'],
  ['card of a race', `${unitOf('T1', 3)}card/?blank=1`, 'pl'],
  ['card of a horizontal event', `${unitOf('LJ')}card/`, 'nb'],
  ['card of a vertical event', `${unitOf('HJ')}card/`, 'de'],
];

/** What readers and networks do to a page: pause it, be away, follow somebody, show it elsewhere. */
const STATES: Picture[] = [
  { name: 'unit, paused', path: unitOf('LJ'), prepare: (tab) => tab.click('[data-action=pause]') },
  {
    name: 'unit, reconnecting',
    path: unitOf('LJ'),
    async prepare(tab) {
      await tab.route('**/api/v1/push', (route) => route.abort());
      await tab.reload();
      await tab.locator('[data-live=reconnecting]').waitFor();
      await tab.unroute('**/api/v1/push');
    },
  },
  { name: 'unit, push turned off', path: `${WITHOUT_PUSH_PATH}event/LJ/1/1/` },
  { name: 'unit of a competition long over', path: `${ENDED_PATH}event/T1/1/1/` },
  {
    name: 'competition with followed athletes',
    path: MEETING_PATH,
    async prepare(tab) {
      const followed = ['101', '103', '104'].map((bib) => ({
        path: `${MEETING_PATH}competitor/${bib}/`,
        name: `Athlete ${bib}`,
      }));
      await tab.evaluate(
        (text) => localStorage.setItem('athletics-followed', text),
        JSON.stringify(followed),
      );
      await tab.reload();
      await tab.locator('[data-followed] .result').first().waitFor();
      await tab.waitForLoadState('networkidle');
      await tab.evaluate(() => localStorage.clear());
    },
  },
  { name: 'widget of a unit', path: '/', prepare: showWidget(`<athletics-unit src="${unitOf('HJ', 2)}">`) },
  {
    name: 'widget of a competition',
    path: '/',
    prepare: showWidget(`<athletics-competition src="${MEETING_PATH}" lang="de">`),
  },
];

/** A page that somebody else made, as plain as can be, with a widget on it. */
function showWidget(element: string): NonNullable<Picture['prepare']> {
  return async (tab, baseUrl) => {
    const script = `<script async src="${baseUrl}/embed/v1.js"></script>`;
    const widget = element.replace('src="', `src="${baseUrl}`);
    const body = `<!doctype html><meta name="viewport" content="width=device-width"><style>
      :root { color-scheme: light dark } body { font: 16px/1.5 serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem }
      </style><h1>Our club</h1><p>Follow our jumpers:</p>${script}${widget}`;
    const host = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(body),
    );
    await once(host.listen(0, '127.0.0.1'), 'listening');
    await tab.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
    await tab.locator('[data-live=connected]').waitFor();
    host.close();
  };
}

/** Addresses at which there is nothing. */
export const NOTHING_HERE: Picture[] = [
  { name: 'nothing here', path: `${MEETING_PATH}event/NONE/1/1/` },
  { name: 'nothing here (de)', path: '/de/x/2001/GBR/nobody/' },
];

/** To be extended by one line for each page, state or language worth looking at. */
export const PAGES: Picture[] = [
  ...ADDRESSES.flatMap(([name, path, language]) => [
    { name, path },
    { name: `${name} (${language})`, path: `/${language}${path}` },
  ]),
  ...UNITS.map(({ name, event, round = 1, heat = 1 }) => ({
    name: `unit ${name}`,
    path: `${MEETING_PATH}event/${event}/${round}/${heat}/`,
  })),
  { name: 'unit in Greek', path: `/el${MEETING_PATH}event/T1/1/1/` },
  { name: 'unit in Polish', path: `/pl${MEETING_PATH}event/HJ/1/1/` },
  { name: 'unit in French', path: `/fr${MEETING_PATH}event/LJ/1/1/` },
  { name: 'calendar of a year without competitions', path: '/x/1999/' },
  { name: 'entrance, nothing found', path: '/?q=nobody' },
  { name: 'competitors, nobody found', path: `${MEETING_PATH}competitors/?q=nobody` },
  ...STATES,
];
