// A row of the benchmark: what it measures, what it holds it against, and the verdict.
import type { Bench } from './bench.ts';

export type Target = { atMost: number } | { atLeast: number };
/** `value` and `floor` in the same unit; the notes are printed beside the verdict. */
export type Measurement = { value: number; floor: number; unit: string; notes?: string[] };
export type Row = {
  row: number;
  name: string;
  target: Target;
  measure(bench: Bench): Promise<Measurement>;
};
export type Verdict = {
  row: number;
  name: string;
  value: number;
  floor: number;
  unit: string;
  ratio: number;
  target: string;
  met: boolean;
  notes: string[];
};

const ROUNDS = 5;

/** Measures both in turn, each first as often as the other, after one round that does not count. */
export async function interleaved<Sample>(
  value: () => Promise<Sample>,
  floor: () => Promise<Sample>,
): Promise<{ values: Sample[]; floors: Sample[] }> {
  await value();
  await floor();
  const values: Sample[] = [];
  const floors: Sample[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
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

export function judged({ row, name, target }: Row, measurement: Measurement): Verdict {
  const { value, floor, unit, notes = [] } = measurement;
  const ratio = value / floor;
  const met = 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast;
  const limit = 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
  return {
    row,
    name,
    value: round(value),
    floor: round(floor),
    unit,
    ratio: round(ratio),
    target: limit,
    met,
    notes,
  };
}

/** The verdict without what is there for human readers only. */
export function bare({ row, name, value, floor, ratio, target, met }: Verdict) {
  return { row, name, value, floor, ratio, target, met };
}

const round = (value: number) => Number(value.toPrecision(4));

export function printed(verdict: Verdict): string {
  const { row, name, value, floor, unit, ratio, target, met, notes } = verdict;
  const figures = `${value} ${unit}, floor ${floor} ${unit}, ratio ${ratio}, target ${target}`;
  const lines = [
    `${row}. ${name}: ${figures}: ${met ? 'met' : 'NOT MET'}`,
    ...notes.map((note) => `   ${note}`),
  ];
  return lines.join('\n');
}
