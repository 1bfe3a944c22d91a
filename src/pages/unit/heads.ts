// Heads of events and units: what lists and timetables show of them. Pure.
import type { RoundHeat } from '../../addresses.ts';
import { heatNames } from '../../units/rules/heat-name.ts';
import { unitState, type UnitState } from './state.ts';
import { numberOf, textOf } from './unit.ts';

export type EventHead = {
  eventId: string;
  eventCode: string;
  name: string;
  parent: string | null;
  rounds: string | null;
  /** As it was sent. */
  record: Record<string, unknown>;
};

/** A unit as it is stored: a blank name follows from its place in the event. */
export type UnitHead = {
  eventId: string;
  round: number;
  heat: number;
  status: string;
  resultsStatus: string;
  heatName: string | null;
  time: string | null;
  day: string | null;
};

/** A unit in a list: named, with its state, its day of the competition and its time as sent. */
export type ListedUnit = {
  eventId: string;
  round: number;
  heat: number;
  name: string;
  state: UnitState;
  day: number;
  time: string;
};

export type ListedEvent = EventHead & { title: string; units: ListedUnit[] };

/** The events, each with its units by round and heat. */
export function listed(events: EventHead[], heads: UnitHead[]): ListedEvent[] {
  const byEvent = new Map<string, UnitHead[]>();
  for (const head of heads) {
    const own = byEvent.get(head.eventId);
    if (own) own.push(head);
    else byEvent.set(head.eventId, [head]);
  }
  return events.map((event) => {
    const own = byEvent.get(event.eventId) ?? [];
    const nameOf = heatNames(event, own);
    return { ...event, title: titleOf(event), units: own.map((head) => listedUnit(event, head, nameOf)) };
  });
}

export const titleOf = ({ name, eventCode, eventId }: EventHead): string => name || eventCode || eventId;

function listedUnit(event: EventHead, head: UnitHead, nameOf: (unit: RoundHeat) => string): ListedUnit {
  const { eventId, round, heat, status, resultsStatus } = head;
  const { record } = event;
  const time = textOf(head.time) || textOf(record[`r${round}_time`]);
  return {
    eventId,
    round,
    heat,
    name: textOf(head.heatName) || nameOf(head),
    state: unitState({ status, results_status: resultsStatus }),
    day: dayOfUnit(record, round, head.day),
    time,
  };
}

/** The day of the competition, from 1, on which a unit takes place: its own, else its event's. Meetings of one day need not say. */
export function dayOfUnit(event: Record<string, unknown>, round: number, own: unknown): number {
  const days = [own, event[`r${round}_day`], event['day']].map(numberOf);
  return days.find((day) => day !== undefined && Number.isInteger(day) && day >= 1 && day <= 366) ?? 1;
}
