// Rounds of an event, and the units that they ask for. Pure.
import type { RoundHeat, UnitKey } from '../../addresses.ts';

/** Limits of how many units there are. A championship of ten days has some thousand. */
export const MAX_UNITS_PER_EVENT = 1000;
export const MAX_UNITS_PER_UPLOAD = 20_000;
export const MAX_UNITS_PER_COMPETITION = 20_000;

// A thousand rounds of one heat, with room for spaces.
const MAX_TEXT = 4000;

/** The number of heats in each round: "8,3,1" is 8 heats, 3 semi-finals and a final. Null when it is no such list. */
export function parseRounds(rounds: string | null | undefined): number[] | null {
  const text = (rounds ?? '').trim();
  if (text === '') return [];
  if (text.length > MAX_TEXT) return null;
  const counts = text.split(',').map((part) => part.trim());
  return counts.every((part) => /^[1-9]\d{0,3}$/.test(part)) ? counts.map(Number) : null;
}

/**
 * Whether rounds such as "1,2,3" are a list of round numbers, as some senders have it: units stand in each of these rounds, and
 * in none after the first as many heats as would be planned.
 */
export function areRoundNumbers(rounds: string | null | undefined, units: Iterable<RoundHeat>): boolean {
  const counts = parseRounds(rounds) ?? [];
  if (counts.length < 2 || counts.some((count, index) => count !== index + 1)) return false;
  const heats = heatsByRound(units);
  return heats.size === counts.length && counts.every((count) => isOtherwise(count, heats.get(count)));
}

const isOtherwise = (round: number, heats: number | undefined) =>
  heats !== undefined && (round === 1 || heats !== round);

/** The highest heat of each round. */
export function heatsByRound(units: Iterable<RoundHeat>): Map<number, number> {
  const heats = new Map<number, number>();
  for (const { round, heat } of units) heats.set(round, Math.max(heat, heats.get(round) ?? 0));
  return heats;
}

/** How many units a list of rounds asks for. */
export const unitsAskedFor = (counts: number[] | null): number =>
  (counts ?? []).reduce((sum, heats) => sum + heats, 0);

/** `parent` is what a combined event is known by: without it every one of them would get units of its own. */
type EventShape = { eventId: string; rounds: string | null; parent: string | null };

/**
 * The units missing from events sent without the `units` key. None for an event that others name as their parent: the
 * results of a combined event stand in its parts. Nothing is ever taken away.
 */
export function missingUnits(eventIds: string[], events: EventShape[], units: UnitKey[]): UnitKey[] {
  const byId = new Map(events.map((event) => [event.eventId, event]));
  const parents = new Set(events.map(({ parent }) => parent));
  const present = new Set(units.map(({ eventId, round, heat }) => JSON.stringify([eventId, round, heat])));
  return eventIds
    .filter((eventId) => !parents.has(eventId))
    .flatMap((eventId) => unitsOfRounds(eventId, byId.get(eventId)?.rounds ?? null))
    .filter(({ eventId, round, heat }) => !present.has(JSON.stringify([eventId, round, heat])));
}

function unitsOfRounds(eventId: string, rounds: string | null): UnitKey[] {
  return (parseRounds(rounds) ?? []).flatMap((heats, index) =>
    Array.from({ length: heats }, (_, heat) => ({ eventId, round: index + 1, heat: heat + 1 })),
  );
}
