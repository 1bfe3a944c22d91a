// Standings of combined events in an upload: as they were sent with the event, and what they are made from.
import type { UnitKey } from '../../addresses.ts';
import type { Tx } from '../../db/client.ts';
import { isStandings, type Part, STANDINGS } from '../rules/combined-standings.ts';
import type { SentResult } from '../schemas.ts';
import { partsFrom } from './combined-parts.ts';
import { type HashedUnit, hashedUnit, keyOf, type SentEventUnits } from './hashed-units.ts';
import type { EventOfUnit } from './record.ts';
import { loadRecords, sentResultsOf } from './units-store.ts';

/** The events that each combined event is made of, by its id. */
type Combined = ReadonlyMap<string, EventOfUnit[]>;

type Upload = { events: SentEventUnits[]; units: HashedUnit[] };

/**
 * The sent units with the standings among them. `results` of a combined event are those of its round 1, heat 1; that unit is there
 * even when nobody sends it.
 */
export async function withStandings(
  tx: Tx,
  competitionId: string,
  { events, units }: Upload,
  { combined, stored }: { combined: Combined; stored: UnitKey[] },
): Promise<HashedUnit[]> {
  if (combined.size === 0) return units;
  const known = new Set(stored.map(keyOf));
  const sentResults = new Map(events.map(({ event_id, results }) => [event_id, results]));
  const sentUnits = new Map(units.map((unit) => [unit.key, unit]));
  const standings = [...combined.keys()].map((eventId) => ({
    eventId,
    key: keyOf({ eventId, ...STANDINGS }),
  }));
  const isNew = ({ eventId, key }: { eventId: string; key: string }) =>
    !known.has(key) && !sentResults.get(eventId);
  // They came before the parts that make it a combined event.
  const earlier = await sentResultsOf(
    tx,
    competitionId,
    standings.filter(isNew).map(({ eventId }) => eventId),
  );
  const made = standings.flatMap(({ eventId, key }) => {
    const results = sentResults.get(eventId) ?? resultsIn(earlier.get(eventId));
    const own = sentUnits.get(key);
    if (!results && (own || known.has(key))) return [];
    const shown = own?.record['results'] ?? results;
    return [hashedUnit(eventId, { ...own?.record, ...STANDINGS, ...(shown ? { results: shown } : {}) })];
  });
  const replaced = new Set(made.map(({ key }) => key));
  return [...units.filter(({ key }) => !replaced.has(key)), ...made];
}

const isOr = (type: string, value: unknown) => value == null || typeof value === type;

const isResult = (one: Partial<SentResult> | null) =>
  typeof one?.bib === 'string' &&
  isOr('string', one.performance) &&
  isOr('number', one.points) &&
  isOr('number', one.place);

// An earlier version of the program took whatever was sent.
function resultsIn(stored: unknown): SentResult[] | undefined {
  return Array.isArray(stored) && stored.every(isResult) ? (stored as SentResult[]) : undefined;
}

type WithRecord = UnitKey & { record: Record<string, unknown> };

/** What the standings among these candidates are made from: the candidates as they shall be, other units as they are. */
export async function partsOfStandings(
  tx: Tx,
  competitionId: string,
  candidates: WithRecord[],
  { combined, stored }: { combined: Combined; stored: UnitKey[] },
): Promise<(eventId: string) => Part[]> {
  const asked = candidates.filter((unit) => isStandings(unit) && combined.has(unit.eventId));
  const parts = new Map(asked.map(({ eventId }) => [eventId, combined.get(eventId)!]));
  const partIds = new Set([...parts.values()].flat().map(({ eventId }) => eventId));
  const known = new Set(candidates.map(keyOf));
  const others = stored.filter((unit) => partIds.has(unit.eventId) && !known.has(keyOf(unit)));
  const loaded = await loadRecords(tx, competitionId, [...new Set(others.map(({ eventId }) => eventId))]);
  const units: WithRecord[] = [
    ...loaded.filter((unit) => !known.has(keyOf(unit))),
    ...candidates.filter(({ eventId }) => partIds.has(eventId)),
  ];
  const made = new Map([...parts].map(([eventId, events]) => [eventId, partsFrom(events, units)]));
  return (eventId) => made.get(eventId) ?? [];
}
