// The geometry of a unit's chart: heights of a vertical event, marks of a horizontal one, gaps of a race with splits. Pure.
import { centimetres, parseSymbol } from '../../units/rules/marks.ts';
import { jumpOffOf } from '../../units/rules/standings.ts';
import { secondsOf } from '../../units/rules/times.ts';
import type { Kind } from './kind.ts';
import { inOrder } from './order.ts';
import { horizontalSeries } from './series.ts';
import { nameOf, numberOf, type Result, textOf, type Unit } from './unit.ts';

export type ChartKind = 'height' | 'series' | 'gaps';
type Point = { x: number; y: number; failed?: boolean };
type Values = { name: string; points: Point[] };

export type Chart = {
  kind: ChartKind;
  width: number;
  height: number;
  xTicks: { at: number; text: string }[];
  yTicks: { at: number; text: string }[];
  /** `path`: of what counts; `failed`: attempts at it that do not. */
  lines: { name: string; path: string; points: Point[] }[];
};

const MOST_ATHLETES = 6;
const FRAME = { width: 640, height: 300, left: 52, right: 28, top: 16, bottom: 30 };

/** Undefined where fewer than two athletes have something to draw. */
export function chartOf(unit: Unit, kind: Kind): Chart | undefined {
  const results = inOrder(unit.results ?? [], 'place');
  if (kind === 'vertical') return drawn('height', heightsOf(unit, results));
  if (kind === 'horizontal') return drawn('series', marksOf(unit, results));
  return kind === 'race' || kind === 'relay' ? drawn('gaps', gapsOf(results)) : undefined;
}

/** Jump after jump, the height that it was at. */
function heightsOf(unit: Unit, results: Result[]): Values[] {
  return results.map((result) => {
    const jumps = (unit.trials ?? [])
      .filter((trial) => trial.bib === result.bib && jumpOffOf(trial) === 0)
      .map((trial) => ({ bar: centimetres(textOf(trial.height)), symbol: parseSymbol(textOf(trial.result)) }))
      .filter(({ symbol }) => symbol === 'o' || symbol === 'x');
    const points = jumps.flatMap(({ bar, symbol }, index) =>
      bar === undefined ? [] : [{ x: index + 1, y: bar / 100, ...(symbol === 'x' && { failed: true }) }],
    );
    return { name: nameOf(result), points };
  });
}

/** Round after round, the mark. */
function marksOf(unit: Unit, results: Result[]): Values[] {
  const series = horizontalSeries(unit);
  return results.map((result) => {
    const points = (series.get(result.bib) ?? []).flatMap(({ round, text }) => {
      const mark = centimetres(text);
      return mark === undefined ? [] : [{ x: round, y: mark / 100 }];
    });
    return { name: nameOf(result), points: points.sort((one, other) => one.x - other.x) };
  });
}

/** Split after split, the time behind who passed it first. */
function gapsOf(results: Result[]): Values[] {
  const passed = results.map((result) => ({ name: nameOf(result), at: splitsOf(result) }));
  const first = new Map<number, number>();
  for (const { at } of passed) {
    for (const [distance, time] of at) first.set(distance, Math.min(time, first.get(distance) ?? Infinity));
  }
  return passed.map(({ name, at }) => ({
    name,
    points: Array.from(at, ([x, time]) => ({ x, y: time - first.get(x)! })).sort(
      (one, other) => one.x - other.x,
    ),
  }));
}

function splitsOf(result: Result): Map<number, number> {
  const splits = Array.isArray(result['splits']) ? (result['splits'] as unknown[]) : [];
  const at = new Map<number, number>();
  for (const split of splits) {
    if (typeof split !== 'object' || split === null) continue;
    const fields = split as Record<string, unknown>;
    const distance = numberOf(fields['distance']);
    const time = secondsOf(textOf(fields['elapsed_time'] ?? fields['elapsedTime']));
    if (distance !== undefined && time !== undefined) at.set(distance, time);
  }
  return at;
}

function drawn(kind: ChartKind, values: Values[]): Chart | undefined {
  const shown = values.filter(({ points }) => points.some((point) => !point.failed)).slice(0, MOST_ATHLETES);
  if (shown.length < 2) return undefined;
  const points = shown.flatMap((one) => one.points);
  const x = scale(
    points.map((point) => point.x),
    FRAME.left,
    FRAME.width - FRAME.right,
  );
  const [top, bottom] = [FRAME.top, FRAME.height - FRAME.bottom];
  // The leader of a race is above, as the best mark is.
  const y = scale(
    points.map((point) => point.y),
    kind === 'gaps' ? top : bottom,
    kind === 'gaps' ? bottom : top,
  );
  const lines = shown.map(({ name, points: own }) => {
    const placed = own.map((point) => ({ ...point, x: x(point.x), y: y(point.y) }));
    const path = placed
      .filter((point) => !point.failed)
      .map((point) => `${point.x},${point.y}`)
      .join(' ');
    return { name, path, points: placed };
  });
  const digits = kind === 'gaps' ? 1 : 2;
  return {
    kind,
    width: FRAME.width,
    height: FRAME.height,
    xTicks: someOf(points.map((point) => point.x)).map((at) => ({ at: x(at), text: String(at) })),
    // The bar is at certain heights only.
    yTicks: (kind === 'height' ? someOf : spread)(points.map((point) => point.y)).map((at) => ({
      at: y(at),
      text: at.toFixed(digits),
    })),
    lines,
  };
}

/** From values to places between two ends; rounded, so that the same unit is the same text. */
function scale(values: number[], from: number, to: number): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  return (value) => Math.round(10 * (from + ((value - least) / span) * (to - from))) / 10;
}

const MOST_TICKS = 10;

function someOf(values: number[]): number[] {
  const all = [...new Set(values)].sort((one, other) => one - other);
  const step = Math.ceil(all.length / MOST_TICKS);
  return all.filter((_, index) => index % step === 0);
}

function spread(values: number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? [least] : [0, 1, 2, 3].map((part) => least + (part / 3) * (most - least));
}
