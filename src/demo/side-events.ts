// Events of the demo that are over before anybody looks: a race with splits, a combined event with its parts, a race of teams.
// Pure but for chance.
import { bibs, CLUBS, MEN, talent, WOMEN } from './people.ts';
import type { Result } from './places.ts';
import { type Random, spread } from './random.ts';

const MILERS = bibs(MEN.slice(8, 18));
const TRIATHLETES = bibs(WOMEN.slice(12, 18));

const SIDE_EVENTS = {
  mile: { event_id: 'T03', event_code: '1500', name: '1500 m Men', genders: 'M', rounds: '1' },
  triathlon: { event_id: 'M01', event_code: 'TRI', name: 'Triathlon Women', genders: 'F', rounds: '1' },
  shot: { event_id: 'M01-1', event_code: 'SP', name: 'Triathlon Shot Put', genders: 'F', rounds: '1' },
  jump: { event_id: 'M01-2', event_code: 'LJ', name: 'Triathlon Long Jump', genders: 'F', rounds: '1' },
  sprint: { event_id: 'M01-3', event_code: '200', name: 'Triathlon 200 m', genders: 'F', rounds: '1' },
  teams: { event_id: 'X01', event_code: 'XC', name: 'Cross-Country Teams', genders: 'MF', rounds: '1' },
};

const { mile, triathlon, shot, jump, sprint, teams } = SIDE_EVENTS;

/** Who is entered for them. */
export const SIDE_STARTERS = [
  { event: mile, starters: MILERS },
  { event: triathlon, starters: TRIATHLETES },
];

export function sideEvents(random: Random) {
  const part = (event: { event_id: string }, results: Result[]) => ({
    ...event,
    parent: triathlon.event_id,
    units: [over(results)],
  });
  return [
    { ...mile, units: [over(mileResults(random))] },
    { ...triathlon, units: [], results: TRIATHLETES.map((bib) => ({ bib })) },
    part(
      shot,
      marked(TRIATHLETES, (bib) => 10.5 + 3 * talent(bib) + spread(random), 'higher'),
    ),
    part(
      jump,
      marked(TRIATHLETES, (bib) => 5.1 + talent(bib) + 0.2 * spread(random), 'higher'),
    ),
    part(
      sprint,
      marked(TRIATHLETES, (bib) => 26.5 - 2 * talent(bib) + 0.4 * spread(random), 'lower'),
    ),
    { ...teams, units: [over(teamResults(random))] },
  ];
}

const over = (results: Result[]) => ({
  round: 1,
  heat: 1,
  status: 'finished',
  results_status: 'official_results',
  results,
});

function marked(starters: string[], markOf: (bib: string) => number, better: 'higher' | 'lower'): Result[] {
  const sign = better === 'higher' ? -1 : 1;
  return starters
    .map((bib) => ({ bib, performance: markOf(bib).toFixed(2) }))
    .toSorted((one, other) => sign * (Number(one.performance) - Number(other.performance)))
    .map((result, index) => ({ ...result, place: index + 1 }));
}

const LAPS = [400, 800, 1200];
const MILE_METRES = 1500;

/** An even pace, a little faster towards the end. */
function mileResults(random: Random): Result[] {
  const times = marked(MILERS, (bib) => 236 - 12 * talent(bib) + 3 * spread(random), 'lower');
  return times.map(({ performance, ...result }) => {
    const seconds = Number(performance);
    const splits = LAPS.map((distance) => ({
      distance,
      elapsed_time: clock((seconds * distance * (1.02 - distance / 75_000)) / MILE_METRES),
    }));
    return { ...result, performance: clock(seconds), splits };
  });
}

function teamResults(random: Random): Result[] {
  const sums = CLUBS.map(({ team_id: bib }) => ({ bib, sum: 24 + Math.round(30 * random()) }));
  return sums
    .toSorted((one, other) => one.sum - other.sum)
    .map(({ bib, sum }, index) => ({ bib, place: index + 1, performance: String(sum + index) }));
}

/** 3:41.07 */
function clock(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const rest = ((hundredths % 6000) / 100).toFixed(2).padStart(5, '0');
  return `${Math.floor(hundredths / 6000)}:${rest}`;
}
