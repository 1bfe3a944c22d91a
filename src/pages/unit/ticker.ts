// The ticker of a competition: the last attempts and results, from its units as they are stored. Pure.
import { isResultsState } from '../../units/rules/state.ts';
import { isVertical } from '../../units/rules/disciplines.ts';
import { winnerOf } from '../../units/rules/places.ts';
import { heightKey, shownMark } from './series.ts';
import { nameOf, numberOf, textOf, type Trial, type Unit } from './unit.ts';

export type TickerItem = {
  kind: 'attempt' | 'results';
  unit: Unit;
  /** Who attempted, or who won. */
  name: string;
  /** `6.12`, `1.75 XO`, `11.82` */
  mark: string;
  /** When, in UTC. */
  at: string;
};

const OF_ONE_UNIT = 3;

/** The newest first: of a unit under way its last attempts, of one with results its winner. */
export function ticker(units: Unit[], count: number): TickerItem[] {
  return units
    .flatMap((unit) => (isResultsState(unit.results_status) ? resultsOf(unit) : attemptsOf(unit)))
    .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
    .slice(0, count);
}

function resultsOf(unit: Unit): TickerItem[] {
  const { name, performance } = winnerOf(unit.results ?? []);
  if (name === '' && performance === '') return [];
  return [{ kind: 'results', unit, name, mark: performance, at: unit.updated_at }];
}

function attemptsOf(unit: Unit): TickerItem[] {
  const trials = unit.trials ?? [];
  const markOf = isVertical(unit.event_code) ? atHeight(trials) : atRound;
  const names = new Map((unit.results ?? []).map((result) => [result.bib, nameOf(result)]));
  return trials
    .map((trial, index) => ({ trial, index }))
    .slice(-OF_ONE_UNIT)
    .toReversed()
    .map(({ trial, index }) => ({
      kind: 'attempt',
      unit,
      name: names.get(trial.bib) ?? trial.bib,
      mark: markOf(trial, index),
      at: textOf(trial.recorded_at) || unit.updated_at,
    }));
}

const atRound = (trial: Trial): string => shownMark(textOf(trial.result));

const keyOf = (trial: Trial) =>
  `${trial.bib} ${heightKey({ height: textOf(trial.height), jumpOff: numberOf(trial['jump_off']) ?? 0 })}`;

/** The height, and all marks at it up to this one. */
function atHeight(trials: Trial[]) {
  return (trial: Trial, index: number): string => {
    const marks = trials
      .slice(0, index + 1)
      .filter((other) => keyOf(other) === keyOf(trial))
      .map((other) => shownMark(textOf(other.result)));
    return `${textOf(trial.height)} ${marks.join('')}`.trim();
  };
}
