// Events of a unit's save for the overview channel: its new attempts, and the arrival of its results. Pure.
import type { LatestAttempt, ResultsArrived, Unnumbered } from '../../push/events.ts';
import { changedAttempts, marksAtHeights } from '../rules/attempts.ts';
import { isPushedByHeight } from '../rules/disciplines.ts';
import { winnerOf } from '../rules/places.ts';
import type { UnitBody } from './record.ts';
import type { SentTrial } from '../schemas.ts';
import { type Arrival, isResultsState, resultsArrive } from '../rules/state.ts';

/** The unit as it stood before the save (a new one was empty), and whether the save is of attempts recorded one by one. */
export type Before = Arrival & { trials: SentTrial[]; live: boolean };

/** An event of the overview channel, but for the revision. */
export type OverviewEvent =
  | { event: 'latest_attempt'; data: Unnumbered<LatestAttempt> }
  | { event: 'results_arrived'; data: Unnumbered<ResultsArrived> };

/** The events of a save for the overview channel, in the order in which they are published. */
export function overviewEvents(
  before: Before,
  unit: UnitBody,
  athleteName: (bib: string) => string,
): OverviewEvent[] {
  const attempts = isLive(before, unit) ? changedAttempts(before.trials, unit.trials, unit.event_code) : [];
  const marksAt =
    isPushedByHeight(unit.event_code) && attempts.length > 0 ? marksAtHeights(unit.trials) : () => [];
  const latest = attempts.flatMap((index) => {
    const data = latestAttempt(unit, { index, marks: marksAt(index) }, athleteName);
    return data ? [{ event: 'latest_attempt' as const, data }] : [];
  });
  const after = { resultsStatus: unit.results_status, hasResults: unit.results.length > 0 };
  if (!resultsArrive(before, after)) return latest;
  return [...latest, { event: 'results_arrived', data: resultsArrived(unit) }];
}

// A series under way, or one that ends with this save; a finished series imported whole is not replayed.
function isLive(before: Before, unit: UnitBody): boolean {
  if (before.live || !isResultsState(unit.results_status)) return true;
  return !isResultsState(before.resultsStatus) && before.trials.length > 0;
}

const unitFields = ({ event_id, round_no, heat_no, heat_name }: UnitBody) => ({
  event_id,
  round_no,
  heat_no,
  heat_name,
});

/** An attempt by its place in the series, and the marks at its height up to and including it. */
type Placed = { index: number; marks: string[] };

/** The event of an attempt; undefined when it lacks what the event must say (height, or round). */
export function latestAttempt(
  unit: UnitBody,
  { index, marks }: Placed,
  athleteName: (bib: string) => string,
): Unnumbered<LatestAttempt> | undefined {
  const { bib, height, round, result, attempt_id, jump_off } = unit.trials[index]!;
  const common = { ...unitFields(unit), bib, result: result ?? '', athlete_name: athleteName(bib) };
  const id = typeof attempt_id === 'string' && { attempt_id };
  if (isPushedByHeight(unit.event_code)) {
    const event_code = unit.event_code.toUpperCase() as 'HJ' | 'PV';
    if (!height) return undefined;
    const jumpOff = typeof jump_off === 'number' && { jump_off };
    const attempts_at_height = marks.join('');
    return { ...common, event_code, height, attempts_at_height, attempt: marks.length, ...jumpOff, ...id };
  }
  return round ? { ...common, event_code: unit.event_code, round, ...id } : undefined;
}

/** The event of the arrival of results: who won, and how. */
export function resultsArrived(unit: UnitBody): Unnumbered<ResultsArrived> {
  const { name, performance } = winnerOf(unit.results);
  return { ...unitFields(unit), winner_performance: performance, winner_name: name };
}
