// Calendars to subscribe to: of a year, of a country in it, of one competition; with what was deleted lately as cancelled.
import { z } from 'zod';
import { type CalendarEntry, calendarPieces } from '../../exchange/calendar-ics.ts';
import { COMPETITION } from '../../public-paths.ts';
import {
  competitionOfCalendar,
  competitionsOfCalendar,
  deletedOfCalendar,
  type Listed,
} from './calendar-store.ts';
import type { DocumentOfCalendar, DocumentOfCompetition } from './definition.ts';
import { type CalendarKey, calendarKey, calendarVersions, readVersion } from './store.ts';

const shape = z.string().meta({
  description: 'RFC 5545, all-day events; a deleted competition stays for 30 days as CANCELLED',
  example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…END:VCALENDAR\r\n',
});

const ICS = { type: 'text/calendar; charset=utf-8', query: z.object({}), schema: shape };

const nameOf = ({ year, countryId }: CalendarKey & { countryId?: string }): string =>
  `Athletics ${[year, countryId].filter((part) => part !== undefined).join(' ')}`;

const ofYears: Pick<DocumentOfCalendar, 'of' | 'reading' | 'empty' | 'read'> = {
  of: 'calendar',
  reading: 'snapshot, in turn',
  empty: (calendar) => [...calendarPieces({ name: nameOf(calendar), host: '' }, [])],
  async read(db, calendar, { baseUrl }) {
    const key = calendarKey(calendar);
    const revision = (await calendarVersions(db, [key])).get(key)!;
    const listed = [
      ...(await competitionsOfCalendar(db, calendar)),
      ...(await deletedOfCalendar(db, calendar)),
    ];
    return { pieces: piecesOf(nameOf(calendar), listed, baseUrl), revision };
  },
};

export const yearCalendarFile: DocumentOfCalendar = {
  ...ICS,
  ...ofYears,
  path: '/x/:year/calendar.ics',
  operationId: 'readYearCalendarFile',
  summary: 'The competitions of a year, to subscribe to',
};

export const countryCalendarFile: DocumentOfCalendar = {
  ...ICS,
  ...ofYears,
  path: '/x/:year/:country_id/calendar.ics',
  operationId: 'readCountryCalendarFile',
  summary: 'The competitions of a country in a year, to subscribe to',
};

export const competitionCalendarFile: DocumentOfCompetition = {
  ...ICS,
  of: 'competition',
  noun: 'calendar',
  path: `${COMPETITION}/calendar.ics`,
  operationId: 'readCompetitionCalendarFile',
  summary: 'One competition, to subscribe to',
  reading: 'snapshot',
  part: () => ({
    key: 'calendar.ics',
    async read(db, id, { baseUrl }) {
      const version = await readVersion(db, id);
      const listed = await competitionOfCalendar(db, id);
      if (!version || !listed) return null;
      return { pieces: piecesOf(listed.name, [listed], baseUrl), revision: version.revision };
    },
  }),
  async gone(db, { year, countryId, slug }, { baseUrl }) {
    const deleted = await deletedOfCalendar(db, { year, countryIds: [countryId] }, slug);
    const last = deleted.at(-1);
    return last ? { pieces: piecesOf(last.name, [last], baseUrl), revision: String(last.revision) } : null;
  },
};

function* piecesOf(name: string, listed: Listed[], baseUrl: string): Iterable<string> {
  yield* calendarPieces({ name, host: new URL(baseUrl).hostname }, entriesOf(listed, baseUrl));
}

function* entriesOf(listed: Listed[], baseUrl: string): Iterable<CalendarEntry> {
  for (const one of listed) {
    const { latitude, longitude, year, countryId, slug } = one;
    const known = latitude !== null && longitude !== null && (latitude !== 0 || longitude !== 0);
    yield {
      ...one,
      location: [one.address, one.city].filter(Boolean).join(', '),
      place: known ? [latitude, longitude] : null,
      url: one.cancelled ? null : `${baseUrl.replace(/\/$/, '')}/x/${year}/${countryId}/${slug}/`,
      description: [one.description, one.website].filter(Boolean).join('\n\n'),
    };
  }
}
