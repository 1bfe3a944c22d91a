// Cache of saved units, each as its last save left it; may be stale, the version check of the next save notices. A judge saves the
// same unit again and again: what was written need not be read back.
import { isDeepStrictEqual } from 'node:util';
import type { UnitRef } from '../../addresses.ts';
import { createLru } from '../../lru.ts';
import type { Found, HeldUnit } from './unit-store.ts';

/** What was found when a unit was saved, with the unit as it then was. */
export type CachedUnit = Found & { held: HeldUnit };

export type UnitCache = {
  /** Null when nothing is known of the unit, or not of all these bibs, or when other processes save it, too. */
  get(ref: UnitRef, bibs: string[]): CachedUnit | null;
  set(ref: UnitRef, unit: CachedUnit): void;
  /** Compares what is stored with what the last save left. While it differs a try from that would be in vain. */
  compare(ref: UnitRef, stored: Found): void;
  delete(ref: UnitRef): void;
};

// Objects take some multiple of their text; names and the like come on top.
const TIMES_TEXT = 4;
const BYTES_BESIDE = 4000;

export function createUnitCache(maxBytes: number): UnitCache {
  const units = createLru<{ unit: CachedUnit; bytes: number; isSavedElsewhere: boolean }>(maxBytes);
  return {
    get(ref, bibs) {
      const entry = units.get(keyOfUnit(ref));
      if (!entry || entry.isSavedElsewhere) return null;
      const { unit } = entry;
      return bibs.every((bib) => unit.held.context.bibs.has(bib)) ? unit : null;
    },
    set(ref, unit) {
      const key = keyOfUnit(ref);
      const bytes = unit.held.row.text.length * TIMES_TEXT + BYTES_BESIDE;
      units.set(key, { unit, bytes, isSavedElsewhere: units.get(key)?.isSavedElsewhere === true });
    },
    compare(ref, { versions }) {
      const entry = units.get(keyOfUnit(ref));
      if (entry) entry.isSavedElsewhere = !isDeepStrictEqual(entry.unit.versions, versions);
    },
    delete: (ref) => units.delete(keyOfUnit(ref)),
  };
}

/** The unit's place among all of all competitions. */
export const keyOfUnit = ({ competitionId, eventId, round, heat }: UnitRef) =>
  `${competitionId} ${round} ${heat} ${eventId}`;
