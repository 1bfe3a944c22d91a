// Reads of the entrance: competitions about a day, how their units stand, and those of a name.
import type { Executor } from '../db/client.ts';
import { prepared, unprepared } from '../db/prepared.ts';
import type { ListedCompetition } from './listed-competition.ts';

/** What lists show of a competition. */
export const LISTED = `id, full_name as "fullName", city, country_id as "countryId", year, slug,
  to_char(date, 'YYYY-MM-DD') as date, to_char(finish_date, 'YYYY-MM-DD') as "finishDate"`;

// Nothing lasts longer but leagues: by its first day a competition is found without reading the calendar from its beginning.
const LONGEST_DAYS = 60;
const MOST_UNDER_WAY = 1000;

const about = prepared<[today: string], ListedCompetition>(
  'competitions_about',
  `select ${LISTED} from competitions
    where date between $1::date - ${LONGEST_DAYS} and $1::date + 1 and finish_date >= $1::date - 1
    order by competitions.date, full_name, id limit ${MOST_UNDER_WAY}`,
);

/** Those under way on a day, wherever on earth it is that day. */
export const competitionsAbout = (db: Executor, today: string): Promise<ListedCompetition[]> =>
  about(db, today);

const between = prepared<[from: string, to: string, atMost: number], ListedCompetition>(
  'competitions_between',
  `select ${LISTED} from competitions where date between $1::date and $2::date
    order by competitions.date, full_name, id limit $3::int`,
);

/** Those that begin from one day to another. */
export const competitionsBetween = (
  db: Executor,
  days: { from: string; to: string; atMost: number },
): Promise<ListedCompetition[]> => between(db, days.from, days.to, days.atMost);

// The limit inside keeps the planner from joining with all units: one of the newest competitions has results, or the next has.
const ended = prepared<[today: string, states: string[], atMost: number], ListedCompetition>(
  'competitions_with_results',
  `select ${LISTED} from competitions
    where date between $1::date - ${LONGEST_DAYS} and $1::date and finish_date < $1::date
      and (select true from units where competition_id = competitions.id
        and results_status = any($2::text[]) limit 1)
    order by competitions.date desc, full_name, id limit $3::int`,
);

/** Those that ended lately and have results, the newest first. */
export const competitionsWithResults = (
  db: Executor,
  asked: { today: string; states: string[]; atMost: number },
): Promise<ListedCompetition[]> => ended(db, asked.today, asked.states, asked.atMost);

/** How some units of a competition stand, and when the last of them was saved. */
export type Standing = { id: string; status: string; resultsStatus: string; savedAt: Date };

const standings = prepared<[ids: string[]], Standing>(
  'unit_standings',
  `select competition_id as id, status, results_status as "resultsStatus", max(updated_at) as "savedAt"
    from units where competition_id = any($1::uuid[])
    group by competition_id, status, results_status`,
);

export const standingsOf = (db: Executor, ids: string[]): Promise<Standing[]> => standings(db, ids);

// First in the index of names alone, which is a fortieth of the table.
const named = unprepared<[words: string[], today: string, atMost: number], ListedCompetition>(
  `select ${LISTED} from competitions
    where (name_key, date) in (
      select name_key, date from competitions
        where (select bool_and(strpos(name_key, word) > 0) from unnest($1::text[]) word)
        order by abs(date - $2::date), name_key limit $3::int)
    order by abs(competitions.date - $2::date), full_name, id limit $3::int`,
);

/** Those with all these words in their names, the nearest in time first. */
export const competitionsNamed = (
  db: Executor,
  asked: { words: string[]; today: string; atMost: number },
): Promise<ListedCompetition[]> => named(db, asked.words, asked.today, asked.atMost);
