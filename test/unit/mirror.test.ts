// What a mirror makes of the changes that it is told: which documents it asks for, and which files it removes.
import { describe, expect, test } from 'vitest';
import {
  beginReading,
  type Catalogue,
  catalogueOf,
  endReading,
  type Told,
  take,
} from '../../src/mirror/catalogue.ts';
import {
  addressOf,
  documentsOf,
  faultOf,
  folderOf,
  isStale,
  showing,
  urlPathOf,
} from '../../src/mirror/places.ts';
import { planOf } from '../../src/mirror/plan.ts';

const told = (more: Partial<Told> = {}): Told => ({
  type: 'competition',
  competition_id: 'A',
  year: 2026,
  country_id: 'GBR',
  slug: 'open',
  event_id: null,
  round_no: null,
  heat_no: null,
  deleted: false,
  ...more,
});
const event = (event_id: string, more: Partial<Told> = {}) => told({ type: 'event', event_id, ...more });
const unit = (event_id: string, round_no: number, heat_no: number, more: Partial<Told> = {}) =>
  told({ type: 'unit', event_id, round_no, heat_no, ...more });

/** Takes in the changes and does what is planned: the folders asked for, and those removed. */
function work(catalogue: Catalogue, changes: Told[], keep = false) {
  for (const change of changes) take(catalogue, change);
  const steps = planOf(catalogue, { keep });
  for (const { shelf, fetch, remove } of steps) {
    for (const place of remove) shelf.files.delete(place);
    for (const place of fetch) shelf.files.set(place, { hash: place, etag: `"${place}"` });
  }
  catalogue.stale.clear();
  const folders = (of: 'fetch' | 'remove') =>
    steps.flatMap((step) => step[of].map((place) => folderOf(step.address, place))).toSorted();
  return { asked: folders('fetch'), removed: folders('remove') };
}

const filesOf = ({ shelves }: Catalogue) =>
  [...shelves]
    .flatMap(([address, { files }]) => [...files.keys()].map((place) => folderOf(address, place)))
    .toSorted();

const fresh = () => catalogueOf(1, new Map(), new Map());
const MEETING = [told(), event('T1'), unit('T1', 1, 1), unit('T1', 2, 1)];
const at = (address: string, ...places: string[]) =>
  places.map((place) => folderOf(address, place)).toSorted();
const OPEN = 'x/2026/GBR/open';
const ALL = [
  '',
  'overview',
  'event/T1',
  'event/T1/overview',
  'event/T1/1',
  'event/T1/1/1',
  'event/T1/2',
  'event/T1/2/1',
];
const CALENDARS = ['x/2026/GBR/json', 'x/2026/json'];

describe('a mirror', () => {
  test('asks for every document of a competition, the units first and the calendars last', () => {
    const catalogue = fresh();
    for (const change of MEETING) take(catalogue, change);
    const folders = planOf(catalogue, { keep: false }).flatMap(({ address, fetch }) =>
      fetch.map((place) => folderOf(address, place)),
    );
    expect(folders.toSorted()).toEqual([...at(OPEN, ...ALL), ...CALENDARS].toSorted());
    expect(folders.slice(0, 2).every((folder) => /\/event\/T1\/\d\/1\/json$/.test(folder))).toBe(true);
    expect(folders.slice(-2).toSorted()).toEqual(CALENDARS);
  });

  test('asks after a save for what shows the unit, and for what shows the revision', () => {
    const catalogue = fresh();
    work(catalogue, [...MEETING, event('T2'), unit('T2', 1, 1)]);
    const shown = [
      'event/T1/1/1',
      'event/T1/1',
      'event/T1',
      'event/T1/overview',
      'event/T2/overview',
      'overview',
      '',
    ];
    expect(work(catalogue, [unit('T1', 1, 1)])).toEqual({ asked: at(OPEN, ...shown), removed: [] });
  });

  test('removes what was deleted, with the round that is empty then', () => {
    const catalogue = fresh();
    work(catalogue, MEETING);
    const { asked, removed } = work(catalogue, [unit('T1', 2, 1, { deleted: true })]);
    expect(removed).toEqual(at(OPEN, 'event/T1/2', 'event/T1/2/1'));
    expect(asked).toEqual(at(OPEN, '', 'overview', 'event/T1', 'event/T1/overview'));
    expect(work(catalogue, [told({ deleted: true })]).removed).toHaveLength(8);
    expect(filesOf(catalogue)).toEqual([]);
  });

  test('keeps the calendar of GBR while there is a competition of a home nation', () => {
    const catalogue = fresh();
    expect(work(catalogue, [told({ country_id: 'ENG' })]).asked).toEqual(
      expect.arrayContaining(['x/2026/json', 'x/2026/ENG/json', 'x/2026/GBR/json']),
    );
    const { asked, removed } = work(catalogue, [told({ country_id: 'FRA' })]);
    expect(removed).toEqual(expect.arrayContaining(['x/2026/ENG/json', 'x/2026/GBR/json']));
    expect(asked).toEqual(expect.arrayContaining(['x/2026/json', 'x/2026/FRA/json']));
  });

  test('lets a competition take the address that another has just left, whichever of them it hears of first', () => {
    const swapped = [
      [told({ slug: 'other' }), told({ competition_id: 'B' })],
      [told({ competition_id: 'B' }), told({ slug: 'other' })],
    ];
    for (const changes of swapped) {
      const catalogue = fresh();
      work(catalogue, [told(), event('T1'), told({ competition_id: 'B', slug: 'b' })]);
      for (const change of changes) work(catalogue, [change]);
      const two = [...at(OPEN, '', 'overview'), ...at('x/2026/GBR/other', '', 'overview')];
      expect(filesOf(catalogue)).toEqual([...two, ...CALENDARS].toSorted());
    }
  });

  test('removes nothing while everything is told of again, and at its end what was not told of', () => {
    const catalogue = fresh();
    work(catalogue, [
      ...MEETING,
      told({ competition_id: 'B', slug: 'gone' }),
      event('Z', { competition_id: 'B', slug: 'gone' }),
    ]);
    const before = filesOf(catalogue);
    beginReading(catalogue);
    expect(work(catalogue, [told(), event('T1')], true).removed).toEqual([]);
    expect(filesOf(catalogue)).toEqual(before);
    take(catalogue, unit('T1', 1, 1));
    endReading(catalogue);
    const { removed } = work(catalogue, []);
    expect(removed).toEqual([
      ...at('x/2026/GBR/gone', '', 'overview', 'event/Z', 'event/Z/overview'),
      ...at(OPEN, 'event/T1/2', 'event/T1/2/1'),
    ]);
  });

  test('goes on after a kill with what it had announced, and with addresses that were left', () => {
    const catalogue = fresh();
    work(catalogue, MEETING);
    const shelf = catalogue.shelves.get(OPEN)!;
    Object.assign(shelf, { competition: null, places: new Set() });
    const killed = { ...shelf, competition: 'A', places: new Set(['event/T1']), files: new Map(shelf.files) };
    killed.files.set('event/T1', { hash: '', etag: '' });
    catalogue.shelves.set('x/2026/GBR/new', killed);
    const again = catalogueOf(1, catalogue.shelves, new Map());
    const { asked, removed } = work(again, []);
    expect(asked).toContain('x/2026/GBR/new/event/T1/json');
    expect(removed).toEqual(expect.arrayContaining(at(OPEN, ...ALL)));
    expect(filesOf(again)).toEqual(
      [...at('x/2026/GBR/new', '', 'overview', 'event/T1', 'event/T1/overview'), ...CALENDARS].toSorted(),
    );
  });
});

describe('names from the feed', () => {
  test.for([
    '..',
    '.',
    '...',
    '',
    'a/b',
    '/etc',
    '..\\..\\x',
    'nul\0',
    'line\nbreak',
    '\ud800',
    'ä'.repeat(128),
  ])('the event %j is refused', (name) => {
    expect(faultOf(event(name))).toEqual(expect.any(String));
    const catalogue = fresh();
    work(catalogue, [told(), event(name), unit(name, 1, 1)]);
    expect(catalogue.refused.size).toBe(2);
    expect(filesOf(catalogue)).toEqual([...at(OPEN, '', 'overview'), ...CALENDARS].toSorted());
    work(catalogue, [event(name, { deleted: true }), unit(name, 1, 1, { deleted: true })]);
    expect(catalogue.refused.size).toBe(0);
  });

  test.for(['100 m', '%2e%2e', '%2F', 'a?b#c', '.hidden', 'Weitsprung Männer', 'ä'.repeat(127), 'json', '*'])(
    'the event %j is asked for as it is called',
    (name) => {
      expect(faultOf(event(name))).toBeNull();
      const path = urlPathOf(folderOf(OPEN, `event/${name}`));
      expect(decodeURIComponent(new URL(path, 'http://h/').pathname)).toBe(`/${OPEN}/event/${name}/json`);
    },
  );

  test.for([
    { slug: '..' },
    { slug: 'json' },
    { slug: 'a/b' },
    { slug: 'UP' },
    { slug: 'a'.repeat(81) },
    { country_id: '../' },
    { country_id: 'gbr' },
    { year: -1 },
    { year: 20261 },
  ])('no address is made of %j, and what was there before is removed', (where) => {
    expect(addressOf(told(where))).toBeNull();
    const catalogue = fresh();
    work(catalogue, MEETING);
    work(catalogue, [told(where)]);
    expect(filesOf(catalogue)).toEqual([]);
    expect([...catalogue.refused.values()]).toEqual(['there is no such address']);
  });

  test('of events that differ by case or composition alone one is kept, and the other when that is gone', () => {
    const { documents, refused } = documentsOf([
      'event/t1',
      'event/T1',
      'event/é',
      'event/e\u0301',
      'event/t1/1/1',
    ]);
    expect([...refused]).toEqual(['t1', 'é']);
    expect(documents.filter((place) => /t1/.test(place))).toEqual([]);
    const catalogue = fresh();
    work(catalogue, [told(), event('t1'), event('T1')]);
    expect([...catalogue.refused.keys()]).toEqual([`${OPEN}/event/t1`]);
    const { asked, removed } = work(catalogue, [event('T1', { deleted: true })]);
    expect(asked).toEqual(expect.arrayContaining(at(OPEN, 'event/t1')));
    expect(removed).toEqual(at(OPEN, 'event/T1', 'event/T1/overview'));
    expect(catalogue.refused.size).toBe(0);
  });

  test('rounds are shown again with their event, not with another', () => {
    const stale = new Set(showing(event('T1')));
    expect(['event/T1/1', 'event/T2/1', 'event/T1/1/1'].map((place) => isStale(place, stale))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
