import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isHorizontal, isVertical } from '../../src/units/rules/disciplines.ts';
import { type Attempt, horizontalStandings, verticalStandings } from '../../src/units/rules/standings.ts';

const folder = process.env['COMPETITION_DATA_DIR'];
const why = folder ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder!, name), 'utf8'));

const places = (standings: { bib: string; place: number | null }[]) =>
  Object.fromEntries(standings.map(({ bib, place }) => [bib, place]));

const series = (bib: string, ...results: string[]): Attempt[] =>
  results.map((result, index) => ({ bib, round: index + 1, result }));

const card = (bib: string, heights: Record<string, string>, jumpOffs = ''): Attempt[] => [
  ...Object.entries(heights).flatMap(([height, results]) =>
    results.split('').map((result) => ({ bib, height, result })),
  ),
  ...jumpOffs.split('').map((result, index) => ({ bib, height: '2.00', result, jump_off: index + 1 })),
];

describe('horizontal', () => {
  test('the best mark wins', () => {
    const attempts = [...series('1', '6.10', 'x', '6.40'), ...series('2', '6.50', 'x', 'x')];
    expect(horizontalStandings(attempts, ['1', '2'], 3)).toEqual([
      { bib: '1', performance: '6.40', place: 2 },
      { bib: '2', performance: '6.50', place: 1 },
    ]);
  });

  test('equal best marks are decided by the second best, then the third', () => {
    const attempts = [
      ...series('1', '6.40', '6.10', '6.00'),
      ...series('2', '6.40', '6.10', 'x'),
      ...series('3', '6.40', '6.20', 'x'),
    ];
    expect(places(horizontalStandings(attempts, ['1', '2', '3'], 3))).toEqual({ 1: 2, 2: 3, 3: 1 });
  });

  test('equal series share a place and the next one is left out', () => {
    const attempts = [...series('1', '6.40', 'x'), ...series('2', 'x', '6.40'), ...series('3', '6.39')];
    expect(places(horizontalStandings(attempts, ['1', '2', '3'], 3))).toEqual({ 1: 1, 2: 1, 3: 3 });
  });

  test('no mark is NM once the series is over, and nothing before', () => {
    const attempts = [...series('1', 'x', 'x', 'x'), ...series('2', 'x', 'x'), ...series('3', 'x', 'r')];
    expect(horizontalStandings(attempts, ['1', '2', '3'], 3)).toEqual([
      { bib: '1', performance: 'NM', place: null },
      { bib: '2', performance: null, place: null },
      { bib: '3', performance: 'NM', place: null },
    ]);
  });
});

describe('vertical', () => {
  test('equal heights are decided by failures at it, then by failures up to it', () => {
    const attempts = [
      ...card('1', { '1.80': 'xo', '1.85': 'o' }),
      ...card('2', { '1.80': 'o', '1.85': 'o' }),
      ...card('3', { '1.80': 'o', '1.85': 'xo' }),
    ];
    expect(places(verticalStandings(attempts, ['1', '2', '3']))).toEqual({ 1: 2, 2: 1, 3: 3 });
  });

  test('failures above the best height do not count', () => {
    const attempts = [
      ...card('1', { '1.80': 'o', '1.85': 'xxx' }),
      ...card('2', { '1.80': 'o', '1.85': 'xr' }),
    ];
    expect(places(verticalStandings(attempts, ['1', '2']))).toEqual({ 1: 1, 2: 1 });
  });

  test('a jump-off decides the first place, and who does not jump any more loses it', () => {
    const base = { '1.80': 'o', '1.85': 'xxx' };
    const attempts = [...card('1', base, 'xo'), ...card('2', base, 'xx'), ...card('3', base, 'r')];
    expect(places(verticalStandings(attempts, ['1', '2', '3']))).toEqual({ 1: 1, 2: 2, 3: 3 });
  });

  test('no height is NH once the athlete is out', () => {
    const attempts = [
      ...card('1', { '1.80': 'xxx' }),
      ...card('2', { '1.80': 'x-', '1.85': 'xx' }),
      ...card('3', { '1.80': 'xx' }),
    ];
    expect(verticalStandings(attempts, ['1', '2', '3']).map(({ performance }) => performance)).toEqual([
      'NH',
      'NH',
      null,
    ]);
  });
});

type Case = {
  name: string;
  heights: string[];
  jumpers: { bib: string; attempts: string[]; place: number | '' }[];
};

// The cards write a jump-off as further columns, whose heights no longer rise.
function attemptsOf({ heights, jumpers }: Case): Attempt[] {
  const regular = heights.findIndex(
    (height, index) => index > 0 && Number(height) <= Number(heights[index - 1]),
  );
  const columns = regular < 0 ? heights.length : regular;
  return jumpers.flatMap(({ bib, attempts }) =>
    attempts.flatMap((results, column) =>
      results.split('').map((result) => ({
        bib,
        height: heights[column]!,
        result,
        ...(column >= columns && { jump_off: column - columns + 1 }),
      })),
    ),
  );
}

type Unit = { round: number; results: { bib: string; place?: number }[]; trials?: Attempt[] };
type Event = { event_id: string; event_code: string; units: Unit[] };

describe.skipIf(!folder)(`on real cards${why}`, () => {
  const cases = folder ? (read('vertical_placing_cases.json') as Case[]) : [];
  const events = folder ? (read('rio2016_upload.json') as { events: Event[] }).events : [];

  test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
    const bibs = one.jumpers.map(({ bib }) => bib);
    const expected = Object.fromEntries(
      one.jumpers.map(({ bib, place }) => [bib, place === '' ? null : place]),
    );
    expect(places(verticalStandings(attemptsOf(one), bibs))).toEqual(expected);
  });

  // Places of a qualification are over its groups together, so the last rounds are what can be reproduced.
  const lastUnits = (kind: (code: string) => boolean) =>
    events
      .filter(({ event_code }) => kind(event_code))
      .flatMap((event) => {
        const last = Math.max(...event.units.map(({ round }) => round));
        return event.units
          .filter(({ round, trials }) => round === last && trials)
          .map((unit) => ({ event, unit }));
      });

  function compareWith(standings: typeof verticalStandings, units: ReturnType<typeof lastUnits>) {
    return units.flatMap(({ event, unit }) => {
      const computed = places(
        standings(
          unit.trials!,
          unit.results.map(({ bib }) => bib),
        ),
      );
      return unit.results
        .filter(({ place }) => place !== undefined)
        .map(({ bib, place }) => ({ event: event.event_id, bib, same: computed[bib] === place }));
    });
  }

  test('every horizontal place of a final is reproduced', () => {
    const compared = compareWith(
      (attempts, bibs) => horizontalStandings(attempts, bibs, 6),
      lastUnits(isHorizontal),
    );
    expect(compared.filter(({ same }) => !same)).toEqual([]);
    expect(compared.length).toBe(339);
  });

  test('every vertical place of a final is reproduced, but those of the heptathlon, which does not count back', () => {
    const compared = compareWith(verticalStandings, lastUnits(isVertical));
    expect(compared.filter(({ same, event }) => !same && event !== 'F23')).toEqual([]);
    expect(compared.length).toBe(138);
  });
});
