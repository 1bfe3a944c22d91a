// Reads of what calendars show: competitions, and those that were deleted within the last 30 days.
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { among } from '../../db/among.ts';
import type { Executor } from '../../db/client.ts';
import { competitions, deletedCompetitions } from '../../db/schema.ts';
import type { CalendarKey } from './store.ts';

/** A competition as a calendar shows it. */
export type Listed = Awaited<ReturnType<typeof select>>[number];

const LISTED = {
  id: competitions.id,
  name: competitions.fullName,
  year: competitions.year,
  countryId: competitions.countryId,
  slug: competitions.slug,
  firstDay: competitions.date,
  lastDay: competitions.finishDate,
  address: competitions.address,
  city: competitions.city,
  latitude: competitions.latitude,
  longitude: competitions.longitude,
  description: competitions.basicDescription,
  website: competitions.website,
  revision: competitions.revision,
  changedAt: competitions.updatedAt,
};

const BY_DATE = [asc(competitions.date), asc(competitions.fullName), asc(competitions.id)];

async function select(db: Executor, which: SQL | undefined) {
  const rows = await db
    .select(LISTED)
    .from(competitions)
    .where(which)
    .orderBy(...BY_DATE);
  return rows.map((row) => ({ ...row, cancelled: false }));
}

export async function competitionsOfCalendar(
  db: Executor,
  { year, countryIds }: CalendarKey,
): Promise<Listed[]> {
  const ofCountries = countryIds === null ? undefined : among(competitions.countryId, countryIds);
  return select(db, and(eq(competitions.year, year), ofCountries));
}

export async function competitionOfCalendar(db: Executor, id: string): Promise<Listed | null> {
  return (await select(db, eq(competitions.id, id)))[0] ?? null;
}

/** What was deleted lately, of these years and countries or of one address; not what was made again under its id. */
export async function deletedOfCalendar(
  db: Executor,
  { year, countryIds }: CalendarKey,
  slug?: string,
): Promise<Listed[]> {
  const of = deletedCompetitions;
  const rows = await db
    .select()
    .from(of)
    .where(
      and(
        eq(of.year, year),
        countryIds === null ? undefined : among(of.countryId, countryIds),
        slug === undefined ? undefined : eq(of.slug, slug),
        // Raw: the database's own clock.
        sql`${of.deletedAt} > now() - interval '30 days'`,
        sql`not exists (select from ${competitions} where ${competitions.id} = ${of.id})`,
      ),
    )
    .orderBy(asc(of.revision));
  return rows.map(({ deletedAt, ...row }) => ({
    ...row,
    changedAt: deletedAt,
    latitude: null,
    longitude: null,
    description: '',
    website: null,
    cancelled: true,
  }));
}
