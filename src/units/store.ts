// SQL of unit rows, and of the names that stand behind their bibs.
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Executor, Tx } from '../db/client.ts';
import { competitors, events, relayTeams, teams, units } from '../db/schema.ts';
import type { EventOfUnit, Names } from './record.ts';

export type UnitRow = typeof units.$inferSelect;
export type UnitRef = { competitionId: string; eventId: string; round: number; heat: number };

/** Each unit of a competition, without its contents: what the comparison of an upload needs. */
export async function listUnitHashes(db: Executor, competitionId: string) {
  return db
    .select({ eventId: units.eventId, round: units.round, heat: units.heat, sentHash: units.sentHash })
    .from(units)
    .where(eq(units.competitionId, competitionId));
}

/** Units of a competition: all of some events, and single ones. */
export type Selection = { eventIds: string[]; single: { eventId: string; round: number; heat: number }[] };

/** The rows of these units, locked in key order. */
export async function lockUnits(
  tx: Tx,
  competitionId: string,
  { eventIds, single }: Selection,
): Promise<UnitRow[]> {
  if (eventIds.length + single.length === 0) return [];
  const column = (pick: (unit: Selection['single'][number]) => string | number) =>
    sql.param(single.map(pick));
  // Raw: the builder has no row values.
  const isSingle = sql`(${units.eventId}, ${units.round}, ${units.heat}) in (select * from unnest(
    ${column(({ eventId }) => eventId)}::text[], ${column(({ round }) => round)}::int[], ${column(({ heat }) => heat)}::int[]))`;
  return tx
    .select()
    .from(units)
    .where(and(eq(units.competitionId, competitionId), or(inArray(units.eventId, eventIds), isSingle)))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat))
    .for('update');
}

/** One unit's row, locked; null when there is none. */
export async function lockUnit(tx: Tx, ref: UnitRef): Promise<UnitRow | null> {
  const [row] = await tx.select().from(units).where(isUnit(ref)).for('update');
  return row ?? null;
}

/** The unit JSON with its revision; null when there is no such unit. */
export async function findUnitText(db: Executor, ref: UnitRef) {
  const [row] = await db
    .select({ text: units.text, revision: units.revision })
    .from(units)
    .where(isUnit(ref));
  return row ?? null;
}

const isUnit = ({ competitionId, eventId, round, heat }: UnitRef) =>
  and(
    eq(units.competitionId, competitionId),
    eq(units.eventId, eventId),
    eq(units.round, round),
    eq(units.heat, heat),
  );

/**
 * The event of a unit and the names behind some bibs, in one query: round trips are most of what a save costs.
 * `entered` tells which of the bibs are entered for the event.
 */
export async function loadUnitContext(db: Executor, competitionId: string, eventId: string, bibs: string[]) {
  const wanted = sql.param(bibs);
  // Raw: five small reads as one JSON value.
  const { rows } = await db.execute<{ context: UnitContextRow }>(sql`
    with people as (
      select competitor_id, first_name, last_name, team_id from competitors
      where competition_id = ${competitionId} and competitor_id = any(${wanted}::text[])
    ), relays as (
      select relay_team_id, name, team_id from relay_teams
      where competition_id = ${competitionId} and event_id = ${eventId} and relay_team_id = any(${wanted}::text[])
    )
    select json_build_object(
      'event', (select json_build_object('eventId', event_id, 'eventCode', event_code, 'name', name, 'rounds', rounds,
          'attempts', record -> 'max_field_attempts')
        from events where competition_id = ${competitionId} and event_id = ${eventId}),
      'units', (select json_agg(json_build_object('round', round, 'heat', heat))
        from units where competition_id = ${competitionId} and event_id = ${eventId}),
      'people', (select json_agg(json_build_array(competitor_id, first_name, last_name, team_id)) from people),
      'relays', (select json_agg(json_build_array(relay_team_id, name, team_id)) from relays),
      'teams', (select json_agg(json_build_array(team_id, team_name)) from teams
        where competition_id = ${competitionId} and (team_id = any(${wanted}::text[])
          or team_id in (select team_id from people union select team_id from relays))),
      'entered', (select json_agg(competitor_id) from entries
        where competition_id = ${competitionId} and event_id = ${eventId} and competitor_id = any(${wanted}::text[]))
    ) as context`);
  return unitContext(rows[0]!.context, eventId);
}

type UnitContextRow = {
  event: EventOfUnit & { attempts: unknown };
  units: { round: number; heat: number }[] | null;
  people: [string, string, string, string | null][] | null;
  relays: [string, string, string | null][] | null;
  teams: [string, string][] | null;
  entered: string[] | null;
};

function unitContext({ event, units, people, relays, teams, entered }: UnitContextRow, eventId: string) {
  const named = new Map(
    (people ?? []).map(([id, firstName, lastName, teamId]) => [id, { firstName, lastName, teamId }]),
  );
  const teamNames = new Map(teams ?? []);
  const relayTeams = new Map((relays ?? []).map(([id, name, teamId]) => [id, { name, teamId }]));
  const names: Names = {
    competitor: (id) => named.get(id),
    team: (id) => teamNames.get(id),
    relayTeam: (event, id) => (event === eventId ? relayTeams.get(id) : undefined),
  };
  return { event, units: units ?? [], names, entered: new Set(entered ?? []) };
}

export async function listEvents(db: Executor, competitionId: string): Promise<EventOfUnit[]> {
  return db
    .select({
      eventId: events.eventId,
      eventCode: events.eventCode,
      name: events.name,
      rounds: events.rounds,
      parent: events.parent,
    })
    .from(events)
    .where(eq(events.competitionId, competitionId))
    .orderBy(asc(events.position));
}

/** The names of a whole competition, looked up by bib. */
export async function loadNames(db: Executor, competitionId: string): Promise<Names> {
  const competitorRows = await db
    .select({
      competitorId: competitors.competitorId,
      firstName: competitors.firstName,
      lastName: competitors.lastName,
      teamId: competitors.teamId,
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
