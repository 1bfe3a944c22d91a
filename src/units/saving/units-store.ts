// SQL of the units of a competition, and of the names that stand behind their bibs. Single units: unit-store.ts.
import { and, asc, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { UnitKey } from '../../addresses.ts';
import { among } from '../../db/among.ts';
import { packedUpsert } from '../../db/bulk.ts';
import type { Executor, Tx } from '../../db/client.ts';
import { competitors, events, relayTeams, teams, units } from '../../db/schema.ts';
import type { EventOfUnit, Names } from './record.ts';
import type { UnitRow } from './unit-store.ts';

/** Each unit of a competition, without its contents: what the comparison of an upload needs. */
export async function listUnitHashes(db: Executor, competitionId: string) {
  return db
    .select({ eventId: units.eventId, round: units.round, heat: units.heat, sentHash: units.sentHash })
    .from(units)
    .where(eq(units.competitionId, competitionId));
}

/** Units of a competition: all of some events, and single ones. */
export type Selection = { eventIds: string[]; single: UnitKey[] };

/** The rows of these units, locked in key order. */
export async function lockUnits(
  tx: Tx,
  competitionId: string,
  { eventIds, single }: Selection,
): Promise<UnitRow[]> {
  if (eventIds.length + single.length === 0) return [];
  const column = (pick: (unit: UnitKey) => string | number) => sql.param(single.map(pick));
  // Raw: the builder has no row values.
  const isSingle = sql`(${units.eventId}, ${units.round}, ${units.heat}) in (select * from unnest(
    ${column(({ eventId }) => eventId)}::text[], ${column(({ round }) => round)}::int[], ${column(({ heat }) => heat)}::int[]))`;
  return tx
    .select()
    .from(units)
    .where(and(eq(units.competitionId, competitionId), or(among(units.eventId, eventIds), isSingle)))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat))
    .for('update');
}

/** The rows as one statement, made ready while Postgres does something else; null without rows. */
export const packUnits = (rows: UnitRow[]): Promise<SQL | null> => packedUpsert(units, rows);

export async function writeUnits(tx: Tx, packed: SQL | null): Promise<void> {
  if (packed) await tx.execute(packed);
}

/** @param parent only those that name this one */
export async function listEvents(
  db: Executor,
  competitionId: string,
  parent?: string,
): Promise<EventOfUnit[]> {
  return db
    .select({
      eventId: events.eventId,
      eventCode: events.eventCode,
      name: events.name,
      rounds: events.rounds,
      parent: events.parent,
      // Raw: single fields of the record.
      genders: sql<string | null>`${events.record} ->> 'genders'`,
      attempts: sql<unknown>`${events.record} -> 'max_field_attempts'`,
    })
    .from(events)
    .where(
      and(
        eq(events.competitionId, competitionId),
        parent === undefined ? undefined : and(eq(events.parent, parent), ne(events.eventId, parent)),
      ),
    )
    .orderBy(asc(events.position));
}

/** The records of these events' units. */
export async function loadRecords(db: Executor, competitionId: string, eventIds: string[]) {
  if (eventIds.length === 0) return [];
  return db
    .select({ eventId: units.eventId, round: units.round, heat: units.heat, record: units.record })
    .from(units)
    .where(and(eq(units.competitionId, competitionId), among(units.eventId, eventIds)))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat));
}

/** What was once sent as `results` of these events. */
export async function sentResultsOf(
  db: Executor,
  competitionId: string,
  eventIds: string[],
): Promise<Map<string, unknown>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db
    .select({ eventId: events.eventId, results: sql<unknown>`${events.record} -> 'results'` })
    .from(events)
    .where(and(eq(events.competitionId, competitionId), among(events.eventId, eventIds)));
  return new Map(rows.map(({ eventId, results }) => [eventId, results]));
}

/** The names of a whole competition, looked up by bib. */
export async function loadNames(db: Executor, competitionId: string): Promise<Names> {
  const competitorRows = await db
    .select({
      competitorId: competitors.competitorId,
      firstName: competitors.firstName,
      lastName: competitors.lastName,
      teamId: competitors.teamId,
      gender: competitors.gender,
    })
    .from(competitors)
    .where(eq(competitors.competitionId, competitionId));
  const teamRows = await db
    .select({ teamId: teams.teamId, teamName: teams.teamName })
    .from(teams)
    .where(eq(teams.competitionId, competitionId));
  const relayRows = await db
    .select({
      eventId: relayTeams.eventId,
      relayTeamId: relayTeams.relayTeamId,
      name: relayTeams.name,
      teamId: relayTeams.teamId,
      // Raw: a single field of the record.
      runners: sql<unknown>`${relayTeams.record} -> 'runners'`,
    })
    .from(relayTeams)
    .where(eq(relayTeams.competitionId, competitionId));
  const byId = new Map(competitorRows.map((row) => [row.competitorId, row]));
  const teamNames = new Map(teamRows.map((row) => [row.teamId, row.teamName]));
  const relays = new Map(
    relayRows.map(({ eventId }) => [eventId, new Map<string, (typeof relayRows)[number]>()]),
  );
  for (const row of relayRows) relays.get(row.eventId)!.set(row.relayTeamId, row);
  return {
    competitor: (id) => byId.get(id),
    team: (id) => teamNames.get(id),
    relayTeam: (eventId, id) => relays.get(eventId)?.get(id),
  };
}

/** Competitions with units that another version of the program rendered. */
export async function competitionsRenderedBefore(db: Executor, version: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: units.competitionId })
    .from(units)
    .where(sql`${units.renderVersion} <> ${version}`);
  return rows.map(({ id }) => id);
}
