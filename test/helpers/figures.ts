// Figures of a run, for people who read its output: `saves 3000, repeated 7`.

export function report(figures: Record<string, string | number>): void {
  const parts = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${parts.join(', ')}\n`);
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const inMs = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
