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
  const dateOf = datesFrom(firstDay);
  for (const event of events) {
    for (const unit of event.units) {
      if (unit.time === '') continue;
      const date = dateOf(unit);
      const entries = byDate.get(date);
      if (entries) entries.push({ event, unit });
      else byDate.set(date, [{ event, unit }]);
    }
  }
  return [...byDate.entries()]
    .sort(([one], [other]) => compare(one, other))
    .map(([date, entries]) => ({ date, entries: inTime(entries) }));
}

/** Of a thousand units a few dozen begin at one time: each time is compared once. */
function inTime(entries: Entry[]): Entry[] {
  const timed = entries.map((entry) => ({ entry, hour: hourOf(entry.unit.time) }));
  const ranks = ranksOf(timed.map(({ hour }) => hour));
  return timed.sort((one, other) => ranks.get(one.hour)! - ranks.get(other.hour)!).map(({ entry }) => entry);
}

/** The place of each text in their order: of those that say the same, as 9:05 and 09:05, the same. */
function ranksOf(texts: string[]): Map<string, number> {
  const sorted = [...new Set(texts)].sort(compare);
  let rank = 0;
  return new Map(
    sorted.map((text, at) => [text, at > 0 && compare(sorted[at - 1]!, text) !== 0 ? ++rank : rank]),
  );
}

/** A time that was sent with its date says itself which day it is. */
const DATED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})/;

const hourOf = (time: string): string => DATED.exec(time)?.[2] ?? time;

/** Tells the day of each unit, YYYY-MM-DD; of the many units of a day it is worked out once. */
export function datesFrom(firstDay: string): (unit: ListedUnit) => string {
  const first = Date.parse(`${firstDay}T12:00:00Z`);
  const dates = new Map<number, string>();
  return ({ time, day }) => {
    const said = DATED.exec(time)?.[1];
    if (said !== undefined && !Number.isNaN(Date.parse(said))) return said;
    const known = dates.get(day);
    if (known !== undefined) return known;
    const date = new Date(first + (day - 1) * DAY_MS).toISOString().slice(0, 10);
    dates.set(day, date);
    return date;
  };
}

const DAY_MS = 86_400_000;

/** Times as sent, by their numbers: 9:05 is before 15:45. */
export const compareTimes = (one: string, other: string): number => compare(hourOf(one), hourOf(other));
