// SQL of competition rows and their former addresses.
import { and, asc, eq, like, ne, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import { directorIds } from '../accounts/directors-store.ts';
import type { Address } from '../addresses.ts';
import type { Executor, Tx } from '../db/client.ts';
import { changeHints, competitions, deletedCompetitions, formerAddresses } from '../db/schema.ts';
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

/** The texts of a record, and whose rights decide which of them is read. */
export async function findRecordTexts(
  db: Executor,
  id: string,
): Promise<(Access & Pick<CompetitionRow, 'recordText' | 'privateText'>) | null> {
  const { recordText, privateText, countryId } = competitions;
  const [row] = await db
    .select({ recordText, privateText, countryId, directorIds })
    .from(competitions)
    .where(ofId(id));
  return row ?? null;
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

/** Deletes a competition; calendars go on to show it as cancelled for a while. */
export async function deleteCompetition(tx: Tx, row: CompetitionRow): Promise<void> {
  const { id, fullName: name, year, countryId, slug, address, city } = row;
  await tx.delete(competitions).where(ofId(id));
  // Raw: the database's own clock, and a function.
  await tx
    .delete(deletedCompetitions)
    .where(sql`${deletedCompetitions.deletedAt} < now() - interval '30 days'`);
  await tx.insert(changeHints).values({ competitionId: id });
  const revision = sql`nextval('revisions')`;
  const [firstDay, lastDay] = [row.date, row.finishDate];
  const gone = { name, year, countryId, slug, address, city, firstDay, lastDay, revision };
  await tx
    .insert(deletedCompetitions)
    .values({ id, ...gone })
    .onConflictDoUpdate({ target: deletedCompetitions.id, set: { ...gone, deletedAt: sql`now()` } });
}

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

/**
 * The slugs that start with this one and belong to somebody in that country and year: who is there now, and who was there before,
 * for good: links to an old address must not lead to another competition. `except` is the competition that asks.
 */
export async function takenSlugs(db: Executor, address: Address, except?: string): Promise<Set<string>> {
  // Suffixes shorten the slug, so a free one is looked for under its first characters.
  const stem = address.slug.slice(0, 70).replace(/[%_\\]/g, '\\$&');
  // One statement: between two, one may move from here and be in neither.
  const present = db
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
  const former = db
    .select({ slug: formerAddresses.slug })
    .from(formerAddresses)
    .where(
      and(
        eq(formerAddresses.countryId, address.countryId),
        eq(formerAddresses.year, address.year),
        like(formerAddresses.slug, `${stem}%`),
        except === undefined ? undefined : ne(formerAddresses.competitionId, except),
      ),
    );
  const rows = await union(present, former);
  return new Set(rows.map(({ slug }) => slug));
}

/** Lets the old address redirect, unless it has been somebody else's before; one that is in use again no longer does. */
export async function recordFormerAddress(tx: Tx, id: string, old: Address): Promise<void> {
  await tx
    .insert(formerAddresses)
    .values({ ...old, competitionId: id })
    .onConflictDoNothing();
}
