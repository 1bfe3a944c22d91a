// Marks as the World Athletics result import writes them.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MarkKind, markKind, waAttempts, waResult, waWind } from '../../src/exchange/wa-marks.ts';
import { WaIndividualResult } from '../../src/exchange/wa-model.ts';
import { roundType } from '../../src/exchange/wa-race.ts';

describe('a result', () => {
  test.for<[MarkKind, unknown, string | undefined]>([
    ['time', '11.82', '11.82'],
    ['time', '11.811', '11.82'],
    ['time', '11,8', '11.8h'],
    ['time', '11.8h', '11.8h'],
    ['time', '11.82h', '11.9h'],
    ['time', '73.15', '1:13.15'],
    ['time', '1:50.526', '1:50.53'],
    ['time', '59:59.996', '1:00:00.00'],
    ['time', '2:08:44', '2:08:44'],
    ['time', '45', '0:45'],
    ['time', 9, '0:09'],
    ['time', 'DNS', 'DNS'],
    ['time', 'dq 8:08.47', 'DQ'],
    ['time', 'DSQ', 'DQ'],
    ['time', '56.03DQ Rule 17.3', 'DQ'],
    ['time', 'r', 'DNF'],
    ['time', '11.82 PB', undefined],
    ['time', 'NT', undefined],
    ['time', '', undefined],
    ['metres', '6.2', '6.20'],
    ['metres', '06,21', '6.21'],
    ['metres', 'NH', 'NM'],
    ['metres', 'x', undefined],
    ['points', '6450', '6450'],
    ['points', '4.5', undefined],
    ['distance', '17236', '17236'],
  ])('%s %j is %j', ([kind, performance, expected]) => {
    expect(waResult({ performance }, kind)).toBe(expected);
  });

  test('of which only the place tells is what the official has decided', () => {
    expect(waResult({ place_text: 'DQ', performance: '11.82' }, 'time')).toBe('DQ');
    expect(waResult({ place_text: '1=', performance: '11.82' }, 'time')).toBe('11.82');
    expect(waResult({ points: 6450 }, 'points')).toBe('6450');
  });
});

test('an event has times, metres, points, or metres in a given time', () => {
  const kinds = ['100', 'LJ', 'HJ', 'T60', '24HR'].map((code) => markKind(code, false));
  expect(kinds).toEqual(['time', 'metres', 'metres', 'distance', 'distance']);
  expect(markKind('HEP', true)).toBe('points');
});

test.for([
  ['+0.4', '+0.4'],
  [-1.2, '-1.2'],
  ['2,01 m/s', '+2.1'],
  ['nwi', 'NWI'],
  ['strong', undefined],
  [null, undefined],
] as const)('a wind of %j is %j', ([sent, expected]) => {
  expect(waWind(sent)).toBe(expected);
});

test.for<[eventCode: string, heats: number[], types: (string | undefined)[]]>([
  ['100', [1], ['Final']],
  ['100', [3], ['Final']],
  ['100', [3, 1], ['Round 1', 'Final']],
  ['100', [3, 2], ['Round 1', 'Final A-B']],
  ['100', [8, 3, 1], ['Round 1', 'Semifinal', 'Final']],
  ['100', [8, 4, 2, 1], ['Round 1', 'Quarterfinal', 'Semifinal', 'Final']],
  ['100', [8, 8, 4, 2, 1], ['Preliminary Round', 'Round 1', 'Quarterfinal', 'Semifinal', 'Final']],
  ['LJ', [2, 1], ['Qualification', 'Final']],
  ['LJ', [2, 2, 1], ['Preliminary Round', 'Qualification', 'Final']],
])('rounds of %s with %j heats are %j', ([eventCode, heats, types]) => {
  const rounds = heats.length;
  const found = heats.map((count, index) =>
    roundType({ round: index + 1, heats: count, rounds }, { eventCode, isPart: false }),
  );
  expect(found).toEqual(types);
});

const trial = fc.record({
  bib: fc.constant('1'),
  round: fc.constantFrom(0, 1, 2, 7, 1000, null),
  height: fc.constantFrom('1.80', '1,8', 1.85, '1234.5', ''),
  result: fc.constantFrom('o', 'x', 'X', 'P', '-', 'r', 'xxo', '6.21', '6,2', 6, 'wide', '', null),
  jump_off: fc.constantFrom(0, 1, undefined),
  wind: fc.constantFrom('+0.4', -1.2, 'NWI', '', '-12.34', null),
});

test('whatever was sent, what is written is what the model has', () => {
  const performance = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.stringMatching(/^\d{0,4}(:\d{1,3}){0,2}([.,]\d{0,4})?h?$/),
  );
  const kind = fc.constantFrom<MarkKind>('time', 'metres', 'points', 'distance');
  const code = fc.constantFrom('LJ', 'TJ', 'SLJ', 'HJ', 'PV', 'SP7.26K', 'JT');
  fc.assert(
    fc.property(
      fc.record({ performance, place_text: performance, points: fc.double() }),
      kind,
      fc.array(trial, { maxLength: 6 }),
      code,
      fc.boolean(),
      (marked, ofKind, trials, eventCode, outdoors) => {
        const result = waResult(marked, ofKind);
        const attempts = waAttempts(trials, { eventCode, hasWind: outdoors && /^[LT]J$/.test(eventCode) });
        const written = {
          athleteId: 1,
          ...(result !== undefined && { result }),
          ...(attempts && { detail: attempts.detail }),
        };
        expect(WaIndividualResult.parse(written)).toEqual(written);
      },
    ),
    { numRuns: 2000 },
  );
});
