// The marks that an athlete needs: to lead, and to take a better place than now. Pure. Rule numbers are those of the World
// Athletics technical rules.
import { isVertical } from '../../units/rules/disciplines.ts';
import { centimetres, parseSymbol } from '../../units/rules/marks.ts';
import { isDecided } from '../../units/rules/places.ts';
import {
  type Attempt,
  horizontalStandings,
  type Standing,
  verticalStandings,
} from '../../units/rules/standings.ts';
import type { Turn } from './turn.ts';
import { textOf, type Unit } from './unit.ts';

export type Need = {
  /** In metres: the least that does it. */
  mark: string;
  place: number;
  /** Whether others have the place too. */
  shared: boolean;
};

export type Needs = { leads: boolean; needs: Need[] };

/** For who is up: the best place first. Nobody needs a mark to keep a place. */
export function needsOf(unit: Unit, turn: Turn): Needs {
  const { current } = turn;
  if (current === undefined) return { leads: false, needs: [] };
  const bibs = (unit.results ?? []).filter((result) => !isDecided(result)).map(({ bib }) => bib);
  const trials: Attempt[] = unit.trials ?? [];
  const standings = isVertical(unit.event_code)
    ? (with_: Attempt[]) => verticalStandings([...trials, ...with_], bibs)
    : (with_: Attempt[]) => horizontalStandings([...trials, ...with_], bibs, Infinity);
  const now = placeIn(standings([]), current);
  const leads = now.place === 1 && !now.shared;
  const candidates = isVertical(unit.event_code) ? clearances(unit, turn) : distances(trials, turn);
  const best = new Map<string, Need>();
  for (const { mark, attempts } of candidates) {
    const { place, shared } = placeIn(standings(attempts), current);
    const better = place < now.place || (place === now.place && now.shared && !shared);
    const key = `${place} ${shared}`;
    if (better && !best.has(key)) best.set(key, { mark, place, shared });
  }
  return {
    leads,
    needs: [...best.values()].sort((a, b) => a.place - b.place || Number(a.shared) - Number(b.shared)),
  };
}

function placeIn(standings: Standing[], bib: string): { place: number; shared: boolean } {
  const place = standings.find((one) => one.bib === bib)?.place ?? Infinity;
  return { place, shared: standings.filter((one) => one.place === place).length > 1 };
}

type Candidate = { mark: string; attempts: Attempt[] };

/** As far as each other athlete's best (TR 25.22: the next best marks decide then), and a centimetre farther. The least first. */
function distances(trials: Attempt[], { current, round }: Turn): Candidate[] {
  const marks = new Set<number>([1]);
  const best = new Map<string, number>();
  for (const { bib, result } of trials) {
    if (bib !== current) best.set(bib, Math.max(best.get(bib) ?? 0, centimetres(result) ?? 0));
  }
  for (const mark of best.values()) if (mark > 0) marks.add(mark).add(mark + 1);
  return [...marks]
    .sort((a, b) => a - b)
    .map((mark) => (mark / 100).toFixed(2))
    .map((mark) => ({ mark, attempts: [{ bib: current!, round, result: mark }] }));
}

/** This height, then those above it, each at the first attempt that is left. The lowest first. */
function clearances(unit: Unit, { current, height }: Turn): Candidate[] {
  const bar = centimetres(height);
  if (bar === undefined) return [];
  const cleared = (unit.trials ?? [])
    .filter(({ result }) => parseSymbol(textOf(result)) === 'o')
    .map((trial) => textOf(trial.height));
  const heights = [height, ...(unit.heights ?? []).map(textOf), ...cleared]
    .flatMap((text) => centimetres(text) ?? [])
    .filter((one) => one >= bar);
  return [...new Set(heights)]
    .sort((a, b) => a - b)
    .map((one) => (one / 100).toFixed(2))
    .map((mark) => ({ mark, attempts: [{ bib: current!, height: mark, result: 'o' }] }));
}
