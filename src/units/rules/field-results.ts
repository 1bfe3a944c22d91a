// Results of a unit, and those of a field unit after its attempts changed. Pure.
import { isVertical } from './disciplines.ts';
import { trialsOf } from './attempts.ts';
import { seriesByBib } from './series.ts';
import { centimetres, isStatus, parseSymbol } from './marks.ts';
import { isDecided } from './places.ts';
import type { SentResult, SentTrial } from '../schemas.ts';
import { horizontalStandings, type Standing, verticalStandings } from './standings.ts';

type UnitFields = Record<string, unknown>;

export const resultsOf = (record: UnitFields): SentResult[] =>
  (record['results'] as SentResult[] | null) ?? [];

type Contest = { eventCode: string; rounds: number };

/**
 * Performances and places follow from the attempts where they did so before. In a unit with results from elsewhere, or
 * whose places were set by hand (`override_places`), only the performance of the athlete concerned follows.
 */
export function resultsAfter(
  record: UnitFields,
  trials: SentTrial[],
  { bib, ...contest }: Contest & { bib: string },
): SentResult[] {
  const before = resultsOf(record);
  const results = before.some((result) => result.bib === bib) ? before : [...before, { bib }];
  if (derivesFromAttempts(record, contest)) return followed(results, trials, contest);
  const standing = standingsOf(trials, [{ bib }], contest).get(bib)!;
  return results.map((result) =>
    result.bib === bib && !isDecided(result) ? withStanding(result, standing, false) : result,
  );
}

/** The results of a series that came as a whole: derived where they were derived before, else as they are. */
export function resultsOfSeries(record: UnitFields, trials: SentTrial[], contest: Contest): SentResult[] {
  const results = resultsOf(record);
  return derivesFromAttempts(record, contest) ? followed(results, trials, contest) : results;
}

function followed(results: SentResult[], trials: SentTrial[], contest: Contest): SentResult[] {
  const standings = standingsOf(trials, results, contest);
  return results.map((result) =>
    isDecided(result) ? result : withStanding(result, standings.get(result.bib)!, true),
  );
}

/** Whether every performance is what its attempts come to, and no place was set by hand. */
function derivesFromAttempts(record: UnitFields, contest: Contest): boolean {
  const results = resultsOf(record);
  return !record['override_places'] && derives(results, standingsOf(trialsOf(record), results, contest));
}

/**
 * The results as a unit shows them at its end: who only failed has no mark (NM, NH), who never tried did not start; both without a
 * place, as the standings have it. A pass alone stays blank.
 * @param finished whether the contest is over: before, who has not tried yet may still come
 */
export function closedResults(
  results: SentResult[],
  trials: SentTrial[],
  { eventCode, finished }: { eventCode: string; finished: boolean },
): SentResult[] {
  const series = seriesByBib(trials);
  return results.map((result) => {
    if (result.performance || isStatus(result.place_text)) return result;
    const own = series.get(result.bib) ?? [];
    if (own.length === 0) return finished ? { ...result, performance: 'DNS' } : result;
    const symbols = own.map((trial) => parseSymbol(trial.result ?? ''));
    const onlyFailed =
      symbols.includes('x') && symbols.every((symbol) => symbol !== undefined && symbol !== 'o');
    return onlyFailed ? { ...result, performance: isVertical(eventCode) ? 'NH' : 'NM' } : result;
  });
}

/**
 * Results of a long or triple jump as a unit shows them: with the wind of the attempt that gives the performance. A wind that was
 * sent with the result stays.
 */
export function withWinds(results: SentResult[], trials: SentTrial[]): SentResult[] {
  const series = seriesByBib(trials);
  return results.map((result) => {
    const mark = centimetres(result.performance);
    if (mark === undefined || isMeasured(result)) return result;
    const own = series.get(result.bib) ?? [];
    const best = Math.max(...own.map((trial) => centimetres(trial.result) ?? 0));
    if (mark !== best) return result;
    const jump = own.find((trial) => centimetres(trial.result) === best && isMeasured(trial));
    return jump ? { ...result, wind: jump.wind } : result;
  });
}

const isMeasured = ({ wind }: SentResult | SentTrial) => wind != null && wind !== '';

/** The standings of those who are in: the marks of who is disqualified move nobody down. */
function standingsOf(
  trials: SentTrial[],
  results: SentResult[],
  { eventCode, rounds }: Contest,
): ReadonlyMap<string, Standing> {
  const bibs = results.filter((result) => !isDecided(result)).map(({ bib }) => bib);
  const standings = isVertical(eventCode)
    ? verticalStandings(trials, bibs)
    : horizontalStandings(trials, bibs, rounds);
  return new Map(standings.map((standing) => [standing.bib, standing]));
}

function derives(results: SentResult[], standings: ReadonlyMap<string, Standing>): boolean {
  return results.every((result) => {
    const { bib, performance } = result;
    if (!performance || isDecided(result)) return true;
    const computed = standings.get(bib)!.performance;
    return performance === computed || (centimetres(performance) ?? NaN) === centimetres(computed);
  });
}

// A wind that was sent with a result is that of its performance, and goes with it.
function withStanding(result: SentResult, { performance, place }: Standing, withPlace: boolean): SentResult {
  const { performance: marked, place: placeBefore, place_text: textBefore, wind, ...rest } = result;
  const same = centimetres(marked) === centimetres(performance);
  const shown = withPlace ? place : placeBefore;
  return {
    ...rest,
    ...(shown != null && { place: shown }),
    ...(!withPlace && textBefore != null && { place_text: textBefore }),
    ...(performance !== null && { performance }),
    ...(same && wind !== undefined && { wind }),
  };
}
