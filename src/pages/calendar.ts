// The content of a calendar page: a year's competitions by month, of a large year one month, of a large month one part.
import type { Executor } from '../db/client.ts';
import {
  type CalendarFilter,
  countByMonth,
  countriesOf,
  listMonths,
  type MonthCount,
  yearsBeside,
} from './calendar-store.ts';
import { searchText, searchWords } from './entrance.ts';
import { dayFrom, type ListedCompetition } from './listed-competition.ts';
import { readLively } from './lively.ts';

/** More are shown by month, and more of a month in parts. */
export const MOST_AT_ONCE = 500;

type Query = Record<string, unknown>;
type Asked = { year: number; countryId?: string; countryIds: string[] | null };

export type Calendar = Asked & {
  today: string;
  /** Ids of those shown that are live. */
  lively: Set<string>;
  text: string;
  months: MonthCount[];
  /** Which of them is shown; null for all. */
  month: number | null;
  page: number;
  pages: number;
  competitions: ListedCompetition[];
  countries: string[];
  before: number | null;
  after: number | null;
};

export async function readCalendar(
  db: Executor,
  asked: Asked,
  { query, now }: { query: Query; now: Date },
): Promise<Calendar> {
  const { year, countryIds } = asked;
  const text = searchText(query['q']);
  const filter: CalendarFilter = { year, countryIds, words: searchWords(text) };
  const today = dayFrom(now);
  const months = await countByMonth(db, filter);
  const month =
    wantedMonth(query['month']) ?? (sum(months) > MOST_AT_ONCE ? nearest(months, asked, today) : null);
  const shown = month === null ? months : months.filter((one) => one.month === month);
  const pages = Math.max(1, Math.ceil(sum(shown) / MOST_AT_ONCE));
  const page = Math.min(wholeNumber(query['page']) ?? 1, pages);
  const part = {
    months: shown.map((one) => one.month),
    limit: MOST_AT_ONCE,
    offset: (page - 1) * MOST_AT_ONCE,
  };
  const [competitions, countries, beside] = await Promise.all([
    shown.length === 0 ? [] : listMonths(db, filter, part),
    countriesOf(db, year),
    yearsBeside(db, year),
  ]);
  return {
    ...asked,
    today,
    lively: await readLively(db, competitions, now),
    text,
    months,
    month,
    page,
    pages,
    competitions,
    countries,
    ...(months.length > 0 || text ? adjacent(year) : beside),
  };
}

// From an empty year only to where there is something: else a crawler would walk to the year 9999.
const adjacent = (year: number) => ({
  before: year > 1000 ? year - 1 : null,
  after: year < 9999 ? year + 1 : null,
});

const sum = (months: MonthCount[]): number => months.reduce((total, { count }) => total + count, 0);

function wantedMonth(value: unknown): number | null {
  const month = wholeNumber(value);
  return month !== null && month <= 12 ? month : null;
}

/** 1 or more; null of anything else. */
const wholeNumber = (value: unknown): number | null =>
  typeof value === 'string' && /^0?[1-9]\d{0,3}$/.test(value) ? Number(value) : null;

/** The present month in the present year, else the first with competitions. */
function nearest(months: MonthCount[], { year }: Asked, today: string): number {
  const present = today.startsWith(`${year}-`) ? Number(today.slice(5, 7)) : 0;
  const coming = months.find(({ month }) => month >= present) ?? months.at(-1);
  return coming!.month;
}
