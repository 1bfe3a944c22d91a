// Who is up, who is next, and what they need.
import { describe, expect, test } from 'vitest';
import { needsOf } from '../../src/pages/unit/needs.ts';
import { turnOf } from '../../src/pages/unit/turn.ts';
import type { Unit } from '../../src/pages/unit/unit.ts';

type Marks = Record<string, string[]>;

const unitOf = (code: string, fields: object): Unit => ({
  event_id: 'E',
  event_code: code,
  event_name: code,
  heat_name: 'Final',
  round: 1,
  heat: 1,
  round_no: 1,
  heat_no: 1,
  status: '',
  results_status: 'in_progress',
  revision: 1,
  updated_at: '2026-06-13T12:00:00.000Z',
  channel: 'x',
  ...fields,
});

/** A throw or long jump: rounds are complete before the next begins. */
function jump(series: Marks, fields: object = {}): Unit {
  const bibs = Object.keys(series);
  const rounds = Math.max(...Object.values(series).map(({ length }) => length));
  const trials = Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    bibs.flatMap((bib) => {
      const result = series[bib]![round - 1];
      return result ? [{ bib, round, result }] : [];
    }),
  );
  return unitOf('LJ', { results: bibs.map((bib, index) => ({ bib, order: index + 1 })), trials, ...fields });
}

/** A high jump: attempts in the order in which they were made, "A 1.80 x". */
const highJump = (attempts: string[], fields: object = {}): Unit =>
  unitOf('HJ', {
    results: ['A', 'B', 'C'].map((bib, index) => ({ bib, order: index + 1 })),
    heights: ['1.80', '1.85', '1.90'],
    trials: attempts.map((attempt) => {
      const [bib, height, result, jumpOff] = attempt.split(' ');
      return { bib, height, result, ...(jumpOff && { jump_off: Number(jumpOff) }) };
    }),
    ...fields,
  });

describe('who is up in a throw or horizontal jump', () => {
  test.for([
    ['the first of the order at the begin', jump({ A: [], B: [] }), { current: 'A', next: 'B', round: 1 }],
    [
      'the one after the last attempt',
      jump({ A: ['6.00'], B: [], C: [] }),
      { current: 'B', next: 'C', round: 1 },
    ],
    ['the first of the next round', jump({ A: ['6.00'], B: ['x'] }), { current: 'A', next: 'B', round: 2 }],
    [
      'who was passed over, before the round ends',
      jump({ A: [], B: ['x'] }),
      { current: 'A', next: 'B', round: 1 },
    ],
    ['nobody after the last round', jump({ A: ['6.00'], B: ['x'] }, { rounds: 1 }), {}],
    ['nobody who has retired', jump({ A: ['6.00'], B: ['r'] }), { current: 'A', round: 2 }],
    [
      'nobody who is disqualified',
      jump({ A: ['6.00'], B: [] }, { results: [{ bib: 'A' }, { bib: 'B', performance: 'DQ' }] }),
      { current: 'A', round: 2 },
    ],
    [
      'after the cut, those who survived it',
      jump(
        { A: ['5.00'], B: ['6.00'], C: ['x'] },
        {
          cut_after_round: 1,
          cut_survivors: 2,
          results: [{ bib: 'A', place: 2 }, { bib: 'B', place: 1 }, { bib: 'C' }],
        },
      ),
      { current: 'A', next: 'B', round: 2 },
    ],
    [
      'nobody while the unit is not under way',
      jump({ A: ['6.00'], B: [] }, { results_status: 'official' }),
      {},
    ],
  ] as const)('%s', ([, unit, turn]) => {
    expect(turnOf(unit, {})).toEqual(turn);
  });
});

describe('who is up at a height', () => {
  test.for([
    ['the first of the order at the begin', [], { current: 'A', next: 'B', height: '1.80' }],
    ['the one after the last attempt', ['A 1.80 x'], { current: 'B', next: 'C', height: '1.80' }],
    [
      'who failed, once all have tried',
      ['A 1.80 x', 'B 1.80 o', 'C 1.80 x'],
      { current: 'A', next: 'C', height: '1.80' },
    ],
    [
      'the next height, once all are over',
      ['A 1.80 o', 'B 1.80 o', 'C 1.80 -'],
      { current: 'A', next: 'B', height: '1.85' },
    ],
    [
      'nobody who passed without a word',
      ['B 1.80 o', 'C 1.80 x'],
      { current: 'C', next: 'A', height: '1.80' },
    ],
    [
      'nobody who is out',
      ['A 1.80 x', 'B 1.80 o', 'C 1.80 o', 'A 1.80 x', 'A 1.80 x'],
      { current: 'B', next: 'C', height: '1.85' },
    ],
    [
      'who jumped off before, in the next jump-off',
      ['A 1.90 x 1', 'B 1.90 x 1', 'A 1.88 o 2'],
      { current: 'B', height: '1.88' },
    ],
  ] as const)('%s', ([, attempts, turn]) => {
    expect(turnOf(highJump([...attempts]), {})).toEqual(turn);
  });
});

const needs = (unit: Unit) => needsOf(unit, turnOf(unit, {}));

describe('what is needed', () => {
  test('in a long jump: the mark of another where the second best is better, else a centimetre more', () => {
    const unit = jump({ A: ['6.00', '6.20'], B: ['6.10', '6.30'], C: ['5.90', '6.25'] });
    expect(needs(unit).needs).toEqual([
      { mark: '6.30', place: 1, shared: false },
      { mark: '6.25', place: 2, shared: false },
    ]);
  });

  test('in a long jump: as far as the leader is not enough where the second best is worse', () => {
    const unit = jump({ A: ['6.00', '6.20'], B: ['6.10', '6.30'], C: ['5.00'] });
    expect(needs(unit)).toEqual({
      leads: false,
      needs: [
        { mark: '6.31', place: 1, shared: false },
        { mark: '6.21', place: 2, shared: false },
      ],
    });
  });

  test('in a long jump: as far as the leader with the same second best shares the place', () => {
    const unit = jump({ A: ['6.30'], B: [] });
    expect(needs(unit).needs).toEqual([
      { mark: '6.31', place: 1, shared: false },
      { mark: '6.30', place: 1, shared: true },
      { mark: '0.01', place: 2, shared: false },
    ]);
  });

  test('who leads alone needs nothing', () => {
    expect(needs(jump({ A: ['6.30'], B: ['6.00'] }))).toEqual({ leads: true, needs: [] });
  });

  test('at a height: failures decide between those who clear it', () => {
    const unit = highJump(['A 1.80 o', 'B 1.80 x', 'C 1.80 x', 'B 1.80 o']);
    expect(turnOf(unit, {}).current).toBe('C');
    expect(needs(unit).needs).toEqual([
      { mark: '1.85', place: 1, shared: false },
      { mark: '1.80', place: 2, shared: true },
    ]);
  });
});
