// Reads of the files of a competition: units and people, page by page, so that none of it is in memory whole.
import { and, asc, eq, max, sql } from 'drizzle-orm';
import type { UnitKey } from '../addresses.ts';
import type { Executor, Tx } from '../db/client.ts';
import { fetched } from '../db/fetched.ts';
import { competitions, competitors, entries, events, relayTeams, teams, units } from '../db/schema.ts';

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

/** A competitor as they were sent, and their place among the others, which is theirs for good. */
export type CompetitorRow = { position: number; record: Sent };

/** The competitors of these ids. */
export async function competitorsOf(
  db: Executor,
  id: string,
  ids: string[],
): Promise<Map<string, CompetitorRow>> {
  const rows = await db
    .select({
      key: competitors.competitorId,
      position: competitors.position,
      record: competitors.record,
    })
    .from(competitors)
    .where(
      and(eq(competitors.competitionId, id), sql`${competitors.competitorId} = any(${list(ids, 'text')})`),
    );
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/**
 * All competitors in their order, page by page.
 * @param name of the reading: each within a transaction has one of its own
 */
export function competitorPages(tx: Tx, id: string, name: string): AsyncIterable<CompetitorRow[]> {
  const { competitionId, position, record } = competitors;
  // Raw: for a cursor.
  const query = sql`select ${position} as "position", ${record} as record from ${competitors}
    where ${competitionId} = ${id} order by ${position}`;
  return fetched<CompetitorRow>(tx, query, { name, page: 1000 });
}

/** The relay teams of these events, by event and id. */
export async function relayTeamsIn(db: Executor, id: string, eventIds: string[]) {
  const { eventId, relayTeamId, name, teamId, record } = relayTeams;
  return db
    .select({ eventId, relayTeamId, name, teamId, record })
    .from(relayTeams)
    .where(
      and(eq(relayTeams.competitionId, id), sql`${relayTeams.eventId} = any(${list(eventIds, 'text')})`),
    );
}

/** The teams of these ids. */
export async function teamsOf(db: Executor, id: string, ids: string[]) {
  const rows = await db
    .select({ key: teams.teamId, name: teams.teamName, record: teams.record })
    .from(teams)
    .where(and(eq(teams.competitionId, id), sql`${teams.teamId} = any(${list(ids, 'text')})`));
  return new Map(rows.map(({ key, ...team }) => [key, team]));
}

/** An event as it was sent, its units apart. */
export async function eventOf(db: Executor, id: string, eventId: string) {
  const { eventCode, name, parent, rounds, record } = events;
  const [row] = await db
    .select({ eventId: events.eventId, eventCode, name, parent, rounds, record })
    .from(events)
    .where(and(eq(events.competitionId, id), eq(events.eventId, eventId)));
  return row;
}

/** Ids of the events that others name as their parent. */
export async function parentsIn(db: Executor, id: string): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ parent: events.parent })
    .from(events)
    .where(eq(events.competitionId, id));
  return new Set(rows.flatMap(({ parent }) => parent || []));
}

/** A competition, and the revision of everything in it. */
export async function competitionOf(db: Executor, id: string) {
  const { date, countryId, recordText, revision } = competitions;
  const [row] = await db
    .select({ firstDay: date, countryId, recordText, revision, ofUnits: max(units.revision) })
    .from(competitions)
    .leftJoin(units, eq(units.competitionId, competitions.id))
    .where(eq(competitions.id, id))
    .groupBy(competitions.id);
  if (!row) return null;
  const { firstDay, countryId: country, recordText: text } = row;
  const newest = Math.max(row.revision, row.ofUnits ?? 0);
  return { firstDay, countryId: country, record: JSON.parse(text) as Sent, revision: String(newest) };
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

/** Ids of the events in which a unit has starters. */
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
