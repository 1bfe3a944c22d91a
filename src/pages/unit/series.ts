// Series of attempts: of a throw or long jump by rounds, of a high jump by heights. Pure.
import { centimetres, parseMetres, parseSymbol } from '../../units/rules/marks.ts';
import { numberOf, textOf, type Trial, type Unit } from './unit.ts';

export type Attempt = { round: number; text: string; wind: string; best: boolean };
export type Series = ReadonlyMap<string, Attempt[]>;

/** What an attempt is shown as: a mark as it was sent, symbols as X O – r. */
export function shownMark(result: string): string {
  const symbol = parseSymbol(result);
  if (symbol === undefined) return result.trim();
  return { o: 'O', x: 'X', '-': '–', r: 'r' }[symbol];
}

/** The attempts of each athlete, by round. Of several with the same round the last counts, as it corrects the others. */
export function horizontalSeries(unit: Unit): Series {
  const series = new Map<string, Attempt[]>();
  for (const trial of unit.trials ?? []) {
    const round = trial.round ?? 0;
    if (round < 1 || round > 100) continue;
    const own = series.get(trial.bib) ?? [];
    const attempt = {
      round,
      text: shownMark(textOf(trial.result)),
      wind: textOf(trial['wind']),
      best: false,
    };
    const at = own.findIndex((other) => other.round === round);
    if (at === -1) own.push(attempt);
    else own[at] = attempt;
    series.set(trial.bib, own);
  }
  for (const attempts of series.values()) markBest(attempts);
  return series;
}

function markBest(attempts: Attempt[]): void {
  const marks = attempts.map(({ text }) => centimetres(text) ?? 0);
  const best = Math.max(...marks);
  const at = marks.indexOf(best);
  if (best > 0) attempts[at]!.best = true;
}

/** How many rounds of attempts there are columns for. */
export function roundsOf(unit: Unit, maxAttempts?: unknown): number {
  const recorded = Math.max(0, ...(unit.trials ?? []).map(({ round }) => Math.min(round ?? 0, 100)));
  const announced = numberOf(unit['rounds']) ?? numberOf(maxAttempts) ?? 6;
  return Math.max(recorded, Math.min(Math.max(Math.trunc(announced), 1), 12));
}

/** At one height: `XXO`, and which of the jump-offs it was in, 0 for none. */
export type AtHeight = { height: string; jumpOff: number; marks: string };

export type VerticalSeries = {
  /** The columns, in order: those of the contest, then those of jump-offs. */
  heights: { height: string; jumpOff: number }[];
  byBib: ReadonlyMap<string, { at: ReadonlyMap<string, string>; failuresAtBest: number; failures: number }>;
};

export const heightKey = ({ height, jumpOff }: { height: string; jumpOff: number }) => `${jumpOff}/${height}`;

export function verticalSeries(unit: Unit): VerticalSeries {
  const trials = (unit.trials ?? []).filter((trial) => textOf(trial.height) !== '');
  const announced = (unit.heights ?? []).map((height) => ({ height: metres(textOf(height)), jumpOff: 0 }));
  const columns = new Map(announced.map((column) => [heightKey(column), column]));
  const marks = new Map<string, Map<string, string>>();
  for (const trial of trials) {
    const column = { height: metres(textOf(trial.height)), jumpOff: jumpOffOf(trial) };
    columns.set(heightKey(column), column);
    const own = marks.get(trial.bib) ?? new Map<string, string>();
    own.set(heightKey(column), (own.get(heightKey(column)) ?? '') + shownMark(textOf(trial.result)));
    marks.set(trial.bib, own);
  }
  const heights = [...columns.values()].sort(byHeight);
  return { heights, byBib: new Map(Array.from(marks, ([bib, at]) => [bib, countedOf(at, heights)])) };
}

const metres = (text: string): string => parseMetres(text) ?? text;

const jumpOffOf = (trial: Trial): number =>
  Math.max(0, Math.min(Math.trunc(numberOf(trial['jump_off']) ?? 0), 100));

type Column = VerticalSeries['heights'][number];

// A bar goes up, in a jump-off up and down: those stay in the order in which they were jumped.
const byHeight = (one: Column, other: Column) =>
  one.jumpOff - other.jumpOff ||
  (one.jumpOff > 0 ? 0 : (centimetres(one.height) ?? 0) - (centimetres(other.height) ?? 0));

/** TR 26.9: failures at the last height cleared, and all up to and including it. */
function countedOf(at: ReadonlyMap<string, string>, heights: Column[]) {
  const contest = heights.filter(({ jumpOff }) => jumpOff === 0);
  const last = contest.reduce(
    (found, column, index) => (at.get(heightKey(column))?.includes('O') ? index : found),
    -1,
  );
  const failed = contest
    .slice(0, last + 1)
    .map((column) => Array.from(at.get(heightKey(column)) ?? '').filter((mark) => mark === 'X').length);
  return {
    at,
    failuresAtBest: failed[failed.length - 1] ?? 0,
    failures: failed.reduce((sum, one) => sum + one, 0),
  };
}
