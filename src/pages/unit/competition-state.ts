// The state of a competition or an event, from those of its units. Pure.
import type { UnitState } from './state.ts';

export type OverallState = UnitState | 'underWay';

/** Undefined where there are no units. What was called off does not hold the others up. */
export function overallState(states: UnitState[]): OverallState | undefined {
  const all = new Set(states);
  if (all.size <= 1) return states[0];
  if (all.has('live')) return 'live';
  const rest = [...all].filter((state) => state !== 'cancelled');
  if (rest.every(waits)) return rest.includes('seeded') ? 'seeded' : rest[0];
  if (rest.every(done)) return rest.length > 1 ? 'provisional' : rest[0];
  return 'underWay';
}

const waits = (state: UnitState) => state === 'before' || state === 'seeded' || state === 'postponed';
const done = (state: UnitState) => state === 'provisional' || state === 'official';
