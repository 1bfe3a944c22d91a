// Steps of the meeting under way, without end: an event that is over starts again. Pure but for chance.
import { attempt, highJumpResults, type HighJumpTrial, nextOver, seriesAt } from './high-jump.ts';
import { jump, longJumpResults, type LongJumpTrial, nextJumper } from './long-jump.ts';
import { EVENTS, HEATS, HIGH_JUMPERS, LONG_JUMPERS } from './programme.ts';
import { nameOf } from './people.ts';
import type { Result } from './places.ts';
import type { Random } from './random.ts';
import { fastest, type Race, race, startList } from './sprint.ts';

/** A request of a client of the competition (its path below the competition's own), and what to say about it. */
export type Step = { method: 'POST' | 'PATCH'; path: string; body: object; says: string };

const FINALISTS = 8;
const LIVE = { status: 'running', results_status: 'in_progress' };
const OVER = { status: 'finished', results_status: 'official_results' };

export function* longJumpSteps(random: Random): Generator<Step, never> {
  for (;;) {
    const trials: LongJumpTrial[] = [];
    for (let next = nextJumper(LONG_JUMPERS, trials); next; next = nextJumper(LONG_JUMPERS, trials)) {
      const trial = jump(next, random);
      trials.push(trial);
      const says = `Long jump, round ${trial.round}: ${nameOf(trial.bib)} ${trial.result} (wind ${trial.wind})`;
      yield attemptStep(EVENTS.longJump, trial, says);
    }
    const winner = winnerOf(longJumpResults(LONG_JUMPERS, trials));
    yield unitStep(EVENTS.longJump, OVER, `Long jump over: ${winner} wins`);
    yield unitStep(EVENTS.longJump, fresh(LONG_JUMPERS), 'Long jump: starts again');
  }
}

export function* highJumpSteps(random: Random): Generator<Step, never> {
  for (;;) {
    const trials: HighJumpTrial[] = [];
    for (let next = nextOver(HIGH_JUMPERS, trials); next; next = nextOver(HIGH_JUMPERS, trials)) {
      const trial = attempt(next, trials, random);
      trials.push(trial);
      const series = seriesAt(next.bib, next.height, trials);
      const says = `High jump, ${next.height}: ${nameOf(next.bib)} ${series}`;
      yield attemptStep(EVENTS.highJump, { ...trial, attempt: series.length }, says);
    }
    const winner = winnerOf(highJumpResults(HIGH_JUMPERS, trials));
    yield unitStep(EVENTS.highJump, OVER, `High jump over: ${winner} wins`);
    yield unitStep(EVENTS.highJump, fresh(HIGH_JUMPERS), 'High jump: starts again');
  }
}

type EventRef = { event_id: string };

const attemptStep = ({ event_id }: EventRef, trial: object, says: string): Step => ({
  method: 'POST',
  path: `/events/${event_id}/units/1/1/attempts`,
  body: trial,
  says,
});

const unitStep = ({ event_id }: EventRef, unit: object, says: string): Step => ({
  method: 'PATCH',
  path: `/events/${event_id}/units/1/1`,
  body: unit,
  says,
});

/** A field unit as it is before its first attempt. */
const fresh = (bibs: string[]) => ({
  status: 'running',
  results_status: 'in_progress',
  trials: [],
  results: bibs.map((bib, index) => ({ bib, order: index + 1 })),
});

/** In pairs: a race is started, a race has results. The first start of a cycle clears the races of the cycle before. */
export function* sprintSteps(random: Random): Generator<Step, never> {
  for (;;) {
    const races: Race[] = [];
    for (const [index, heat] of HEATS.entries()) {
      const key = { round: 1, heat: index + 1 };
      const rest = index === 0 ? cleared() : [];
      yield sprintStep([started(key, heat), ...rest], `100 m, heat ${key.heat}: on the track`);
      const run = race(heat, 12.4, random);
      races.push(run);
      yield sprintStep([finished(key, run)], `100 m, heat ${key.heat}: ${winnerOf(run.results)} wins`);
    }
    const key = { round: 2, heat: 1 };
    const finalists = fastest(races, FINALISTS);
    yield sprintStep([started(key, finalists)], '100 m, final: on the track');
    const final = race(finalists, 12.3, random);
    yield sprintStep([finished(key, final)], `100 m, final: ${winnerOf(final.results)} wins`);
  }
}

const sprintStep = (units: object[], says: string): Step => ({
  method: 'POST',
  path: '',
  body: { events: [{ event_id: EVENTS.sprint.event_id, units }] },
  says,
});

type Key = { round: number; heat: number };

const started = (key: Key, bibs: string[]) => ({
  ...LIVE,
  ...key,
  results: startList(bibs),
  wind_assistance: null,
});
const finished = (key: Key, run: Race) => ({
  ...key,
  ...run,
  status: 'finished',
  results_status: 'provisional_results',
});

const WAITING = { status: 'scheduled', wind_assistance: null };

/** The races after the first heat, as they are before the meeting. */
const cleared = () => [
  ...HEATS.slice(1).map((heat, index) => ({
    ...WAITING,
    round: 1,
    heat: index + 2,
    results_status: 'seeded',
    results: startList(heat),
  })),
  { ...WAITING, round: 2, heat: 1, results_status: 'empty', results: [] },
];

function winnerOf(results: Result[]): string {
  const winners = results.filter(({ place }) => place === 1);
  const names = winners.map(({ bib }) => nameOf(bib)).join(' and ');
  return `${names || 'nobody'} (${winners[0]?.performance ?? 'no mark'})`;
}
