// States of a unit's results: the spellings accepted, what is derived until somebody sends one, and the one transition that is
// announced. Pure.

type State = 'empty' | 'seeded' | 'in_progress' | 'provisional_results' | 'official_results';

/** Every accepted spelling, and the state behind it: states are compared, spellings are returned as sent. */
const STATES = {
  empty: 'empty',
  seeded: 'seeded',
  in_progress: 'in_progress',
  provisional: 'provisional_results',
  provisional_results: 'provisional_results',
  official: 'official_results',
  official_results: 'official_results',
} as const satisfies Record<string, State>;

export type ResultsStatus = keyof typeof STATES;
export const RESULTS_STATUSES = Object.keys(STATES) as [ResultsStatus, ...ResultsStatus[]];

// Asked for in browsers too, where Object.hasOwn is younger than those that the pages run in.
const BY_STATUS = new Map<string, State>(Object.entries(STATES));

const stateOf = (status: string): State => BY_STATUS.get(status) ?? 'empty';

export function isResultsState(status: string): boolean {
  return stateOf(status) === 'provisional_results' || stateOf(status) === 'official_results';
}

export const isOfficial = (status: string): boolean => stateOf(status) === 'official_results';

/** Before the first attempt or result. */
export function isBeforeStart(status: string): boolean {
  return stateOf(status) === 'empty' || stateOf(status) === 'seeded';
}

/** A unit as far as its results may arrive with a save. */
export type Arrival = { resultsStatus: string; hasResults: boolean };

/**
 * The specification's only transition: out of empty, seeded or in_progress into a results state. A results state without any
 * result waits for the first save that has one.
 */
export function resultsArrive(before: Arrival, after: Arrival): boolean {
  const there = ({ resultsStatus, hasResults }: Arrival) => hasResults && isResultsState(resultsStatus);
  return !there(before) && there(after);
}

/** The status of a unit for which nobody has sent one. `attemptsLeft`: attempts are coming in, and more are to come. */
export function derivedStatus(
  results: { performance?: unknown }[],
  { attempts, attemptsLeft }: { attempts: boolean; attemptsLeft: boolean },
): ResultsStatus {
  if (attemptsLeft) return 'in_progress';
  if (results.length === 0) return 'empty';
  return attempts || results.some((result) => result.performance) ? 'provisional' : 'seeded';
}
