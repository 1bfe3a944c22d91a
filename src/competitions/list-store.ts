// SQL of the calendar list: the records of competitions as texts, by date then name.
import type { Executor } from '../db/client.ts';
import { unprepared } from '../db/prepared.ts';

/** Which competitions: of these countries, overlapping [from, to] (both inclusive), changed at or after a time. */
export type ListFilter = {
  countryIds?: string[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  updatedSince?: Date | undefined;
};
export type Page = { limit?: number | undefined; offset?: number | undefined };
/** Who reads the list: what they may edit they read whole. */
export type Reader = { accountId: string; countryIds: string[] };

/** Their calendar records as JSON texts, `atMost` so many whatever is asked for. */
export async function listRecords(
  db: Executor,
  filter: ListFilter,
  { limit, offset, atMost, reader }: Page & { atMost: number; reader: Reader },
): Promise<string[]> {
  const page = [Math.min(limit ?? Infinity, atMost), offset ?? null] as const;
  const read = limit === undefined ? allRecordsOf : recordsOf;
  const rows = await read(db, ...conditions(filter), ...page, reader.countryIds, reader.accountId);
  return rows.map(({ text }) => text);
}

export async function countRecords(db: Executor, filter: ListFilter): Promise<number> {
  const [row] = await countOf(db, ...conditions(filter));
  return row!.count;
}

/** Ids in the order of a list, as one text with commas between: of many thousand, an array would take three times as much. */
export async function listIds(db: Executor, filter: ListFilter, { limit, offset }: Page): Promise<string> {
  const [row] = await idsOf(db, ...conditions(filter), limit ?? null, offset ?? null);
  return row!.ids;
}

/** The records of those of them that are still there, in that order. */
export async function recordsWithIds(db: Executor, ids: string, reader: Reader): Promise<string[]> {
  const rows = await recordsAmong(db, ids, reader.countryIds, reader.accountId);
  return rows.map(({ text }) => text);
}

type Conditions = [
  countryIds: string[] | null,
  from: string | null,
  to: string | null,
  updatedSince: Date | null,
];

const conditions = ({ countryIds, from, to, updatedSince }: ListFilter): Conditions => [
  countryIds ?? null,
  from ?? null,
  to ?? null,
  updatedSince ?? null,
];

const MATCHES = `
  ($1::text[] is null or country_id = any($1))
  and ($2::date is null or finish_date >= $2)
  and ($3::date is null or date <= $3)
  and ($4::timestamptz is null or updated_at >= $4)`;

const ORDER = 'date, full_name, id';

/** The text that a reader sees, by the parameters that hold the countries and the account. */
const seenBy = (countries: string, account: string) => `case
      when private_text is null then record_text
      when country_id = any(${countries}::text[]) then private_text
      when exists (select from competition_directors
        where competition_id = competitions.id and account_id = ${account}::uuid) then private_text
      else record_text
    end as text`;

const listed = (order: string) =>
  unprepared<
    [...Conditions, limit: number | null, offset: number | null, editable: string[], accountId: string],
    { text: string }
  >(
    `select ${seenBy('$7', '$8')}
      from competitions where ${MATCHES}
      order by ${order} limit $5::int offset $6::int`,
  );
const recordsOf = listed(ORDER);
// A limit that is hardly ever reached: with one, Postgres would walk the index of this order through the whole calendar.
const allRecordsOf = listed('date + 0, full_name, id');
const countOf = unprepared<Conditions, { count: number }>(
  `select count(*)::int as count from competitions where ${MATCHES}`,
);
const idsOf = unprepared<[...Conditions, limit: number | null, offset: number | null], { ids: string }>(
  `select coalesce(string_agg(id::text, ',' order by ${ORDER}), '') as ids
    from (select id, date, full_name from competitions where ${MATCHES}
      order by ${ORDER} limit $5::int offset $6::int) listed`,
);
const recordsAmong = unprepared<[ids: string, editable: string[], accountId: string], { text: string }>(
  `select ${seenBy('$2', '$3')}
    from unnest(string_to_array($1, ',')::uuid[]) with ordinality listed (id, place)
    join competitions using (id) order by place`,
);
