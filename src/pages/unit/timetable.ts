// The timetable of a competition: its units that have a time, by day and hour. Pure.
import type { ListedEvent, ListedUnit } from './heads.ts';

export type Entry = { event: ListedEvent; unit: ListedUnit };
export type Day = {
  /** YYYY-MM-DD */
  date: string;
  entries: Entry[];
};

// Numbers by their value: 9:05 is before 15:45.
const { compare } = new Intl.Collator('en', { numeric: true });

/** @param firstDay of the competition: days are counted from it */
export function timetable(events: ListedEvent[], firstDay: string): Day[] {
  const byDate = new Map<string, Entry[]>();
  for (const event of events) {
    for (const unit of event.units) {
      if (unit.time === '') continue;
      const date = dateOf(unit, firstDay);
      const entries = byDate.get(date);
      if (entries) entries.push({ event, unit });
      else byDate.set(date, [{ event, unit }]);
    }
  }
  return [...byDate.entries()]
    .sort(([one], [other]) => compare(one, other))
    .map(([date, entries]) => ({ date, entries: inTime(entries) }));
}

const inTime = (entries: Entry[]): Entry[] =>
  [...entries].sort((one, other) => compare(hourOf(one.unit.time), hourOf(other.unit.time)));

/** A time that was sent with its date says itself which day it is. */
const DATED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})/;

const hourOf = (time: string): string => DATED.exec(time)?.[2] ?? time;

/** The day of a unit, YYYY-MM-DD. */
export function dateOf({ time, day }: ListedUnit, firstDay: string): string {
  const date = DATED.exec(time)?.[1];
  if (date !== undefined && !Number.isNaN(Date.parse(date))) return date;
  return new Date(Date.parse(`${firstDay}T12:00:00Z`) + (day - 1) * DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** Units in the order in which they take place; those without a time after those with one. */
export const byTime =
  (firstDay: string) =>
  (one: ListedUnit, other: ListedUnit): number =>
    compare(keyOf(one, firstDay), keyOf(other, firstDay));

const keyOf = (unit: ListedUnit, firstDay: string) =>
  `${dateOf(unit, firstDay)} ${unit.time === '' ? '99:99' : hourOf(unit.time)}`;

/** Times as sent, by their numbers: 9:05 is before 15:45. */
export const compareTimes = (one: string, other: string): number => compare(hourOf(one), hourOf(other));
