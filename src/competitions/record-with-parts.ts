// JSON texts of a competition's record with its parts, for the API; and the public view of a competitor. Pure.
import { withoutBirthDates } from '../birth-dates.ts';
import { unitsByEvent } from '../units/rules/by-event.ts';
import { openRecord } from './record.ts';
import type { Includable, Sent } from './schemas.ts';

/** A competition and everything in it but its units, from one snapshot. The records of teams and events are JSON texts. */
export type Parts = {
  competition: {
    countryId: string;
    year: number;
    slug: string;
    date: string;
    recordText: string;
    revision: number;
  };
  competitors: { record: Sent }[];
  teams: string[];
  relayTeams: string[];
  events: { eventId: string; text: string }[];
};

export type UnitText = { eventId: string; text: string };

/** And with its units. */
export type PartsWithUnits = Parts & { units: UnitText[] };

/**
 * Competitor fields that are public: the published ones, and these beyond them. Everything else that was sent with a
 * person stays with the administrators and directors.
 */
export const PUBLIC_COMPETITOR_FIELDS: ReadonlySet<string> = new Set(
  (
    'competitor_id first_name last_name gender age_group category team_id team_name events_entered ' +
    'nationality ot_athlete_id first_name_local last_name_local pb sb qp sort_bib checked_in non_scorer flag_url'
  ).split(' '),
);

/** A competitor as the public sees it: an age in place of the date of birth. */
export function publicCompetitor(record: Sent, firstDay: string, publishDateOfBirth: boolean): Sent {
  const { date_of_birth, year_of_birth } = record;
  const shown = Object.fromEntries(
    Object.entries(record).filter(([name]) => PUBLIC_COMPETITOR_FIELDS.has(name)),
  );
  const age = ageAt(firstDay, record);
  return {
    ...shown,
    ...(publishDateOfBirth && date_of_birth ? { date_of_birth } : {}),
    ...(publishDateOfBirth && year_of_birth ? { year_of_birth } : {}),
    ...(age !== undefined && age >= 0 && { age }),
  };
}

/** On the competition's first day; of whom only the year of birth is known, the age that they reach in its year. */
function ageAt(firstDay: string, { date_of_birth: birth, year_of_birth: year }: Sent): number | undefined {
  if (typeof birth === 'string' && birth !== '') return ageOn(firstDay, birth);
  return typeof year === 'number' ? Number(firstDay.slice(0, 4)) - year : undefined;
}

/** Full years between two days, both YYYY-MM-DD. */
export function ageOn(day: string, birth: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** The record with some of its parts, as JSON text; `everything` shows competitors as they were sent. */
export function recordWithParts(
  parts: PartsWithUnits,
  include: Includable[],
  { everything, publishDateOfBirth }: { everything: boolean; publishDateOfBirth: boolean },
): string {
  const { competition } = parts;
  const shown = (texts: string[]) =>
    everything || publishDateOfBirth ? texts : texts.map(withoutBirthDates);
  const texts: Record<Includable, () => string[]> = {
    competitors: () =>
      parts.competitors.map(({ record }) =>
        JSON.stringify(everything ? record : publicCompetitor(record, competition.date, publishDateOfBirth)),
      ),
    teams: () => parts.teams,
    relay_teams: () => parts.relayTeams,
    events: () => eventTexts(parts),
  };
  const members = include.map((name) => `"${name}":[${shown(texts[name]()).join(',')}]`);
  const events = include.includes('events') ? [] : ['"events":null'];
  return `${openRecord(competition.recordText)},${[...members, ...events].join(',')}}`;
}

/** Every event with its units. */
export function eventTexts({ events, units }: Pick<PartsWithUnits, 'events' | 'units'>): string[] {
  const unitsOf = unitsByEvent(units);
  return events.map(({ eventId, text }) => {
    const unitTexts = unitsOf(eventId).map((unit) => unit.text);
    return `${withoutBirthDates(text).slice(0, -1)},"units":[${unitTexts.join(',')}]}`;
  });
}
