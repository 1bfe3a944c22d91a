// SQL of the change feed as it is read.
import { sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { prepared, unprepared } from '../db/prepared.ts';
import type { ChangeFilter, ChangeRow } from './change.ts';
import type { FeedState } from './cursor.ts';

/** Up to `limit` changes after a number, in their order; `upTo` is how far that is, `last` where the feed ends. */
export type FeedPage = FeedState & { rows: ChangeRow[]; upTo: number; more: boolean };

type Asked = { after: number; limit: number; filter: ChangeFilter };
type Row = FeedState & { [Column in keyof ChangeRow]: ChangeRow[Column] | null } & { scanned: number | null };

const FEED = `feed.epoch, feed.last, feed.purged`;
// Texts where the driver would make objects of a thousand dates and lists, which become texts again.
const COLUMNS = `number, type, competition_id as "competitionId", year, country_id as "countryId", array_to_string(countries, ' ') as countries, slug,
  event_id as "eventId", object_id as "objectId", round, heat, changes.revision, changes.deleted,
  to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt"`;

// The state of the feed is read with the changes, from one snapshot: numbers, epoch and what was forgotten belong together.
const readAll = prepared<[after: number, atMost: number], Row>(
  'read_changes',
  `select ${FEED}, page.*, null::bigint as scanned from change_feed feed left join lateral (
    select ${COLUMNS} from changes join changed_competitions using (competition_id)
    where number > $1::bigint order by number limit $2::int
  ) page on true
  order by page.number`,
);

// Those of one competition are found by its key, and sorted; of all others a part is looked through at a time, so that a filter
// which lets little through costs no more than that.
const wanted = (scanned: string) => `
  with scanned as materialized (${scanned})
  select ${FEED}, page.*, (select max(number) from scanned having count(*) = $6::int) as scanned
  from change_feed feed left join lateral (
    select ${COLUMNS} from scanned changes join changed_competitions using (competition_id)
    where ($3::text[] is null or countries && $3::text[]) and ($4::text[] is null or type = any($4::text[]))
      and ($5::uuid is null or competition_id = $5::uuid)
    order by number limit $2::int
  ) page on true
  order by page.number`;

type Filtered = [
  after: number,
  atMost: number,
  countryIds: string[] | null,
  types: string[] | null,
  competitionId: string | null,
  scanned: number,
];

const readOfCompetition = unprepared<Filtered, Row>(
  wanted('select * from changes where competition_id = $5::uuid and number > $1::bigint'),
);
const readWanted = unprepared<Filtered, Row>(
  wanted('select * from changes where number > $1::bigint order by number limit $6::int'),
);

const SCANNED = 20_000;

export async function readFeed(db: Executor, { after, limit, filter }: Asked): Promise<FeedPage> {
  const { countryIds, types, competitionId } = filter;
  const rows = await rowsOf(db, { after, limit: limit + 1, filter });
  const { epoch, last, purged, scanned } = rows[0]!;
  const found = rows.filter((row): row is Row & ChangeRow => row.number !== null);
  const isAll = !countryIds && !types && !competitionId;
  const page = found.slice(0, limit);
  const state = { epoch, last, purged, rows: page };
  if (found.length > limit) return { ...state, upTo: page.at(-1)!.number, more: true };
  // Of a page that is not full everything up to the end is known, or up to where was looked.
  if (!isAll && scanned !== null && scanned < last) return { ...state, upTo: scanned, more: true };
  return { ...state, upTo: last, more: false };
}

function rowsOf(db: Executor, { after, limit, filter }: Asked): Promise<Row[]> {
  const { countryIds, types, competitionId } = filter;
  if (!countryIds && !types && !competitionId) return readAll(db, after, limit);
  const values: [string[] | null, string[] | null] = [countryIds ?? null, types ?? null];
  return competitionId
    ? readOfCompetition(db, after, limit, ...values, competitionId, -1)
    : readWanted(db, after, limit, ...values, null, SCANNED);
}

export type NumberingStatus = { waiting: number; oldestSeconds: number };

/** Of how many saves the changes have no number yet, and how long the first of them has waited. */
export async function numberingStatus(db: Executor): Promise<NumberingStatus> {
  // Raw: an age by the clock of the database.
  const { rows } = await db.execute<NumberingStatus>(sql`
    select count(*)::int as waiting,
      greatest(coalesce(extract(epoch from clock_timestamp() - min(hinted_at)), 0), 0)::float8 as "oldestSeconds"
    from change_hints`);
  return rows[0]!;
}
