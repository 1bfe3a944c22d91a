// Reads a competition with everything in it, in SQL.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/client.ts';
import { competitions, competitors, events, relayTeams, teams, units } from '../db/schema.ts';
import type { Contents } from './contents.ts';

/** Null when there is no such competition. To be run in one snapshot. */
export async function readContents(tx: Tx, id: string): Promise<Contents | null> {
  const [competition] = await tx
    .select({
      countryId: competitions.countryId,
      year: competitions.year,
      slug: competitions.slug,
      date: competitions.date,
      recordText: competitions.recordText,
      revision: competitions.revision,
    })
    .from(competitions)
    .where(eq(competitions.id, id));
  if (!competition) return null;
  return {
    competition,
    competitors: await tx
      .select({ record: competitors.record })
      .from(competitors)
      .where(eq(competitors.competitionId, id))
      .orderBy(asc(competitors.position)),
    teams: await recordTexts(tx, teams, id),
    relayTeams: await recordTexts(tx, relayTeams, id),
    events: await readEvents(tx, id),
    units: await readUnits(tx, { id }),
  };
}

// Raw: the record as its stored text, without the way through objects.
const textOf = (table: typeof events | typeof teams | typeof relayTeams) =>
  sql<string>`${table.record}::text`;

async function recordTexts(tx: Tx, table: typeof teams | typeof relayTeams, id: string): Promise<string[]> {
  const rows = await tx
    .select({ text: textOf(table) })
    .from(table as typeof teams)
    .where(eq(table.competitionId, id))
    .orderBy(asc(table.position));
  return rows.map(({ text }) => text);
}

/** The events of a competition, or one of them. */
export async function readEvents(tx: Tx, id: string, eventId?: string): Promise<Contents['events']> {
  return tx
    .select({ eventId: events.eventId, text: textOf(events) })
    .from(events)
    .where(and(eq(events.competitionId, id), eventId === undefined ? undefined : eq(events.eventId, eventId)))
    .orderBy(asc(events.position));
}

/** The units of a competition, of one of its events, or of one round. */
export async function readUnits(
  tx: Tx,
  { id, eventId, round }: { id: string; eventId?: string; round?: number | undefined },
): Promise<Contents['units']> {
  return tx
    .select({ eventId: units.eventId, text: units.text, revision: units.revision })
    .from(units)
    .where(
      and(
        eq(units.competitionId, id),
        eventId === undefined ? undefined : eq(units.eventId, eventId),
        round === undefined ? undefined : eq(units.round, round),
      ),
    )
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat));
}
