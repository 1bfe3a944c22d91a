// A row of the benchmark: what it measures, what it holds it against, and the verdict.
import type { Bench } from './bench.ts';

export type Target = { atMost: number } | { atLeast: number };
/** `value` and `floor` in the row's unit; notes are printed beside the verdict. */
export type Measured = {
  value: number;
  floor: number;
  notes?: string[];
  /** Promises that were not kept: whatever the ratio, the target is not met. */
  broken?: string[];
};
export type Measurement = Measured | { unavailable: string };
export type Row = {
  row: number;
  name: string;
  unit: 'ms' | 'requests/s' | 'events/s' | 'MB' | 'kB';
  /** Null where no target is set. */
  target: Target | null;
  measure(bench: Bench): Promise<Measurement>;
};
/** What was not measured, or has no target, is null. */
export type Verdict = {
  row: number;
  name: string;
  value: number | null;
  floor: number | null;
  ratio: number | null;
  target: string | null;
  met: boolean | null;
};
export type Judged = Verdict & { unit: string; notes: string[] };

/** Measures both in turn, each first as often as the other, after one round that does not count. */
export async function interleaved<Value, Floor = Value>(
  rounds: number,
  value: () => Promise<Value>,
  floor: () => Promise<Floor>,
): Promise<{ values: Value[]; floors: Floor[] }> {
  await value();
  await floor();
  const values: Value[] = [];
  const floors: Floor[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2) floors.push(await floor());
    values.push(await value());
    if (round % 2 === 0) floors.push(await floor());
  }
  return { values, floors };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function judged({ row, name, unit, target }: Row, measurement: Measurement): Judged {
  const head = { row, name: `${name}, ${unit}`, unit, target: limitText(target) };
  if ('unavailable' in measurement) {
    return { ...head, value: null, floor: null, ratio: null, met: null, notes: [measurement.unavailable] };
  }
  const { value, floor, notes = [], broken = [] } = measurement;
  const ratio = value / floor;
  return {
    ...head,
    value: rounded(value),
    floor: rounded(floor),
    ratio: rounded(ratio),
    met: broken.length > 0 ? false : target && within(target, ratio),
    notes: [...broken.map((promise) => `BROKEN: ${promise}`), ...notes],
  };
}

const within = (target: Target, ratio: number) =>
  'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;

function limitText(target: Target | null): string | null {
  if (!target) return null;
  return 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
}

const rounded = (value: number) => Number(value.toPrecision(4));

/** The verdict without what is there for human readers only. */
export function bare({ row, name, value, floor, ratio, target, met }: Judged): Verdict {
  return { row, name, value, floor, ratio, target, met };
}

const HEADINGS = ['row', 'what', 'value', 'floor', 'ratio', 'target', 'met'];

/** All verdicts below each other, and the notes below those. */
export function table(verdicts: Judged[]): string {
  const lines = [HEADINGS, ...verdicts.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const rows = lines.map((line) =>
    line
      .map((cell, column) => padded(cell, column, widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const notes = verdicts.flatMap(({ row, notes }) => notes.map((note) => `${row}: ${note}`));
  return [...rows, ...(notes.length ? ['', ...notes] : []), ''].join('\n');
}

const padded = (cell: string, column: number, width: number) =>
  HEADINGS[column] === 'what' ? cell.padEnd(width) : cell.padStart(width);

function cells({ row, name, value, floor, ratio, target, met }: Judged): string[] {
  const verdict = met === null ? '' : met ? 'yes' : 'NO';
  return [String(row), name, text(value), text(floor), text(ratio), target ?? '', verdict];
}

const text = (figure: number | null) => (figure === null ? '-' : String(figure));
