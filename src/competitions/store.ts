// SQL of competition rows and their former addresses.
import { and, asc, eq, like, ne, sql } from 'drizzle-orm';
import { directorIds } from '../accounts/directors-store.ts';
import type { Address } from '../addresses.ts';
import type { Executor, Tx } from '../db/client.ts';
import { type Given, statementOfGiven } from '../db/statement.ts';
import { competitions, formerAddresses } from '../db/schema.ts';
import { NotFound } from '../errors.ts';

export type CompetitionRow = typeof competitions.$inferSelect;
export type NewCompetition = typeof competitions.$inferInsert;
export type Access = { countryId: string; directorIds: string[] };

const ofId = (id: string) => eq(competitions.id, id);

/** Whose rights count for a competition: its country and its directors. Null when there is no such competition. */
export async function findAccess(db: Executor, id: string): Promise<Access | null> {
  const [row] = await db
    .select({ countryId: competitions.countryId, directorIds })
    .from(competitions)
    .where(ofId(id));
  return row ?? null;
}

export async function findRecordText(db: Executor, id: string): Promise<string | null> {
  const [row] = await db.select({ text: competitions.recordText }).from(competitions).where(ofId(id));
  return row?.text ?? null;
}

export async function pushTurnedOn(db: Executor, id: string): Promise<boolean | null> {
  const [row] = await db.select({ on: competitions.pushNotifications }).from(competitions).where(ofId(id));
  return row?.on ?? null;
}

/**
 * The row, locked against every other writer of this competition (uploads, renames and deletes), and whose rights count.
 * @throws NotFound
 */
export async function lockCompetition(tx: Tx, id: string) {
  const [found] = await tx
    .select({ row: competitions, directorIds })
    .from(competitions)
    .where(ofId(id))
    .for('update');
  if (!found) throw new NotFound(`No competition ${id}`);
  const { row, directorIds: ids } = found;
  return { row, access: { countryId: row.countryId, directorIds: ids } };
}

export async function insertCompetition(tx: Tx, row: NewCompetition): Promise<CompetitionRow> {
  const [inserted] = await tx.insert(competitions).values(row).returning();
  return inserted!;
}

export async function updateCompetitionRow(
  tx: Tx,
  id: string,
  changes: Partial<NewCompetition>,
): Promise<CompetitionRow> {
  const [updated] = await tx.update(competitions).set(changes).where(ofId(id)).returning();
  return updated!;
}

export async function deleteCompetition(tx: Tx, id: string): Promise<void> {
  await tx.delete(competitions).where(ofId(id));
}

/** Which competitions: of these countries, overlapping [from, to] (both inclusive), changed at or after a time. */
export type ListFilter = {
  countryIds?: string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  updatedSince?: Date | undefined;
};
export type Page = { limit?: number | undefined; offset?: number | undefined };

/** Their calendar records as JSON texts, by date then name. */
export async function listRecords(db: Executor, filter: ListFilter, page: Page = {}): Promise<string[]> {
  const rows = await recordsOf(db, { ...filter, ...page });
  return rows.map(({ text }) => text);
}

export async function countRecords(db: Executor, filter: ListFilter): Promise<number> {
  const [row] = await countOf(db, filter);
  return row!.count;
}

const matches = (given: Given<ListFilter>) => sql`true
  ${given('countryIds', (ids) => sql`and country_id = any(${ids}::text[])`)}
  ${given('from', (day) => sql`and finish_date >= ${day}::date`)}
  ${given('to', (day) => sql`and date <= ${day}::date`)}
  ${given('updatedSince', (time) => sql`and updated_at >= ${time}::timestamptz`)}`;

const recordsOf = statementOfGiven<ListFilter & Page, { text: string }>(
  (given) => sql`
    select record_text as text from competitions where ${matches(given)}
    order by date, full_name, id
    ${given('limit', (limit) => sql`limit ${limit}::int`)} ${given('offset', (offset) => sql`offset ${offset}::int`)}`,
);
const countOf = statementOfGiven<ListFilter, { count: number }>(
  (given) => sql`select count(*)::int as count from competitions where ${matches(given)}`,
);

/** Competitions of the same name and date, oldest first. */
export async function findByName(db: Executor, nameKey: string, date: string): Promise<CompetitionRow[]> {
  return db
    .select()
    .from(competitions)
    .where(and(eq(competitions.nameKey, nameKey), eq(competitions.date, date)))
    .orderBy(asc(competitions.createdAt), asc(competitions.id));
}

export async function idExists(db: Executor, id: string): Promise<boolean> {
  const rows = await db.select({ id: competitions.id }).from(competitions).where(ofId(id));
  return rows.length > 0;
}

export async function findByAddress(
  db: Executor,
  { countryId, year, slug }: Address,
): Promise<CompetitionRow | null> {
  const at = and(
    eq(competitions.countryId, countryId),
    eq(competitions.year, year),
    eq(competitions.slug, slug),
  );
  const [row] = await db.select().from(competitions).where(at);
  return row ?? null;
}

/** The slugs in use that start with this one, in that country and year. `except` is the competition that asks. */
export async function takenSlugs(db: Executor, address: Address, except?: string): Promise<Set<string>> {
  // Suffixes shorten the slug, so a free one is looked for under its first characters.
  const stem = address.slug.slice(0, 70).replace(/[%_\\]/g, '\\$&');
  const rows = await db
    .select({ slug: competitions.slug })
    .from(competitions)
    .where(
      and(
        eq(competitions.countryId, address.countryId),
        eq(competitions.year, address.year),
        like(competitions.slug, `${stem}%`),
        except === undefined ? undefined : ne(competitions.id, except),
      ),
    );
  return new Set(rows.map(({ slug }) => slug));
}

/** Lets the old address redirect; one that is in use again no longer does. */
export async function recordFormerAddress(tx: Tx, id: string, old: Address): Promise<void> {
  await tx
    .insert(formerAddresses)
    .values({ ...old, competitionId: id })
    .onConflictDoUpdate({
      target: [formerAddresses.countryId, formerAddresses.year, formerAddresses.slug],
      set: { competitionId: id },
    });
}
