// Places of a mirror: where the documents lie that show what a change is of. The feed is another host's word: no name of its
// leads out of the folder, or onto another's file. Pure.
import { covers } from '../countries.ts';

/** What a change says of where its object is. */
export type Located = {
  type: string;
  year: number;
  country_id: string;
  slug: string;
  event_id: string | null;
  round_no: number | null;
  heat_no: number | null;
};

/** Where the calendars are; everything else is at the address of its competition. */
export const CALENDARS = 'x';

const SLUG = /^(?!(?:json|csv|ics)$)[a-z0-9][a-z0-9_-]{0,79}$/;
// What file systems have in common.
const NAME_BYTES_MAX = 255;

/** The address of a competition; null when there can be none. */
export function addressOf({ year, country_id: country, slug }: Located): string | null {
  const known = /^\d{4}$/.test(String(year)) && /^[A-Z]{3}$/.test(country) && SLUG.test(slug);
  return known ? `x/${year}/${country}/${slug}` : null;
}

/** The place of an object below its competition; null of what has no document of its own. */
export function placeOf({ type, event_id: event, round_no: round, heat_no: heat }: Located): string | null {
  if (type === 'event') return `event/${event}`;
  return type === 'unit' ? `event/${event}/${round}/${heat}` : null;
}

/** Why nothing can be kept for an object within its competition; null when it can. */
export function faultOf({ type, event_id: event, round_no: round, heat_no: heat }: Located): string | null {
  if (event === null) return type === 'event' || type === 'unit' ? 'it names no event' : null;
  if (type === 'unit' && !(isCount(round) && isCount(heat))) return 'round and heat are no numbers';
  if (event === '' || /^\.+$/.test(event)) return 'an event of that name would be another folder';
  // A backslash separates folders elsewhere.
  if (/[/\\]/.test(event)) return 'the name of an event holds a slash';
  if (/[\p{Cc}\p{Cs}]/u.test(event)) return 'the name of an event holds what cannot be written';
  if (Buffer.byteLength(event) > NAME_BYTES_MAX) return 'the name of an event is too long for a folder';
  return null;
}

const isCount = (number: number | null) => Number.isInteger(number) && number! > 0;

/**
 * The places of all documents of a competition with these events and units. Of events whose names differ by case alone, which
 * are one folder on many disks, the first in the order of characters is kept.
 */
export function documentsOf(places: Iterable<string>): { documents: string[]; refused: Set<string> } {
  const spellings = new Map<string, string>();
  const refused = new Set<string>();
  const documents = new Set(['', 'overview']);
  for (const place of [...places].toSorted()) {
    const [, event = '', round] = place.split('/');
    const folded = event.normalize('NFC').toLowerCase();
    const kept = spellings.get(folded) ?? event;
    spellings.set(folded, kept);
    if (kept !== event) refused.add(event);
    else if (round === undefined) documents.add(place).add(`${place}/overview`);
    else documents.add(`event/${event}/${round}`).add(place);
  }
  return { documents: [...documents], refused };
}

/** Which documents show an object: besides those that show the revision of the whole, as overviews do. */
export function showing(object: Located): string[] {
  const { event_id: event, round_no: round } = object;
  if (event === null) return [];
  const place = placeOf(object);
  const ofEvent = `event/${event}`;
  return object.type === 'unit' && place !== null
    ? [place, `${ofEvent}/${round}`, ofEvent]
    : [ofEvent, roundsOf(ofEvent)];
}

const roundsOf = (event: string) => `${event}/*`;

/** Whether a document has to be asked for again, when these may show something else. */
export function isStale(document: string, stale: ReadonlySet<string>): boolean {
  const [, event, part, heat] = document.split('/');
  const showsRevision = event === undefined || part === 'overview';
  if (showsRevision || stale.has(document)) return true;
  return part !== undefined && heat === undefined && stale.has(roundsOf(`event/${event}`));
}

/** The calendars in which the competition at an address is, as places below `x`. */
export function calendarsOf(address: string): string[] {
  const [, year = '', country = ''] = address.split('/');
  const countries = covers('GBR', country) ? new Set([country, 'GBR']) : [country];
  return [year, ...Array.from(countries, (one) => `${year}/${one}`)];
}

/** The folder of a document below that of the mirror, which is also the path at which it is asked for. */
export const folderOf = (address: string, place: string): string =>
  [address, place, 'json'].filter((part) => part !== '').join('/');

export const urlPathOf = (folder: string): string => folder.split('/').map(encodeURIComponent).join('/');
