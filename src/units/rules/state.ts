// The results_status of a unit: its two spellings, how it is derived until someone sends it, and the one transition that is announced.

export const RESULTS_STATUSES = [
  'empty',
  'seeded',
  'in_progress',
  'provisional',
  'provisional_results',
  'official',
  'official_results',
] as const;

export type ResultsStatus = (typeof RESULTS_STATUSES)[number];
type State = 'empty' | 'seeded' | 'in_progress' | 'provisional_results' | 'official_results';

/** The state behind either spelling; states are compared, spellings are returned as sent. */
export function stateOf(status: string): State {
  if (status === 'provisional' || status === 'provisional_results') return 'provisional_results';
  if (status === 'official' || status === 'official_results') return 'official_results';
  return status === 'seeded' || status === 'in_progress' ? status : 'empty';
}

export function isResultsState(status: string): boolean {
  return stateOf(status) === 'provisional_results' || stateOf(status) === 'official_results';
}

/** The specification's only transition: out of empty, seeded or in_progress into a results state. */
export function resultsArrive(before: string, after: string): boolean {
  return !isResultsState(before) && isResultsState(after);
}

/** The status of a unit for which nobody has sent one. `recording`: attempts came through the attempt endpoint. */
export function derivedStatus(results: { performance?: unknown }[], recording: boolean): ResultsStatus {
  if (recording) return 'in_progress';
  if (results.length === 0) return 'empty';
  return results.some((result) => result.performance) ? 'provisional' : 'seeded';
}
