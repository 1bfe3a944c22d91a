// Reads of the data site: addresses, stored unit texts and the rows that the whole competition is spliced from.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db, Executor } from '../db/client.ts';
import {
  competitions,
  competitors,
  events,
  formerAddresses,
  relayTeams,
  teams,
  units,
} from '../db/schema.ts';

export type Address = { countryId: string; year: number; slug: string };

const at = (address: Address) =>
  and(
    eq(competitions.countryId, address.countryId),
    eq(competitions.year, address.year),
    eq(competitions.slug, address.slug),
  );

/** The present address of a competition that once lived at this one; null when none did. */
export async function movedTo(db: Executor, { countryId, year, slug }: Address): Promise<Address | null> {
  const [row] = await db
    .select({ countryId: competitions.countryId, year: competitions.year, slug: competitions.slug })
    .from(formerAddresses)
    .innerJoin(competitions, eq(competitions.id, formerAddresses.competitionId))
    .where(
      and(
        eq(formerAddresses.countryId, countryId),
        eq(formerAddresses.year, year),
        eq(formerAddresses.slug, slug),
      ),
    );
  return row ?? null;
}

/** The unit's JSON text: null when the competition has no such unit, undefined when there is no such competition. */
export async function unitTextAt(
  db: Executor,
  address: Address,
  unit: { eventId: string; round: number; heat: number },
): Promise<string | null | undefined> {
  const [row] = await db
    .select({ text: units.text })
    .from(competitions)
    .leftJoin(
      units,
      and(
        eq(units.competitionId, competitions.id),
        eq(units.eventId, unit.eventId),
        eq(units.round, unit.round),
        eq(units.heat, unit.heat),
      ),
    )
    .where(at(address));
  return row?.text;
}

/** Everything of one competition, from one snapshot; null when there is none. */
export async function wholeCompetition(db: Db, which: Address | { id: string }) {
  const condition = 'id' in which ? eq(competitions.id, which.id) : at(which);
  return db.transaction(
    async (tx) => {
      const [competition] = await tx.select().from(competitions).where(condition);
      if (!competition) return null;
      const { id } = competition;
      return {
        competition,
        competitors: await tx
          .select({ record: competitors.record })
          .from(competitors)
          .where(eq(competitors.competitionId, id))
          .orderBy(asc(competitors.position)),
        teams: await recordTexts(tx, teams, id),
        relayTeams: await recordTexts(tx, relayTeams, id),
        events: await tx
          .select({ eventId: events.eventId, text: textOf(events) })
          .from(events)
          .where(eq(events.competitionId, id))
          .orderBy(asc(events.position)),
        units: await tx
          .select({ eventId: units.eventId, text: units.text, revision: units.revision })
          .from(units)
          .where(eq(units.competitionId, id))
          .orderBy(asc(units.eventId), asc(units.round), asc(units.heat)),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
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
