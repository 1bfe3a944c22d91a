// SQL that reads a competition with everything in it.
import { and, asc, eq, sql } from 'drizzle-orm';
import { among } from '../db/among.ts';
import type { Executor } from '../db/client.ts';
import { competitions, competitors, events, relayTeams, teams, units } from '../db/schema.ts';
import { NotFound } from '../errors.ts';
import type { Parts, UnitText, UnitWithRecord } from './record-with-parts.ts';

/** Everything but the units. To be run in one snapshot. @throws NotFound */
export async function readParts(db: Executor, id: string): Promise<Parts> {
  const [competition] = await db
    .select({
      countryId: competitions.countryId,
      year: competitions.year,
      slug: competitions.slug,
      date: competitions.date,
      recordText: competitions.recordText,
      privateText: competitions.privateText,
      revision: competitions.revision,
    })
    .from(competitions)
    .where(eq(competitions.id, id));
  if (!competition) throw new NotFound(`No competition ${id}`);
  return {
    competition,
    competitors: await db
      .select({ record: competitors.record })
      .from(competitors)
      .where(eq(competitors.competitionId, id))
      .orderBy(asc(competitors.position)),
    teams: await recordTexts(db, teams, id),
    relayTeams: await recordTexts(db, relayTeams, id),
    events: await readEvents(db, id),
  };
}

// Raw: the record as its stored text, without the way through objects.
const textOf = (table: typeof events | typeof teams | typeof relayTeams) =>
  sql<string>`${table.record}::text`;

async function recordTexts(
  db: Executor,
  table: typeof teams | typeof relayTeams,
  id: string,
): Promise<string[]> {
  const rows = await db
    .select({ text: textOf(table) })
    .from(table as typeof teams)
    .where(eq(table.competitionId, id))
    .orderBy(asc(table.position));
  return rows.map(({ text }) => text);
}

/** The events of a competition, or one of them. */
export async function readEvents(db: Executor, id: string, eventId?: string): Promise<Parts['events']> {
  return db
    .select({ eventId: events.eventId, text: textOf(events) })
    .from(events)
    .where(and(eq(events.competitionId, id), eventId === undefined ? undefined : eq(events.eventId, eventId)))
    .orderBy(asc(events.position));
}

type OfEvents = { id: string; eventIds: string[]; round?: number | undefined };

/** The units of these events, of one round or of all. */
export async function readUnits(db: Executor, wanted: OfEvents): Promise<UnitText[]> {
  return db
    .select({ eventId: units.eventId, text: units.text })
    .from(units)
    .where(areOf(wanted))
    .orderBy(...BY_KEY);
}

/** The same, with the record of each. */
export async function readUnitsWithRecords(db: Executor, wanted: OfEvents): Promise<UnitWithRecord[]> {
  return db
    .select({ eventId: units.eventId, text: units.text, record: units.record })
    .from(units)
    .where(areOf(wanted))
    .orderBy(...BY_KEY);
}

const BY_KEY = [asc(units.eventId), asc(units.round), asc(units.heat)];

const areOf = ({ id, eventIds, round }: OfEvents) =>
  and(
    eq(units.competitionId, id),
    among(units.eventId, eventIds),
    round === undefined ? undefined : eq(units.round, round),
  );
