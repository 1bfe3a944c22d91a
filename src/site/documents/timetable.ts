// The timetable of a competition, for readers of the older naming: its units that have a time. Pure.
import { CAMEL_FIELDS, type Json } from './camel-fields.ts';

const ENTRY = Object.entries(CAMEL_FIELDS.unit.timetable!);
// Numbers by their value: 9:05 is before 15:45.
const { compare } = new Intl.Collator('en', { numeric: true });

/** An entry of the timetable, and what it is sorted by. */
export type TimetableEntry = { entry: Json; when: string };

/** The entry of a unit in camelCase; none when the unit has no time. */
export function timetableEntry(unit: Json): TimetableEntry | undefined {
  const entry: Json = Object.fromEntries(ENTRY.map(([name, field]) => [name, unit[field] ?? undefined]));
  const { day, time } = entry;
  if (typeof time !== 'string' || time === '') return undefined;
  // Meetings of one day need not say which.
  const dayText = typeof day === 'string' || typeof day === 'number' ? day : 1;
  return { entry, when: `${dayText} ${time}` };
}

/** The member that holds the timetable, with the comma before it; nothing when there is none. */
export function timetableMember(entries: TimetableEntry[]): string {
  if (entries.length === 0) return '';
  const sorted = entries.toSorted((a, b) => compare(a.when, b.when));
  return `,"timetable":${JSON.stringify(sorted.map(({ entry }) => entry))}`;
}
