// Attempts that are still to come in a field unit, as far as those taken tell. Pure.
import { seriesByBib } from './series.ts';
import { isVertical } from './disciplines.ts';
import { isDecided } from './places.ts';
import { isRetirement, verticalCard } from './standings.ts';
import type { SentResult, SentTrial } from '../schemas.ts';

/** The unit's own number of rounds, else the event's, else the six of a final: three within a combined event (TR 39.8.2). */
export const attemptRounds = (
  unitRounds: unknown,
  { attempts, parent }: { attempts: unknown; parent: string | null },
): number => [unitRounds, attempts].map(countOf).find((count) => count > 0) ?? (parent === null ? 6 : 3);

// An unknown field, which may hold anything: an object may not even have a number.
const countOf = (value: unknown): number =>
  typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;

type Series = { results: SentResult[]; trials: SentTrial[]; eventCode: string; rounds: number };

/** Whether somebody who is still in has attempts left; false for a unit without attempts. */
export function hasAttemptsLeft({ results, trials, eventCode, rounds }: Series): boolean {
  if (trials.length === 0) return false;
  const gone = new Set(results.filter(isDecided).map(({ bib }) => bib));
  const series = seriesByBib(trials);
  const bibs = new Set([...results.map(({ bib }) => bib), ...series.keys()]);
  const competing = [...bibs].filter((bib) => !gone.has(bib)).map((bib) => series.get(bib) ?? []);
  return isVertical(eventCode)
    ? competing.some((own) => !verticalCard(own).out)
    : horizontalLeft(competing, rounds);
}

// A round ends before the next begins: who has no attempt in the last complete round did not qualify for it, or has left.
function horizontalLeft(competing: SentTrial[][], rounds: number): boolean {
  const numbers = competing.map((own) => new Set(own.map(({ round }) => round ?? 0)));
  const latest = competing.flat().reduce((last, { round }) => Math.max(last, round ?? 0), 0);
  if (latest === 0) return false;
  return competing.some((own, index) => {
    if (own.some(isRetirement)) return false;
    const taken = numbers[index]!;
    const stillIn = latest === 1 || taken.has(latest) || taken.has(latest - 1);
    return stillIn && (latest < rounds || !taken.has(latest));
  });
}
