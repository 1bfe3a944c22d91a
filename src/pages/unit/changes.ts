// The rows that a save changed: athletes whose result or attempts are others now. Pure.
import type { Unit } from './unit.ts';

export function changedBibs(before: Unit, after: Unit): ReadonlySet<string> {
  const was = rowsOf(before);
  const changed = new Set<string>();
  for (const [bib, row] of rowsOf(after)) if (was.get(bib) !== row) changed.add(bib);
  return changed;
}

function rowsOf({ results = [], trials = [] }: Unit): Map<string, string> {
  const rows = new Map(results.map((result) => [result.bib, JSON.stringify(result)]));
  for (const trial of trials) {
    const { bib, round, height, result } = trial;
    rows.set(bib, `${rows.get(bib) ?? ''}${JSON.stringify([round, height, result, trial['wind']])}`);
  }
  return rows;
}
