// What of the stored data the public sees, and how the whole-competition document is put together. Pure.
import { openRecord } from '../competitions/record.ts';
import { type Address, overviewChannel } from '../push/channels.ts';
import { withoutBirthDates } from '../units/birth-dates.ts';

type Sent = Record<string, unknown>;

/**
 * Competitor fields that are public: the published ones, and these beyond them. Everything else that was sent with a
 * person stays with the administrators and directors.
 */
export const PUBLIC_COMPETITOR_FIELDS: ReadonlySet<string> = new Set(
  (
    'competitor_id first_name last_name gender age_group category team_id events_entered ' +
    'nationality ot_athlete_id first_name_local last_name_local pb sb qp sort_bib checked_in non_scorer flag_url'
  ).split(' '),
);

/** A competitor as the public sees it: an age on the competition's first day in place of the date of birth. */
export function publicCompetitor(record: Sent, firstDay: string, publishDateOfBirth: boolean): Sent {
  const birth = record['date_of_birth'];
  const shown = Object.fromEntries(
    Object.entries(record).filter(([name]) => PUBLIC_COMPETITOR_FIELDS.has(name)),
  );
  if (typeof birth !== 'string' || birth === '') return shown;
  const age = ageOn(firstDay, birth);
  return { ...shown, ...(publishDateOfBirth && { date_of_birth: birth }), ...(age >= 0 && { age }) };
}

/** Full years between two days, both YYYY-MM-DD. */
export function ageOn(day: string, birth: string): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

type Parts = {
  competition: Address & { recordText: string; revision: number; date: string };
  competitors: { record: Sent }[];
  teams: string[];
  relayTeams: string[];
  events: { eventId: string; text: string }[];
  units: { eventId: string; text: string; revision: number }[];
};

/** The whole competition as JSON text, spliced from stored texts. */
export function competitionDocument(parts: Parts, publishDateOfBirth: boolean): string {
  const { competition } = parts;
  const competitors = parts.competitors.map(({ record }) => {
    const text = JSON.stringify(publicCompetitor(record, competition.date, publishDateOfBirth));
    return publishDateOfBirth ? text : withoutBirthDates(text);
  });
  const revision = parts.units.reduce((last, unit) => Math.max(last, unit.revision), competition.revision);
  const members = [
    `"channels":${JSON.stringify({ overview: overviewChannel(competition) })}`,
    `"revision":${revision}`,
    `"competitors":[${competitors.join(',')}]`,
    `"teams":[${parts.teams.map(withoutBirthDates).join(',')}]`,
    `"relay_teams":[${parts.relayTeams.map(withoutBirthDates).join(',')}]`,
    `"events":[${eventTexts(parts).join(',')}]`,
  ];
  return `${openRecord(withoutBirthDates(competition.recordText))},${members.join(',')}}`;
}

type PartName = 'competitors' | 'teams' | 'relay_teams' | 'events';

/** The record with some of its parts, as JSON text; `everything` shows competitors as they were sent. */
export function recordWithParts(
  parts: Parts,
  include: PartName[],
  { everything, publishDateOfBirth }: { everything: boolean; publishDateOfBirth: boolean },
): string {
  const { competition } = parts;
  const shown = (texts: string[]) =>
    everything || publishDateOfBirth ? texts : texts.map(withoutBirthDates);
  const texts: Record<PartName, () => string[]> = {
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

function eventTexts({ events, units }: Parts): string[] {
  const byEvent = new Map<string, string[]>(events.map(({ eventId }) => [eventId, []]));
  for (const unit of units) byEvent.get(unit.eventId)?.push(unit.text);
  return events.map(
    ({ eventId, text }) =>
      `${withoutBirthDates(text).slice(0, -1)},"units":[${byEvent.get(eventId)!.join(',')}]}`,
  );
}
