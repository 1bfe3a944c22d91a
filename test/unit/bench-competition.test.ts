import { expect, test } from 'vitest';
import { type Competition, makeCompetition, shares } from '../bench/competition.ts';
import { judged, median, table } from '../bench/row.ts';
import { BIG, type Shape, SMALL } from '../bench/shapes.ts';
import { withChangedResults } from '../bench/upload.ts';

function counts(shape: Shape) {
  const made = makeCompetition(shape, 'counted');
  const units = made.events.flatMap((event) => event.units);
  return {
    competitors: made.competitors.length,
    entries: made.competitors.flatMap((competitor) => competitor.events_entered).length,
    teams: made.teams.length,
    relayTeams: made.relay_teams.length,
    events: made.events.length,
    units: units.length,
    results: units.flatMap((unit) => unit.results).length,
    attempts: units.flatMap((unit) => unit.trials ?? []).length,
    kilobytes: Math.round(JSON.stringify(made).length / 1000),
  };
}

test('the big and the small competition of the benchmark are as large as it says', () => {
  expect(counts(BIG)).toEqual({
    competitors: 3000,
    entries: 7500,
    teams: 250,
    relayTeams: 60,
    events: 200,
    units: 1200,
    results: 15_000,
    attempts: 20_000,
    kilobytes: 2587,
  });
  expect(counts(SMALL)).toEqual({
    competitors: 200,
    entries: 520,
    teams: 20,
    relayTeams: 12,
    events: 30,
    units: 60,
    results: 600,
    attempts: 450,
    kilobytes: 116,
  });
});

test('the same seed makes the same competition, another seed another one', () => {
  const made = makeCompetition(SMALL, 'seeded');
  expect(makeCompetition(SMALL, 'seeded')).toEqual(made);
  expect(makeCompetition(SMALL, 'seeded', 2027)).not.toEqual(made);
});

test('nobody starts twice in a unit, and everybody who starts is entered', () => {
  const made = makeCompetition(SMALL, 'entered');
  for (const { event_id, units } of made.events) {
    const people = made.competitors.filter((one) =>
      one.events_entered.some((entry) => entry.event_id === event_id),
    );
    const relays = made.relay_teams.filter((relay) => relay.event_id === event_id);
    const entered = new Set([
      ...people.map(({ competitor_id }) => competitor_id),
      ...relays.map(({ relay_team_id }) => relay_team_id),
    ]);
    for (const { results } of units) {
      const bibs = results.map(({ bib }) => bib);
      expect(new Set(bibs).size).toBe(bibs.length);
      expect(bibs.filter((bib) => !entered.has(bib))).toEqual([]);
    }
  }
});

const resultsOf = (competition: Competition) =>
  competition.events.flatMap(({ units }) => units.flatMap((unit) => unit.results));

test('a repeated upload changes one result in a hundred, in each round to another', () => {
  const made = makeCompetition(SMALL, 'changed');
  const rounds = [made, withChangedResults(made, 1), withChangedResults(made, 2)].map(resultsOf);
  const [before, first, second] = rounds.map((results) => results.map(({ performance }) => performance));
  expect(first!.filter((performance, index) => performance !== before![index])).toHaveLength(6);
  expect(second!.filter((performance, index) => performance !== first![index])).toHaveLength(6);
});

test('shares add up to the whole, and differ by one at most', () => {
  expect(shares(10, 4)).toEqual([2, 3, 2, 3]);
  expect(shares(3, 1)).toEqual([3]);
});

const row = { row: 1, name: 'uploads', unit: 'ms', measure: async () => ({ value: 0, floor: 0 }) } as const;

test('a target is met by the ratio of value and floor, unless a promise was broken', () => {
  const atMost = { ...row, target: { atMost: 0.8 } };
  expect(judged(atMost, { value: 8, floor: 10 })).toMatchObject({ ratio: 0.8, target: '<= 0.8', met: true });
  expect(judged(atMost, { value: 9, floor: 10 }).met).toBe(false);
  expect(judged(atMost, { value: 8, floor: 10, broken: ['wrote a row'] }).met).toBe(false);
  expect(judged({ ...row, target: { atLeast: 0.8 } }, { value: 9, floor: 10 }).met).toBe(true);
});

test('what has no target or was not measured is neither met nor missed', () => {
  expect(judged({ ...row, target: null }, { value: 8, floor: 10 })).toMatchObject({ ratio: 0.8, met: null });
  expect(judged({ ...row, target: { atMost: 1 } }, { unavailable: 'no nginx' })).toMatchObject({
    value: null,
    floor: null,
    ratio: null,
    met: null,
    notes: ['no nginx'],
  });
});

test('the table shows a verdict per line and the notes below', () => {
  const verdict = judged(
    { ...row, target: { atMost: 0.5 } },
    { value: 8, floor: 10, notes: ['with push on 12 ms'] },
  );
  expect(table([verdict])).toBe(
    [
      'row  what         value  floor  ratio  target  met',
      '  1  uploads, ms      8     10    0.8  <= 0.5   NO',
      '',
      '1: with push on 12 ms',
      '',
    ].join('\n'),
  );
});

test('the median is the middle, or between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});
