import { expect, test } from 'vitest';
import { type Names, renderUnit } from '../../src/units/saving/record.ts';

const event = {
  eventId: 'R',
  eventCode: '4x100',
  name: '',
  rounds: null,
  attempts: null,
  parent: null,
  genders: null,
};

/** The runners shown of a unit in which a team of a hundred known runners stands this often. */
function runnersShown(times: number): number {
  const runners = Array.from({ length: 100 }, (_, index) => String(index));
  const names: Names = {
    competitor: (id) => ({ firstName: 'Runner', lastName: id, teamId: null, gender: null }),
    team: () => undefined,
    relayTeam: () => ({ name: 'Town', teamId: null, runners }),
  };
  const record = { results: Array.from({ length: times }, () => ({ bib: 'A' })) };
  const { results } = renderUnit({
    address: { year: 2026, countryId: 'GBR', slug: 'open' },
    event,
    unit: { round: 1, heat: 1, status: '', resultsStatus: '', record },
    unitsOfEvent: [{ round: 1, heat: 1 }],
    names,
  });
  return results.flatMap((result) => ('runner_names' in result ? (result.runner_names ?? []) : [])).length;
}

test('a unit names as many runners as it may have results, and no more: its text stays in bounds', () => {
  expect(runnersShown(200)).toBe(20_000);
  expect(runnersShown(20_000)).toBe(20_000);
});
