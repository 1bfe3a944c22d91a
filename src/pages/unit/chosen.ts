// Units that a screen shows of a competition when nobody says which: those that are live, else the latest results, else the
// next. Pure.
import type { Overview } from '../../site/documents/overview-shape.ts';
import { unitState } from './state.ts';

export type EventLine = Overview['events'][number];
export type UnitLine = EventLine['units'][number];
export type Line = { event: EventLine; unit: UnitLine };

const MOST = { live: 8, results: 4, next: 4 };

/** Every unit with its event, in the order of the events. */
export const linesOf = ({ events }: Overview): Line[] =>
  events.flatMap((event) => event.units.map((unit) => ({ event, unit })));

export function chosenLines(overview: Overview): Line[] {
  const lines = linesOf(overview);
  const those = (...states: string[]) => lines.filter(({ unit }) => states.includes(unitState(unit)));
  const live = those('live', 'interrupted');
  if (live.length > 0) return live.sort(newestFirst).slice(0, MOST.live);
  const results = those('provisional', 'official');
  if (results.length > 0) return results.sort(newestFirst).slice(0, MOST.results);
  return those('seeded', 'before', 'postponed').sort(soonestFirst).slice(0, MOST.next);
}

/** Live ones first, then what comes, then what is over; in each by the timetable. */
export function inProgramme(overview: Overview): Line[] {
  const rank = ({ unit }: Line) => RANKS[unitState(unit)] ?? 1;
  return linesOf(overview).sort((one, other) => rank(one) - rank(other) || soonestFirst(one, other));
}

const RANKS: Record<string, number> = { live: 0, interrupted: 0, provisional: 2, official: 3 };

const newestFirst = (one: Line, other: Line) => other.unit.revision - one.unit.revision;

// 9:05 is before 15:45; what has no time comes last.
const { compare } = new Intl.Collator('en', { numeric: true });
const whenOf = ({ unit }: Line) => `${unit.day ?? '1'} ${unit.scheduled_start_time || '99:99'}`;
const soonestFirst = (one: Line, other: Line) => compare(whenOf(one), whenOf(other));
