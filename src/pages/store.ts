// Reads of what pages show beside a document: where a unit stands in its competition.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Address, UnitRef } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { competitions, events, units } from '../db/schema.ts';
import { REVISION } from '../site/documents/store.ts';
import { isUnit } from '../units/saving/unit-store.ts';

export type EventOfPage = {
  /** As it was sent. */
  record: Record<string, unknown>;
  /** Whether other events name it as theirs: a combined event. */
  isParent: boolean;
};

export type CompetitionOfPage = { recordText: string; push: boolean; finishDate: string };

/** A unit of the same event, as a link to it shows it. */
export type Sibling = {
  round: number;
  heat: number;
  heatName: string;
  status: string;
  resultsStatus: string;
};

export type UnitOfPage = {
  revision: string;
  text: string;
  competition: CompetitionOfPage;
  event: EventOfPage;
  siblings: Sibling[];
};

const competitionColumns = {
  recordText: competitions.recordText,
  push: competitions.pushNotifications,
  finishDate: competitions.finishDate,
};

// Raw: no builder looks from one row of a table to others of it.
const IS_PARENT = sql<boolean>`exists (select from events part
  where part.competition_id = ${events.competitionId} and part.parent = ${events.eventId})`;

/** A unit with what its page shows around it; null when there is no such unit. To be run in one snapshot. */
export async function readUnitOfPage(db: Executor, ref: UnitRef): Promise<UnitOfPage | null> {
  const [row] = await db
    .select({
      revision: REVISION,
      text: units.text,
      competition: competitionColumns,
      event: { record: events.record, isParent: IS_PARENT },
    })
    .from(units)
    .innerJoin(competitions, eq(competitions.id, units.competitionId))
    .innerJoin(events, and(eq(events.competitionId, units.competitionId), eq(events.eventId, units.eventId)))
    .where(isUnit(ref));
  return row ? { ...row, siblings: await readSiblings(db, ref) } : null;
}

/** The units of an event, in order. */
async function readSiblings(db: Executor, { competitionId, eventId }: UnitRef): Promise<Sibling[]> {
  return db
    .select({
      round: units.round,
      heat: units.heat,
      status: units.status,
      resultsStatus: units.resultsStatus,
      // Raw: the name that the text shows may be a made one.
      heatName: sql<string>`coalesce(${units.text}::json ->> 'heat_name', '')`,
    })
    .from(units)
    .where(and(eq(units.competitionId, competitionId), eq(units.eventId, eventId)))
    .orderBy(asc(units.round), asc(units.heat));
}

const namesOf = prepared<
  [countries: string[], years: string[], slugs: string[]],
  { key: string; fullName: string }
>(
  'names_at',
  `select country_id || '/' || year || '/' || slug as key, full_name as "fullName"
    from unnest($1::text[], $2::int[], $3::text[]) wanted (country_id, year, slug)
    join competitions using (country_id, year, slug)`,
);

/** The names of the competitions at these addresses, by competition key. */
export async function namesAt(db: Executor, keys: string[]): Promise<Map<string, string>> {
  const parts = keys.map((key) => key.split('/'));
  const column = (index: number) => parts.map((part) => part[index]!);
  const rows = await namesOf(db, column(0), column(1), column(2));
  return new Map(rows.map(({ key, fullName }) => [key, fullName]));
}

type Titled = { address: Address; unit?: { eventId: string; round: number; heat: number } };

/** The title of a competition's page, or of a unit's; null when there is none. */
export async function readTitle(db: Executor, { address, unit }: Titled): Promise<string | null> {
  const { year, countryId, slug } = address;
  const atAddress = and(
    eq(competitions.countryId, countryId),
    eq(competitions.year, year),
    eq(competitions.slug, slug),
  );
  if (!unit) {
    const [row] = await db.select({ name: competitions.fullName }).from(competitions).where(atAddress);
    return row?.name ?? null;
  }
  const [row] = await db
    .select({ name: competitions.fullName, text: units.text })
    .from(units)
    .innerJoin(competitions, eq(competitions.id, units.competitionId))
    .where(
      and(atAddress, eq(units.eventId, unit.eventId), eq(units.round, unit.round), eq(units.heat, unit.heat)),
    );
  if (!row) return null;
  const { event_name, heat_name } = JSON.parse(row.text) as { event_name: string; heat_name: string };
  return `${event_name} · ${heat_name} · ${row.name}`;
}
