// SQL of a person's data: where a name may stand, everything of a competition that may hold it, and the rows put in its place.
import { and, asc, eq, ilike, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { UnitKey } from '../addresses.ts';
import type { Executor, Tx } from '../db/client.ts';
import { competitions, competitors, events, relayTeams, teams, units } from '../db/schema.ts';
import { isUnit } from '../units/saving/unit-store.ts';
import type { Fields } from './person.ts';

const TABLES = { competitors, teams, relayTeams, events } as const;
export type SectionName = keyof typeof TABLES;
export type StoredRow = { position: number; record: Fields };
export type StoredUnit = UnitKey & { record: Fields };
/** Everything that was sent with a competition, but for its calendar entry. */
export type Stored = Record<SectionName, StoredRow[]> & { units: StoredUnit[] };

/** Ids of the competitions in which something holds this word. */
export async function competitionsHolding(
  db: Executor,
  word: string,
  competitionId?: string,
): Promise<string[]> {
  const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  // Raw: the texts of json columns.
  const holds = (record: PgColumn) => ilike(sql`${record}::text`, pattern);
  const found = new Set<string>();
  for (const table of [...Object.values(TABLES), units]) {
    const within = competitionId === undefined ? undefined : eq(table.competitionId, competitionId);
    const rows = await db
      .selectDistinct({ id: table.competitionId })
      .from(table as typeof competitors)
      .where(and(within, holds(table.record)));
    for (const { id } of rows) found.add(id);
  }
  return [...found].toSorted();
}

export async function loadStored(db: Executor, id: string): Promise<Stored> {
  const rowsOf = (table: (typeof TABLES)[SectionName]): Promise<StoredRow[]> =>
    db
      .select({ position: table.position, record: table.record })
      .from(table as typeof competitors)
      .where(eq(table.competitionId, id))
      .orderBy(asc(table.position));
  return {
    competitors: await rowsOf(competitors),
    teams: await rowsOf(teams),
    relayTeams: await rowsOf(relayTeams),
    events: await rowsOf(events),
    units: await db
      .select({ eventId: units.eventId, round: units.round, heat: units.heat, record: units.record })
      .from(units)
      .where(eq(units.competitionId, id))
      .orderBy(asc(units.eventId), asc(units.round), asc(units.heat)),
  };
}

/** The competition's calendar entry as far as it tells which one it is. */
export async function competitionNamed(db: Executor, id: string) {
  const [row] = await db
    .select({
      id: competitions.id,
      full_name: competitions.fullName,
      date: competitions.date,
      country_id: competitions.countryId,
    })
    .from(competitions)
    .where(eq(competitions.id, id));
  return row ?? null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

// What was sent is not what is stored any more, so the same upload again is a change.
const FORGOTTEN = { sentHash: null };

export async function replaceCompetitor(tx: Tx, id: string, { position, record }: StoredRow): Promise<void> {
  const name = (field: string) => textOf(record[field]);
  const dateOfBirth = (record['date_of_birth'] as string | undefined) || null;
  await tx
    .update(competitors)
    .set({
      record,
      firstName: name('first_name'),
      lastName: name('last_name'),
      dateOfBirth,
      ...FORGOTTEN,
    })
    .where(and(eq(competitors.competitionId, id), eq(competitors.position, position)));
}

export async function replaceTeam(tx: Tx, id: string, { position, record }: StoredRow): Promise<void> {
  await tx
    .update(teams)
    .set({ record, teamName: textOf(record['team_name']), ...FORGOTTEN })
    .where(and(eq(teams.competitionId, id), eq(teams.position, position)));
}

export async function replaceRelayTeam(tx: Tx, id: string, { position, record }: StoredRow): Promise<void> {
  await tx
    .update(relayTeams)
    .set({ record, name: textOf(record['name']), ...FORGOTTEN })
    .where(and(eq(relayTeams.competitionId, id), eq(relayTeams.position, position)));
}

export async function replaceEvent(tx: Tx, id: string, { position, record }: StoredRow): Promise<void> {
  await tx
    .update(events)
    .set({ record, name: textOf(record['name']), ...FORGOTTEN })
    .where(and(eq(events.competitionId, id), eq(events.position, position)));
}

export async function replaceUnitRecord(tx: Tx, id: string, unit: StoredUnit): Promise<void> {
  const { record, ...key } = unit;
  await tx
    .update(units)
    .set({ record, ...FORGOTTEN })
    .where(isUnit({ ...key, competitionId: id }));
}
