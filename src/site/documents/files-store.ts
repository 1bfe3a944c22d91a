// Reads of the files of a competition: units and people, page by page, so that none of it is in memory whole.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { UnitKey } from '../../addresses.ts';
import type { Executor } from '../../db/client.ts';
import { competitors, entries, events, relayTeams, units } from '../../db/schema.ts';

type Sent = Record<string, unknown>;

/** All of a competition, an event of it, or a unit. */
export type Share = { eventId?: string | undefined; round?: number | undefined; heat?: number | undefined };

/** The units by the order of their events, then by round and heat. */
export async function unitKeys(db: Executor, id: string, share: Share): Promise<UnitKey[]> {
  const { eventId, round, heat } = share;
  return db
    .select({ eventId: units.eventId, round: units.round, heat: units.heat })
    .from(units)
    .innerJoin(events, and(eq(events.competitionId, units.competitionId), eq(events.eventId, units.eventId)))
    .where(
      and(
        eq(units.competitionId, id),
        eventId === undefined ? undefined : eq(units.eventId, eventId),
        round === undefined ? undefined : eq(units.round, round),
        heat === undefined ? undefined : eq(units.heat, heat),
      ),
    )
    .orderBy(asc(events.position), asc(units.eventId), asc(units.round), asc(units.heat));
}

// Raw: lists as one parameter each, however long.
const list = (values: (string | number)[], type: 'text' | 'int') =>
  sql`${sql.param(values)}::${sql.raw(type)}[]`;

/** The texts of these units, in that order. */
export async function unitTexts(db: Executor, id: string, keys: UnitKey[]): Promise<string[]> {
  const column = (name: keyof UnitKey, type: 'text' | 'int') =>
    list(
      keys.map((key) => key[name]),
      type,
    );
  const { rows } = await db.execute<{ text: string }>(
    sql`select ${units.text} as text
      from unnest(${column('eventId', 'text')}, ${column('round', 'int')}, ${column('heat', 'int')})
        with ordinality wanted (event_id, round, heat, n)
      join ${units} on ${units.competitionId} = ${id} and ${units.eventId} = wanted.event_id
        and ${units.round} = wanted.round and ${units.heat} = wanted.heat
      order by wanted.n`,
  );
  return rows.map(({ text }) => text);
}

/** The competitors of these ids, as they were sent. */
export async function competitorsOf(db: Executor, id: string, ids: string[]): Promise<Map<string, Sent>> {
  const rows = await db
    .select({ key: competitors.competitorId, record: competitors.record })
    .from(competitors)
    .where(
      and(eq(competitors.competitionId, id), sql`${competitors.competitorId} = any(${list(ids, 'text')})`),
    );
  return new Map(rows.map(({ key, record }) => [key, record]));
}

/** The relay teams of these events, by event and id. */
export async function relayTeamsIn(db: Executor, id: string, eventIds: string[]) {
  return db
    .select({
      eventId: relayTeams.eventId,
      relayTeamId: relayTeams.relayTeamId,
      name: relayTeams.name,
      teamId: relayTeams.teamId,
    })
    .from(relayTeams)
    .where(
      and(eq(relayTeams.competitionId, id), sql`${relayTeams.eventId} = any(${list(eventIds, 'text')})`),
    );
}

export type EventKey = { eventId: string; event_code: string; name: string };

/** The events in their order. */
export async function eventKeys(db: Executor, id: string): Promise<EventKey[]> {
  return db
    .select({ eventId: events.eventId, event_code: events.eventCode, name: events.name })
    .from(events)
    .where(eq(events.competitionId, id))
    .orderBy(asc(events.position), asc(events.eventId));
}

/** The keys of the units of an event that have starters come first in a start list; whether there are any. */
export async function eventsWithStarters(db: Executor, id: string): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ eventId: units.eventId })
    .from(units)
    .where(
      and(
        eq(units.competitionId, id),
        // Raw: results are not rows.
        sql`json_array_length(${units.text}::json -> 'results') > 0`,
      ),
    );
  return new Set(rows.map(({ eventId }) => eventId));
}

/** The ids of those who entered an event, in the order of the competitors. */
export async function entrantsOf(db: Executor, id: string, eventId: string): Promise<string[]> {
  const rows = await db
    .select({ key: entries.competitorId })
    .from(entries)
    .innerJoin(
      competitors,
      and(
        eq(competitors.competitionId, entries.competitionId),
        eq(competitors.competitorId, entries.competitorId),
      ),
    )
    .where(and(eq(entries.competitionId, id), eq(entries.eventId, eventId)))
    .orderBy(asc(competitors.position), asc(competitors.competitorId));
  return [...new Set(rows.map(({ key }) => key))];
}
