// Lists of what is public of a competitor and of a competition; what else was sent with them is for those who may edit. Pure.
import { withoutPersonal } from './public-view.ts';

type Fields = Record<string, unknown>;

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Competitor fields that are public: the published ones, and these beyond them. */
export const PUBLIC_COMPETITOR_FIELDS = names(
  'competitor_id first_name last_name gender age_group category team_id team_name events_entered ' +
    'nationality ot_athlete_id first_name_local last_name_local pb sb qp sort_bib checked_in non_scorer flag_url',
);

/** What is public of an entry. */
export const PUBLIC_ENTRY_FIELDS = names('event_id event_code qp pb sb');

/** What readers of calendars look for beyond the published record. */
export const PUBLIC_COMPETITION_FIELDS = names(
  'english_name type series team_types contact_name country_ioc wa_rankings_category wa_id num_competitors num_results ' +
    'ot_supported is_demo url home_page_url',
);

/** A competitor as the public sees it: an age in place of the date of birth. */
export function publicCompetitor(record: Fields, firstDay: string, publishDateOfBirth: boolean): Fields {
  const { date_of_birth, year_of_birth } = record;
  const shown: Fields = plainFieldsOf(record, PUBLIC_COMPETITOR_FIELDS);
  const entries = record['events_entered'];
  if (Array.isArray(entries)) shown['events_entered'] = entries.map(publicEntry);
  const age = ageAt(firstDay, record);
  return {
    ...shown,
    ...(publishDateOfBirth && date_of_birth ? { date_of_birth } : {}),
    ...(publishDateOfBirth && year_of_birth ? { year_of_birth } : {}),
    ...(age !== undefined && age >= 0 && { age }),
  };
}

/** On the competition's first day; of whom only the year of birth is known, the age that they reach in its year. */
function ageAt(firstDay: string, { date_of_birth: birth, year_of_birth: year }: Fields): number | undefined {
  if (typeof birth === 'string' && birth !== '') return ageOn(firstDay, birth);
  return typeof year === 'number' ? Number(firstDay.slice(0, 4)) - year : undefined;
}

const publicEntry = (entry: unknown): Fields =>
  typeof entry === 'object' && entry !== null ? plainFieldsOf(entry as Fields, PUBLIC_ENTRY_FIELDS) : {};

/** The fields of these names, in the order in which they were sent. An object where a text belongs may hold anything. */
function plainFieldsOf(record: Fields, public_: ReadonlySet<string>): Fields {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        public_.has(name) && (name === 'events_entered' || typeof value !== 'object' || value === null),
    ),
  );
}

/** What is public of the fields that a competition was sent with beyond the published ones. */
export function publicExtra(extra: Fields, year: number): Fields {
  const shown = Object.entries(extra).filter(([name]) => PUBLIC_COMPETITION_FIELDS.has(name));
  return shown.length === 0 ? {} : withoutPersonal(Object.fromEntries(shown), year);
}

/** Full years between two days, both YYYY-MM-DD. */
export function ageOn(day: string, birth: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}
