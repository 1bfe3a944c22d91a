// Parts of combined events: the units of the events that name one as their parent. Pure.
import type { UnitKey } from '../../addresses.ts';
import { unitsByEvent } from '../rules/by-event.ts';
import type { Part } from '../rules/combined-standings.ts';
import { isCombined } from '../rules/disciplines.ts';
import { partOf } from './plan.ts';
import type { EventOfUnit } from './record.ts';

type UnitRecord = UnitKey & { record: Record<string, unknown> };

/** The events that each combined event is made of, by its id. */
export function combinedEvents(events: ReadonlyMap<string, EventOfUnit>): Map<string, EventOfUnit[]> {
  const combined = new Map<string, EventOfUnit[]>();
  for (const event of events.values()) {
    const parent = event.parent === event.eventId ? undefined : events.get(event.parent ?? '');
    if (!parent || !isCombined(parent.eventCode)) continue;
    const others = combined.get(parent.eventId);
    if (others) others.push(event);
    else combined.set(parent.eventId, [event]);
  }
  return combined;
}

/** The units of these events, in the same order from whichever side they come; an event without any is still to come. */
export function partsFrom(events: EventOfUnit[], units: UnitRecord[]): Part[] {
  const unitsOf = unitsByEvent(units);
  return events.flatMap((event) => {
    const own = unitsOf(event.eventId).toSorted((a, b) => a.round - b.round || a.heat - b.heat);
    return own.length > 0 ? own.map((unit) => partOf(event, unit)) : [toCome(event)];
  });
}

const toCome = ({ eventId, eventCode, genders }: EventOfUnit): Part => ({
  eventId,
  eventCode,
  genders,
  round: 1,
  heat: 1,
  results: [],
  arrived: false,
});

export const bibsOf = (parts: Part[]): string[] => [
  ...new Set(parts.flatMap(({ results }) => results.map(({ bib }) => bib))),
];
