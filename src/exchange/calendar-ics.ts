// Calendars for telephones and mail programs: iCalendar, RFC 5545. Pure.

export type CalendarEntry = {
  id: string;
  name: string;
  /** YYYY-MM-DD, both inclusive. */
  firstDay: string;
  lastDay: string;
  location: string;
  /** Latitude and longitude. */
  place: [number, number] | null;
  url: string | null;
  description: string;
  /** Grows with every change. */
  revision: number;
  changedAt: Date;
  cancelled: boolean;
};

type Calendar = { name: string; host: string };

/** The calendar in pieces, one for each entry. */
export function* calendarPieces(
  { name, host }: Calendar,
  entries: Iterable<CalendarEntry>,
): Iterable<string> {
  yield lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//athletics-data-service//calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${text(name)}`,
    `X-WR-CALNAME:${text(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    'X-PUBLISHED-TTL:PT12H',
  ]);
  for (const entry of entries) yield lines(eventLines(entry, host));
  yield lines(['END:VCALENDAR']);
}

function eventLines(entry: CalendarEntry, host: string): string[] {
  const { id, name, firstDay, lastDay, location, place, url, description, revision, changedAt } = entry;
  return [
    'BEGIN:VEVENT',
    `UID:${id}@${host}`,
    `DTSTAMP:${instant(changedAt)}`,
    `LAST-MODIFIED:${instant(changedAt)}`,
    `SEQUENCE:${revision % MOST}`,
    `DTSTART;VALUE=DATE:${compact(firstDay)}`,
    // The first day on which it is over.
    `DTEND;VALUE=DATE:${compact(dayAfter(lastDay))}`,
    `SUMMARY:${text(name)}`,
    ...(location ? [`LOCATION:${text(location)}`] : []),
    ...(place ? [`GEO:${place.map((degrees) => degrees.toFixed(6)).join(';')}`] : []),
    ...(url ? [`URL:${oneLine(url)}`] : []),
    ...(description ? [`DESCRIPTION:${text(description)}`] : []),
    `STATUS:${entry.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    // Whoever subscribes is not busy for that.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

// RFC 5545 3.3.8: integers have 32 bits.
const MOST = 2_147_483_648;

const compact = (day: string): string => day.replaceAll('-', '');

const instant = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const DAY_MS = 24 * 3600 * 1000;
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

// Control characters have no escape: RFC 5545 3.1.
const text = (value: string): string =>
  value
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll(/(?!\t)\p{Cc}/gu, '');

const oneLine = (value: string): string => value.replaceAll(/[\p{Cc}\s]/gu, '');

const lines = (content: string[]): string => content.map((one) => `${folded(one)}\r\n`).join('');

const OCTETS = 75;
const encoder = new TextEncoder();

/** A line of at most 75 octets, continued on others that begin with a blank; no character is divided. */
function folded(content: string): string {
  if (content.length * 3 <= OCTETS) return content;
  const parts: string[] = [];
  let [part, octets] = ['', 0];
  for (const character of content) {
    const size = encoder.encode(character).length;
    if (octets + size > OCTETS) {
      parts.push(part);
      [part, octets] = ['', 1];
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n ');
}
