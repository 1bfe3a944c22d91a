// Reads of the calendar pages: how many competitions a year has, by month and country, and those of a month.
import type { Executor } from '../db/client.ts';
import { unprepared } from '../db/prepared.ts';
import { LISTED } from './entrance-store.ts';
import type { ListedCompetition } from './listed-competition.ts';

export type CalendarFilter = {
  year: number;
  /** Null for all. */
  countryIds: string[] | null;
  /** Folded; all of them in the name or the place. */
  words: string[];
};

type Conditions = [year: number, countryIds: string[] | null, words: string[]];

const conditions = ({ year, countryIds, words }: CalendarFilter): Conditions => [year, countryIds, words];

const matches = (text: string) => `
  date between make_date($1, 1, 1) and make_date($1, 12, 31)
  and ($2::text[] is null or country_id = any($2))
  and ($3::text[] = '{}' or (select bool_and(strpos(${text}, word) > 0) from unnest($3::text[]) word))`;
const MATCHES = matches(`name_key || ' ' || lower(city)`);

export type MonthCount = { month: number; count: number };

const months = unprepared<Conditions, MonthCount>(
  `select extract(month from date)::int as month, count(*)::int as count
    from competitions where ${MATCHES} group by 1 order by 1`,
);

export const countByMonth = (db: Executor, filter: CalendarFilter): Promise<MonthCount[]> =>
  months(db, ...conditions(filter));

const listed = unprepared<
  [...Conditions, months: number[], limit: number, offset: number],
  ListedCompetition
>(
  `select ${LISTED} from competitions
    where ${MATCHES} and extract(month from date)::int = any($4::int[])
    order by competitions.date, full_name, id limit $5::int offset $6::int`,
);

export const listMonths = (
  db: Executor,
  filter: CalendarFilter,
  { months: wanted, limit, offset }: { months: number[]; limit: number; offset: number },
): Promise<ListedCompetition[]> => listed(db, ...conditions(filter), wanted, limit, offset);

const countries = unprepared<[year: number], { countryId: string }>(
  `select distinct country_id as "countryId" from competitions where year = $1 order by 1`,
);

/** The countries with competitions in a year. */
export async function countriesOf(db: Executor, year: number): Promise<string[]> {
  const rows = await countries(db, year);
  return rows.map(({ countryId }) => countryId);
}

const neighbours = unprepared<[year: number], { before: number | null; after: number | null }>(
  `select (select max(year) from competitions where year < $1) as before,
    (select min(year) from competitions where year > $1) as after`,
);

/** The nearest years with competitions. */
export async function yearsBeside(
  db: Executor,
  year: number,
): Promise<{ before: number | null; after: number | null }> {
  const [row] = await neighbours(db, year);
  return row!;
}
