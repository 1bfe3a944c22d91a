// The text of events with their units. Pure.
import type { UnitText } from '../../competitions/record-with-parts.ts';

import { withoutPersonalText } from '../../privacy/public-view.ts';
import { unitsByEvent } from '../../units/rules/by-event.ts';
import { mapped } from './pieces.ts';
import { SPELLINGS, type Style } from './style.ts';
import type { TimetableEntry } from './timetable.ts';

/** An event up to where its units stand. */
export type OpenEvent = { eventId: string; open: string };

export const openEvent = (
  { eventId, text }: { eventId: string; text: string },
  year: number,
  { naming }: Style,
): OpenEvent => ({ eventId, open: SPELLINGS[naming].event(withoutPersonalText(text, year)).slice(0, -1) });

/** The events, each with those of the units that are its own; their times are put into the timetable. */
export function eventsWithUnits(
  { events, units, timetable }: { events: OpenEvent[]; units: UnitText[]; timetable?: TimetableEntry[] },
  { naming }: Style,
): Iterable<string> {
  const spell = SPELLINGS[naming];
  const unitsOf = unitsByEvent(units);
  return mapped(events, ({ eventId, open }) => {
    const texts = unitsOf(eventId).map(({ text }) => spell.unit(text, timetable));
    return `${open},"units":[${texts.join(',')}]}`;
  });
}
