// The state of a unit as it is shown: one word of eight. Pure.
import { isBeforeStart, isOfficial, isResultsState } from '../../units/rules/state.ts';

export const UNIT_STATES = [
  'before',
  'seeded',
  'live',
  'provisional',
  'official',
  'cancelled',
  'postponed',
  'interrupted',
] as const;
export type UnitState = (typeof UNIT_STATES)[number];

const BY_STATUS = new Map<string, UnitState>([
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['postponed', 'postponed'],
  ['rescheduled', 'postponed'],
  ['interrupted', 'interrupted'],
]);

/** The first that holds: what was said of the unit itself, then how far its results are. */
export function unitState({ status, results_status }: { status: string; results_status: string }): UnitState {
  const said = BY_STATUS.get(status.trim().toLowerCase());
  if (said !== undefined) return said;
  if (isOfficial(results_status)) return 'official';
  if (isResultsState(results_status)) return 'provisional';
  if (!isBeforeStart(results_status)) return 'live';
  return results_status === 'seeded' ? 'seeded' : 'before';
}
