// Results of a unit, and those of a field unit after its attempts changed. Pure.
import { isVertical } from './disciplines.ts';
import { trialsOf } from './attempts.ts';
import { centimetres, isStatus } from './marks.ts';
import type { SentResult, SentTrial } from '../schemas.ts';
import { horizontalStandings, type Standing, verticalStandings } from './standings.ts';

type UnitFields = Record<string, unknown>;

export const resultsOf = (record: UnitFields): SentResult[] =>
  (record['results'] as SentResult[] | null) ?? [];

/**
 * Performances and places follow from the attempts where they did so before. In a unit with results from elsewhere, or
 * whose places were set by hand (`override_places`), only the performance of the athlete concerned follows.
 */
export function resultsAfter(
  record: UnitFields,
  trials: SentTrial[],
  { bib, eventCode, rounds }: { bib: string; eventCode: string; rounds: number },
): SentResult[] {
  const before = resultsOf(record);
  const results = before.some((result) => result.bib === bib) ? before : [...before, { bib }];
  const standings = (attempts: SentTrial[]) => standingsOf(attempts, results, eventCode, rounds);
  const after = standings(trials);
  const derived = !record['override_places'] && derives(before, standings(trialsOf(record)));
  return results.map((result, index) => {
    const standing = after[index]!;
    if (isStatus(result.performance)) return result;
    if (derived) return withStanding(result, standing, true);
    return result.bib === bib ? withStanding(result, standing, false) : result;
  });
}

function standingsOf(
  trials: SentTrial[],
  results: SentResult[],
  eventCode: string,
  rounds: number,
): Standing[] {
  const bibs = results.map(({ bib }) => bib);
  return isVertical(eventCode) ? verticalStandings(trials, bibs) : horizontalStandings(trials, bibs, rounds);
}

function derives(results: SentResult[], standings: Standing[]): boolean {
  return results.every(({ performance }, index) => {
    if (!performance || isStatus(performance)) return true;
    const computed = standings[index]!.performance;
    return performance === computed || (centimetres(performance) ?? NaN) === centimetres(computed);
  });
}

function withStanding(result: SentResult, { performance, place }: Standing, withPlace: boolean): SentResult {
  const { performance: _performance, place: placeBefore, ...rest } = result;
  const shown = withPlace ? place : placeBefore;
  return { ...rest, ...(shown != null && { place: shown }), ...(performance !== null && { performance }) };
}
