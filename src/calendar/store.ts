// Calendar records of a year, and the countries that have any, in SQL.
import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/client.ts';
import { competitions } from '../db/schema.ts';
import { inSnapshot } from '../db/transaction.ts';

const PAGE_SIZE = 1000;

export type CalendarRecord = { countryId: string; text: string };

/** The records of a year, sorted by date then name, a page at a time from one snapshot: never all in memory. */
export async function eachRecordPage(
  db: Db,
  year: number,
  take: (page: CalendarRecord[]) => Promise<void>,
): Promise<void> {
  await inSnapshot(db, async (tx) => {
    const query = tx
      .select({ countryId: competitions.countryId, text: competitions.recordText })
      .from(competitions)
      .where(eq(competitions.year, year))
      .orderBy(asc(competitions.date), asc(competitions.fullName), asc(competitions.id));
    // Raw: the builder has no cursors.
    await tx.execute(sql`declare calendar no scroll cursor for ${query}`);
    for (;;) {
      const { rows } = await tx.execute<{ country_id: string; record_text: string }>(
        sql`fetch ${sql.raw(String(PAGE_SIZE))} from calendar`,
      );
      if (rows.length === 0) return;
      await take(rows.map(({ country_id: countryId, record_text: text }) => ({ countryId, text })));
    }
  });
}

/** The countries that have a competition in any year. */
export async function countriesWithCompetitions(db: Db): Promise<string[]> {
  const rows = await db.selectDistinct({ countryId: competitions.countryId }).from(competitions);
  return rows.map(({ countryId }) => countryId);
}
