// The schema.org data of a competition: a SportsEvent, each event of it one as well. Pure.
import type { Address } from '../addresses.ts';
import type { CompetitionRecord } from './competition-record.ts';
import { competitionPath, eventPath } from './definition.ts';
import type { Setting } from './frame/page.ts';
import { pathIn } from './frame/language-menu.tsx';
import type { ListedEvent } from './unit/heads.ts';
import { datesFrom } from './unit/timetable.ts';

type Linked = { record: CompetitionRecord; date: string; finishDate: string; events: ListedEvent[] };

/** Place and organizer only as far as the record has them. */
export function linkedCompetition(
  { record, date, finishDate, events }: Linked,
  address: Address,
  setting: Setting,
): object {
  const urlOf = (path: string) => setting.origin + pathIn(setting.language, path, setting);
  const location = locationOf(record);
  const dateOf = datesFrom(date);
  return {
    '@context': 'https://schema.org',
    '@type': 'SportsEvent',
    name: record.full_name,
    sport: 'Athletics',
    startDate: date,
    endDate: finishDate,
    eventStatus: statusOf(events.flatMap(({ units }) => units)),
    ...(location && { location }),
    // The record knows its organiser by a number alone.
    ...(record.organiser_id && {
      organizer: { '@type': 'Organization', identifier: record.organiser_id },
    }),
    url: urlOf(competitionPath(address)),
    subEvent: events.map((event) => ({
      '@type': 'SportsEvent',
      name: event.title,
      startDate: event.units.map(dateOf).sort()[0] ?? date,
      eventStatus: statusOf(event.units),
      ...(location && { location }),
      url: urlOf(eventPath(address, event.eventId)),
    })),
  };
}

/** Called off is what is called off whole. */
function statusOf(units: { state: string }[]): string {
  const all = (state: string) => units.length > 0 && units.every((unit) => unit.state === state);
  if (all('cancelled')) return 'https://schema.org/EventCancelled';
  return all('postponed') ? 'https://schema.org/EventPostponed' : 'https://schema.org/EventScheduled';
}

function locationOf({
  address,
  city,
  country_id,
  latitude,
  longitude,
}: CompetitionRecord): object | undefined {
  const located = typeof latitude === 'number' && typeof longitude === 'number';
  if (!address && !city && !located) return undefined;
  return {
    '@type': 'Place',
    ...(city && { name: city }),
    address: {
      '@type': 'PostalAddress',
      ...(address && { streetAddress: address }),
      ...(city && { addressLocality: city }),
      addressCountry: country_id,
    },
    ...(located && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
  };
}
