// A moment of a unit that a lower third tells of: an attempt just made, or who won. Pure.
import { isVertical } from '../../units/rules/disciplines.ts';
import { shownPlace } from './order.ts';
import { shownMark } from './series.ts';
import { unitState } from './state.ts';
import { nameOf, numberOf, type Result, textOf, type Trial, type Unit } from './unit.ts';

export type Moment = {
  bib: string;
  name: string;
  team: string;
  /** The mark, and of a field event in which round or at which height. */
  mark: string;
  round?: number;
  height?: string;
  wind: string;
  /** The place and best so far. */
  place: string;
  best: string;
  /** When it happened, as far as that was recorded. */
  at: string;
  /** By which it is known from others of its unit. */
  key: string;
};

/** The newest of a unit: who won, once there are results, else the last attempt. */
export function newestMoment(unit: Unit): Moment | undefined {
  const state = unitState(unit);
  if (state === 'provisional' || state === 'official') return winnerOf(unit);
  return lastAttempt(unit);
}

function lastAttempt(unit: Unit): Moment | undefined {
  const trials = unit.trials ?? [];
  const trial = trials.reduce<Trial | undefined>(
    (newest, one) => (newest === undefined || timeOf(one) >= timeOf(newest) ? one : newest),
    undefined,
  );
  if (!trial) return undefined;
  const { bib } = trial;
  const result = unit.results?.find((one) => one.bib === bib) ?? { bib };
  const vertical = isVertical(unit.event_code);
  const height = textOf(trial.height);
  const round = numberOf(trial.round);
  return {
    ...personOf(result),
    mark: vertical ? marksAt(trials, trial) : shownMark(textOf(trial.result)),
    ...(vertical ? { height } : round !== undefined && { round }),
    wind: textOf(trial['wind']),
    best: textOf(result.performance),
    at: textOf(trial.recorded_at) || unit.updated_at,
    key: JSON.stringify([bib, trial.round, trial.height, trial['jump_off'], trial.result, trials.length]),
  };
}

const timeOf = (trial: Trial): number => Date.parse(textOf(trial.recorded_at)) || 0;

/** All that was tried at the height: `XO`. */
const marksAt = (trials: Trial[], { bib, height, jump_off }: Trial): string =>
  trials
    .filter((one) => one.bib === bib && one.height === height && one['jump_off'] === jump_off)
    .map((one) => shownMark(textOf(one.result)))
    .join('');

function winnerOf(unit: Unit): Moment | undefined {
  const winner = unit.results?.find(({ place }) => place === 1);
  if (!winner) return undefined;
  const mark = textOf(winner.performance);
  return {
    ...personOf(winner),
    mark,
    wind: textOf(winner.wind),
    best: '',
    at: unit.updated_at,
    key: JSON.stringify(['won', winner.bib, mark]),
  };
}

const personOf = (result: Result) => ({
  bib: result.bib,
  name: nameOf(result),
  team: textOf(result.athlete_name) === '' ? '' : textOf(result.team_name),
  place: shownPlace(result),
});
