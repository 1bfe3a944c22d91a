// Names of push channels, and the way back from a unit's channel to its page. Publisher, pages and documents all ask here. Pure.
import { createHash } from 'node:crypto';
import type { Address, UnitKey } from '../addresses.ts';

// Push servers allow letters, digits and _-=@,.; in names. "=" is left out here because it introduces an escape.
const VERBATIM = /^[A-Za-z0-9_@,.;-]{1,48}$/;
const ALLOWED_BYTE = /[A-Za-z0-9_@,.;-]/;
const ESCAPED_LENGTH_MAX = 48;
const CUT_LENGTH = 32;
const HASH_LENGTH = 12;

export function channelRoot({ year, countryId, slug }: Address): string {
  return `x-${year}-${countryId}-${slug}`;
}

export function overviewChannel(address: Address): string {
  return `${channelRoot(address)}-overview`;
}

/** At most 164 characters, the limit of hosted push services, for slugs of up to 80 characters. */
export function unitChannel(address: Address, unit: UnitKey): string {
  return channelRoot(address) + unitSuffix(unit);
}

/**
 * Path of the unit's JSON, recovered from the channel it is pushed on.
 * @returns undefined when the channel is not one of this unit
 */
export function unitPath(channel: string, unit: UnitKey): string | undefined {
  const suffix = unitSuffix(unit);
  if (!channel.endsWith(suffix)) return undefined;
  // Only the slug may contain hyphens, and it comes last.
  const root = /^x-(\d+)-([A-Za-z]+)-(.+)$/.exec(channel.slice(0, -suffix.length));
  if (!root) return undefined;
  const [, year, countryId, slug] = root;
  return `/x/${year}/${countryId}/${slug}/event/${encodeURIComponent(unit.eventId)}/${unit.round}/${unit.heat}/json/`;
}

function unitSuffix({ eventId, round, heat }: UnitKey): string {
  return `-overview-${escapeEventId(eventId)}-${round}-${heat}`;
}

function escapeEventId(eventId: string): string {
  if (VERBATIM.test(eventId)) return eventId;
  const escaped = Array.from(Buffer.from(eventId, 'utf8'), escapeByte);
  const whole = escaped.join('');
  if (whole.length <= ESCAPED_LENGTH_MAX) return whole;
  const hash = createHash('sha256').update(eventId, 'utf8').digest('hex').slice(0, HASH_LENGTH);
  return `${cut(escaped)}-${hash}`;
}

function escapeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  return ALLOWED_BYTE.test(char) ? char : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

// An escape is kept whole or left out: half of one would read as another name.
function cut(parts: string[]): string {
  let text = '';
  for (const part of parts) {
    if (text.length + part.length > CUT_LENGTH) break;
    text += part;
  }
  return text;
}
