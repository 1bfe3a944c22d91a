// SQL that reads what photo-finish programs are told, and what their results are matched with.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { UnitRef } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { competitors, events, relayTeams, teams, units } from '../db/schema.ts';
import { isUnit } from '../units/saving/unit-store.ts';
import type { RelayTeam } from './relay-codes.ts';
import type { StartLists } from './start-lists.ts';

export type EventOfRace = { eventId: string; eventCode: string };

/** The event that has this number. */
export async function findEventByNumber(db: Executor, id: string, no: number): Promise<EventOfRace | null> {
  const [found] = await db
    .select({ eventId: events.eventId, eventCode: events.eventCode })
    .from(events)
    // Raw: a field of the record.
    .where(and(eq(events.competitionId, id), sql`${events.record} ->> 'lynx_event_no' = ${String(no)}`));
  return found ?? null;
}

export async function hasUnit(db: Executor, ref: UnitRef): Promise<boolean> {
  const found = await db.select({ heat: units.heat }).from(units).where(isUnit(ref));
  return found.length > 0;
}

/** The relay teams of a competition, or of one event in it. */
export async function readRelayTeams(db: Executor, id: string, eventId?: string): Promise<RelayTeam[]> {
  const { relayTeamId, name, teamId } = relayTeams;
  return db
    .select({ eventId: relayTeams.eventId, relayTeamId, name, teamId })
    .from(relayTeams)
    .where(
      and(
        eq(relayTeams.competitionId, id),
        eventId === undefined ? undefined : eq(relayTeams.eventId, eventId),
      ),
    )
    .orderBy(asc(relayTeams.position));
}

/** Everything that start lists are made of. To be run in one snapshot. */
export async function readStartLists(db: Executor, id: string): Promise<StartLists> {
  // Raw: fields of records.
  const no = sql<string | null>`${events.record} ->> 'lynx_event_no'`;
  const heatName = sql<string | null>`${units.text}::json ->> 'heat_name'`;
  return {
    events: await db
      .select({ eventId: events.eventId, eventCode: events.eventCode, name: events.name, no })
      .from(events)
      .where(eq(events.competitionId, id))
      .orderBy(asc(events.position)),
    units: await db
      .select({
        eventId: units.eventId,
        round: units.round,
        heat: units.heat,
        heatName,
        record: units.record,
      })
      .from(units)
      .where(eq(units.competitionId, id))
      .orderBy(asc(units.round), asc(units.heat)),
    competitors: await db
      .select({
        id: competitors.competitorId,
        first: competitors.firstName,
        last: competitors.lastName,
        teamId: competitors.teamId,
      })
      .from(competitors)
      .where(eq(competitors.competitionId, id))
      .orderBy(asc(competitors.position)),
    teams: await db
      .select({ id: teams.teamId, name: teams.teamName })
      .from(teams)
      .where(eq(teams.competitionId, id)),
    relayTeams: await readRelayTeams(db, id),
  };
}
