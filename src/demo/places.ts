// Result rows of the demo's meetings. Pure.
import type { Standing } from '../units/rules/standings.ts';

/** A result row, or a starter as long as it has no performance. */
export type Result = {
  bib: string;
  order?: number;
  lane?: number;
  place?: number;
  performance?: string;
  points?: number;
  splits?: { distance: number; elapsed_time: string }[];
};

/** Result rows from standings, best first; those without a place keep their order at the end. */
export function inOrderOfPlace(standings: Standing[]): Result[] {
  const rows = standings.map(({ bib, place, performance }, index) => ({
    bib,
    order: index + 1,
    ...(place !== null && { place }),
    ...(performance !== null && { performance }),
  }));
  return rows.toSorted(
    (one, other) => (one.place ?? Infinity) - (other.place ?? Infinity) || one.order - other.order,
  );
}
