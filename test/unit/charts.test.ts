// Charts of a unit: what is drawn of whom, and when nothing is.
import { describe, expect, test } from 'vitest';
import { chartOf } from '../../src/pages/unit/charts.ts';
import type { Unit } from '../../src/pages/unit/unit.ts';

const unitOf = (fields: object): Unit =>
  ({ event_id: 'E', event_code: 'LJ', round_no: 1, heat_no: 1, ...fields }) as Unit;
const TWO = [
  { bib: 'A', athlete_name: 'Ada', place: 1 },
  { bib: 'B', athlete_name: 'Bea', place: 2 },
];

describe('the chart of a long jump', () => {
  const unit = unitOf({
    results: TWO,
    trials: [
      { bib: 'A', round: 1, result: '6.00' },
      { bib: 'B', round: 1, result: '5.00' },
      { bib: 'A', round: 2, result: 'x' },
      { bib: 'A', round: 3, result: '6.20' },
    ],
  });

  test('has a line for each athlete, from mark to mark', () => {
    const { kind, lines } = chartOf(unit, 'horizontal')!;
    expect(kind).toBe('series');
    expect(lines.map(({ name, points }) => [name, points.length])).toEqual([
      ['Ada', 2],
      ['Bea', 1],
    ]);
  });

  test('has the farther mark above', () => {
    const [ada, bea] = chartOf(unit, 'horizontal')!.lines;
    expect(ada!.points[0]!.y).toBeLessThan(bea!.points[0]!.y);
  });

  test('is none with the marks of one athlete', () => {
    expect(chartOf({ ...unit, trials: unit.trials!.filter(({ bib }) => bib === 'A') }, 'horizontal')).toBe(
      undefined,
    );
  });
});

test('a high jump is drawn jump after jump, failures apart', () => {
  const trials = ['A 1.80 o', 'B 1.80 x', 'B 1.80 o', 'A 1.85 -'].map((text) => {
    const [bib, height, result] = text.split(' ');
    return { bib, height, result };
  });
  const { lines } = chartOf(unitOf({ event_code: 'HJ', results: TWO, trials }), 'vertical')!;
  expect(lines.map(({ points }) => points.map(({ failed }) => failed ?? false))).toEqual([
    [false],
    [true, false],
  ]);
});

test('a race is drawn by the time behind who passed each split first', () => {
  const results = [
    {
      bib: 'A',
      place: 1,
      splits: [
        { distance: 200, elapsed_time: '30.0' },
        { distance: 400, elapsed_time: '1:01.0' },
      ],
    },
    {
      bib: 'B',
      place: 2,
      splits: [
        { distance: 200, elapsed_time: '29.0' },
        { distance: 400, elapsed_time: '1:02' },
      ],
    },
  ];
  const { yTicks, lines } = chartOf(unitOf({ event_code: '400', results }), 'race')!;
  expect([yTicks[0]!.text, yTicks.at(-1)!.text]).toEqual(['0.0', '1.0']);
  expect(lines[1]!.points[0]!.y).toBeLessThan(lines[1]!.points[1]!.y);
});

test('splits that are none are left out', () => {
  const results = TWO.map((result) => ({
    ...result,
    splits: [null, 'x', { distance: {}, elapsed_time: 1 }],
  }));
  expect(chartOf(unitOf({ event_code: '400', results }), 'race')).toBe(undefined);
});
