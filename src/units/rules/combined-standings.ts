// Standings of a combined event from the results of its parts. Pure. Rule numbers are those of the World Athletics technical rules.
import type { SentResult } from '../schemas.ts';
import { combinedPoints, type Gender } from './combined-points.ts';
import { isStatus } from './marks.ts';

/** The unit of a combined event in which its standings are. */
export const STANDINGS = { round: 1, heat: 1 };

export const isStandings = ({ round, heat }: { round: number; heat: number }): boolean =>
  round === STANDINGS.round && heat === STANDINGS.heat;

/** A unit of one of the events that a combined event is made of, with its results as they are shown. */
export type Part = {
  eventId: string;
  eventCode: string;
  genders: string | null;
  round: number;
  heat: number;
  results: SentResult[];
  /** Whether these are in, provisional or official. */
  arrived: boolean;
};

type Contest = {
  parts: Part[];
  genders: string | null;
  /** An athlete's, as sent. */
  genderOf: (bib: string) => string | null;
  /** Whether places are set by hand. */
  overridePlaces: boolean;
};

/** What an athlete's parts come to; `points` is null before there are any. */
type Total = { points: number | null; out: boolean };

/**
 * The results of a combined event: points, performances and places that were sent stand, the others follow from the parts. Who was
 * sent is listed in that order, points or none; if nobody was, everybody in the parts is, by points.
 */
export function combinedStandings(sent: SentResult[], contest: Contest): SentResult[] {
  const scored = scoredByBib(contest);
  const listed = sent.length > 0 ? sent : byPoints(contest.parts, scored);
  const totals = listed.map((result) => withTotal(result, totalOf(scored.get(result.bib) ?? [])));
  if (contest.overridePlaces) return totals.map(({ result }) => result);
  const placeOf = placesByPoints(totals.flatMap(({ result, out }) => (out ? [] : (pointsOf(result) ?? []))));
  return totals.map(({ result, out }) => {
    const own = pointsOf(result);
    if (result.place != null || out || own === null) return result;
    return { ...result, place: placeOf.get(own)! };
  });
}

/** Equal points share a place, and the next one is left out. */
function placesByPoints(points: number[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const [index, one] of points.toSorted((a, b) => b - a).entries()) {
    if (!places.has(one)) places.set(one, index + 1);
  }
  return places;
}

/** One result in one part: its round, and its points if there are any. */
type Scored = { eventId: string; round: number; points: number | null; out: boolean };

function scoredByBib({ parts, genders, genderOf }: Contest): Map<string, Scored[]> {
  const scored = new Map<string, Scored[]>();
  for (const { eventId, eventCode, round, results, ...part } of parts) {
    for (const result of results) {
      const gender = genderIn(part.genders) ?? genderIn(genders) ?? genderIn(genderOf(result.bib));
      const points = partPoints(result, eventCode, gender);
      const out = /^DNS\b/i.test(result.performance ?? '');
      const one = { eventId, round, points, out };
      const own = scored.get(result.bib);
      if (own) own.push(one);
      else scored.set(result.bib, [one]);
    }
  }
  return scored;
}

// Who sends 0 has no table; where it is meant, the mark comes to 0 too.
function partPoints(result: SentResult, eventCode: string, gender: Gender | null): number | null {
  const fields: Record<string, unknown> = result;
  const given = ['athlon_points', 'athlonPoints', 'points'].map((name) => fields[name]).find(isGiven);
  if (given !== undefined) return Number(given);
  return gender && result.performance ? combinedPoints(gender, eventCode, result.performance) : null;
}

const isGiven = (points: unknown) => /^[1-9]\d{0,5}$/.test(isPlain(points) ? String(points) : '');
const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'string';

/** The one gender of an event or athlete; null for mixed events and where there is no table. */
function genderIn(text: string | null): Gender | null {
  const letters = (text ?? '').trim().toUpperCase();
  if (letters === 'M') return 'M';
  return letters === 'F' || letters === 'W' ? 'F' : null;
}

/** Each part counts once: where it has several rounds, with the last in which there is something to count. */
function totalOf(scored: Scored[]): Total {
  const latest = new Map<string, Scored>();
  for (const one of scored.filter(({ points }) => points !== null)) {
    const other = latest.get(one.eventId);
    if (!other || one.round >= other.round) latest.set(one.eventId, one);
  }
  const counted = [...latest.values()];
  const sum = counted.reduce((total, { points }) => total + (points ?? 0), 0);
  // TR 39.10: who does not start in one of the events has abandoned the competition, and is not classified.
  return { points: counted.length > 0 ? sum : null, out: scored.some(({ out }) => out) };
}

function withTotal(result: SentResult, { points, out }: Total): { result: SentResult; out: boolean } {
  // What an official has decided about the whole stands above what its parts come to.
  if (isStatus(result.performance)) return { result, out: true };
  const total = pointsOf(result) ?? points;
  if (total === null) return { result, out };
  const shown = { points: result.points ?? total, performance: result.performance || String(total) };
  return { result: { ...result, ...shown }, out };
}

/** The points that a result says: a whole number as its performance is points too. */
function pointsOf({ points, performance }: SentResult): number | null {
  if (points != null) return points;
  return /^\d{1,6}$/.test(performance?.trim() ?? '') ? Number(performance) : null;
}

function byPoints(parts: Part[], scored: Map<string, Scored[]>): SentResult[] {
  const bibs = [...new Set(parts.flatMap(({ results }) => results.map(({ bib }) => bib)))];
  const totals = new Map(bibs.map((bib) => [bib, totalOf(scored.get(bib) ?? [])]));
  const rank = (bib: string) => {
    const { points, out } = totals.get(bib)!;
    return points === null ? -2 : out ? -1 : points;
  };
  return bibs.toSorted((a, b) => rank(b) - rank(a)).map((bib) => ({ bib }));
}

/** How far a combined event is when nobody says so: under way until every unit of its parts has its results. */
export function standingsStatus(
  results: SentResult[],
  parts: Part[],
): 'empty' | 'seeded' | 'in_progress' | 'provisional' {
  if (results.length === 0) return 'empty';
  if (results.every((result) => pointsOf(result) === null)) return 'seeded';
  return parts.every(({ arrived }) => arrived) ? 'provisional' : 'in_progress';
}
