// Reads of the sitemap: which years and countries have competitions, and the addresses of a year.
import type { Executor } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';

export type CalendarCount = { year: number; countryId: string; count: number };

const counts = prepared<[], CalendarCount>(
  'sitemap_counts',
  `select year, country_id as "countryId", count(*)::int as count
    from competitions group by year, country_id order by year, country_id`,
);

export const countCalendars = (db: Executor): Promise<CalendarCount[]> => counts(db);

type Address = { countryId: string; slug: string };

const addresses = prepared<[year: number, limit: number, offset: number], Address>(
  'sitemap_addresses',
  `select country_id as "countryId", slug from competitions where year = $1
    order by country_id, slug limit $2 offset $3`,
);

/** The competitions of a year, in the order of their addresses. */
export const addressesOf = (
  db: Executor,
  { year, limit, offset }: { year: number; limit: number; offset: number },
): Promise<Address[]> => addresses(db, year, limit, offset);
