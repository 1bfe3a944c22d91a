// Starts and results of one athlete: over all units in which they or their relay teams stand. Pure.
import { dayOfUnit, type EventHead } from './heads.ts';
import { type Result, textOf, type Unit } from './unit.ts';
import { unitState, type UnitState } from './state.ts';
import { compareTimes } from './timetable.ts';

export type Start = {
  unit: Unit;
  result: Result;
  state: UnitState;
  /** Of the competition, from 1. */
  day: number;
};

/** A result as the competitor's document has it: it names its unit. */
type Named = { event_id: string; round_no: number; heat_no: number };

export function startsOf(
  results: (Result & Named)[],
  units: Unit[],
  events: ReadonlyMap<string, EventHead>,
): Start[] {
  const keyOf = ({ event_id, round_no, heat_no }: Named) => `${round_no}/${heat_no}/${event_id}`;
  const byKey = new Map(units.map((unit) => [keyOf(unit), unit]));
  return results.flatMap((result) => {
    const unit = byKey.get(keyOf(result));
    if (!unit) return [];
    const event = events.get(unit.event_id)?.record ?? {};
    return [{ unit, result, state: unitState(unit), day: dayOfUnit(event, unit.round_no, unit['day']) }];
  });
}

/** Whether there is something to show of it: a performance, a place, or that it is over. */
export const isResult = ({ result, state }: Start): boolean =>
  textOf(result.performance) !== '' ||
  result.place != null ||
  state === 'official' ||
  state === 'provisional';

/** Where the athlete is to be seen next; a unit under way comes before all others. */
export function nextStart(starts: Start[]): Start | undefined {
  const [next] = starts
    .filter((start) => !isResult(start) && !['cancelled', 'interrupted'].includes(start.state))
    .sort(
      (one, other) =>
        Number(other.state === 'live') - Number(one.state === 'live') ||
        one.day - other.day ||
        compareTimes(timeOf(one), timeOf(other)),
    );
  return next;
}

// Without a time it comes after those that have one.
const timeOf = ({ unit }: Start): string => textOf(unit.scheduled_start_time) || '99:99';
