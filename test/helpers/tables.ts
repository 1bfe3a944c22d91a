// The whole competition as it follows from the tables alone: every unit rendered anew from its record, nothing from stored texts.
import { asc, eq } from 'drizzle-orm';
import { publicCompetitor } from '../../src/privacy/public-fields.ts';
import { toRecord } from '../../src/competitions/record.ts';
import type { Db } from '../../src/db/client.ts';
import { competitions, competitors, events, relayTeams, teams, units } from '../../src/db/schema.ts';
import { overviewChannel } from '../../src/push/channels.ts';
import { type EventOfUnit, renderUnit, standingsOf } from '../../src/units/saving/record.ts';
import { combinedEvents, partsFrom } from '../../src/units/saving/combined-parts.ts';
import { isStandings } from '../../src/units/rules/combined-standings.ts';
import { loadNames } from '../../src/units/saving/units-store.ts';

export async function documentFromTables(db: Db, id: string) {
  const [competition] = await db.select().from(competitions).where(eq(competitions.id, id));
  const people = await db
    .select()
    .from(competitors)
    .where(eq(competitors.competitionId, id))
    .orderBy(asc(competitors.position));
  const allTeams = await db
    .select()
    .from(teams)
    .where(eq(teams.competitionId, id))
    .orderBy(asc(teams.position));
  const allRelayTeams = await db
    .select()
    .from(relayTeams)
    .where(eq(relayTeams.competitionId, id))
    .orderBy(asc(relayTeams.position));
  const allEvents = await db
    .select()
    .from(events)
    .where(eq(events.competitionId, id))
    .orderBy(asc(events.position));
  const allUnits = await db
    .select()
    .from(units)
    .where(eq(units.competitionId, id))
    .orderBy(asc(units.round), asc(units.heat));
  const names = await loadNames(db, id);
  const listed = new Map(allEvents.map((event) => [event.eventId, shownEvent(event)]));
  const combined = combinedEvents(listed);
  const standings = ({ eventId, record, ...unit }: (typeof allUnits)[number]) => {
    const own = combined.get(eventId);
    if (!own || !isStandings(unit)) return null;
    return standingsOf(record, {
      parts: partsFrom(own, allUnits),
      genders: listed.get(eventId)!.genders,
      names,
    });
  };
  const unitsOf = (eventId: string) => allUnits.filter((unit) => unit.eventId === eventId);
  return {
    ...toRecord(competition!),
    channels: { overview: overviewChannel(competition!) },
    revision: Math.max(competition!.revision, ...allUnits.map(({ revision }) => revision)),
    competitors: people.map(({ record }) => publicCompetitor(record, competition!.date, false)),
    teams: allTeams.map(({ record }) => record),
    relay_teams: allRelayTeams.map(({ record }) => record),
    events: allEvents.map((event) => ({
      ...event.record,
      units: unitsOf(event.eventId).map((unit) => ({
        ...renderUnit({
          address: competition!,
          event: shownEvent(event),
          unit,
          unitsOfEvent: unitsOf(event.eventId),
          names,
          standings: standings(unit),
        }),
        revision: unit.revision,
        updated_at: unit.updatedAt.toISOString(),
      })),
    })),
  };
}

const shownEvent = (event: typeof events.$inferSelect): EventOfUnit => ({
  ...event,
  attempts: event.record['max_field_attempts'],
  genders: (event.record['genders'] as string | undefined) ?? null,
});
