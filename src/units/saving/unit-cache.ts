// What the last saves of this process left. A judge saves the same unit again and again; what was written need not be read
// back. It may be outdated at any time, by another process or an upload: a save finds that out by the versions of the rows.
import { createLru } from '../../lru.ts';
import type { UnitRef } from '../../addresses.ts';
import type { Found, HeldUnit } from './unit-store.ts';

/** What was found when a unit was saved, with the unit as it then was. */
export type Remembered = Found & { held: HeldUnit };

export type UnitMemory = {
  /** Null when nothing is known of the unit, or not of all these bibs. */
  recall(ref: UnitRef, bibs: string[]): Remembered | null;
  remember(ref: UnitRef, unit: Remembered): void;
  forget(ref: UnitRef): void;
};

// Objects take some multiple of their text; names and the like come on top.
const TIMES_TEXT = 4;
const BYTES_BESIDE = 4000;

export function createUnitMemory(maxBytes: number): UnitMemory {
  const units = createLru<{ unit: Remembered; bytes: number }>(maxBytes);
  return {
    recall(ref, bibs) {
      const unit = units.get(keyOf(ref))?.unit;
      return unit && bibs.every((bib) => unit.held.context.bibs.has(bib)) ? unit : null;
    },
    remember(ref, unit) {
      units.set(keyOf(ref), { unit, bytes: unit.held.row.text.length * TIMES_TEXT + BYTES_BESIDE });
    },
    forget: (ref) => units.delete(keyOf(ref)),
  };
}

const keyOf = ({ competitionId, eventId, round, heat }: UnitRef) =>
  `${competitionId} ${round} ${heat} ${eventId}`;
