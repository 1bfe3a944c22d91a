// Addresses of the data site: /[locale/]x/<year>/<country>/<slug>/…, in any accepted spelling of the country.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Address } from '../addresses.ts';
import { coveredBy, toIso } from '../countries.ts';
import type { Executor } from '../db/client.ts';
import { NotFound } from '../errors.ts';
import { type CalendarKey, movedTo } from './documents/store.ts';

type AddressParams = { year: string; country_id: string; slug: string };

/** The address of a path, canonical. @throws NotFound when it cannot be one */
export function addressOf({ year, country_id, slug }: AddressParams): Address {
  const countryId = toIso(country_id);
  const valid = /^\d{4}$/.test(year) && /^[a-z0-9][a-z0-9_-]{0,79}$/i.test(slug);
  if (!countryId || !valid) throw new NotFound('No competition at this address');
  return { year: Number(year), countryId, slug: slug.toLowerCase() };
}

type CalendarAddress = CalendarKey & { countryId?: string };

/** The calendar of a path: of a year, or of a country in it. @throws NotFound when it cannot be one */
export function calendarOf({ year, country_id }: { year: string; country_id?: string }): CalendarAddress {
  if (!/^\d{4}$/.test(year)) throw new NotFound('No calendar at this address');
  if (country_id === undefined) return { year: Number(year), countryIds: null };
  const countryId = toIso(country_id);
  if (!countryId) throw new NotFound(`No country ${country_id}`);
  return { year: Number(year), countryId, countryIds: coveredBy(countryId) };
}

type Spelled = { year: number; countryId?: string; slug?: string };

/** Redirects another spelling of the address to the canonical one. @returns whether it did */
export function redirectSpelling(request: FastifyRequest, reply: FastifyReply, address: Spelled): boolean {
  const { country_id, slug } = request.params as Partial<AddressParams>;
  if (country_id === address.countryId && slug === address.slug) return false;
  void redirectTo(request, reply, address);
  return true;
}

/** Redirects a former address to the present one. @throws NotFound when nothing ever lived here */
export async function redirectFormer(
  db: Executor,
  request: FastifyRequest,
  reply: FastifyReply,
  address: Address,
): Promise<FastifyReply> {
  const present = await movedTo(db, address);
  if (!present) throw new NotFound('No competition at this address');
  return redirectTo(request, reply, present);
}

// Locale, rest of the path and query stay as they were asked for. Made from the route and its segments: what was sent may name
// another host, or spell the path so that it is another elsewhere.
function redirectTo(request: FastifyRequest, reply: FastifyReply, to: Spelled): FastifyReply {
  const { year, countryId, slug } = to;
  const segments: Record<string, unknown> = {
    ...(request.params as object),
    year,
    country_id: countryId,
    ...(slug !== undefined && { slug }),
  };
  const [asked = '', query = ''] = splitOnce(request.url, '?');
  const path = (request.routeOptions.url ?? '').replace(/:(\w+)(\([^)]*\))?/g, (_, name: string) =>
    encodeURIComponent(String(segments[name])),
  );
  const last = asked.endsWith('/') ? '/' : '';
  const search = new URLSearchParams(query).toString();
  return reply.redirect(`${path}${last}${search && `?${search}`}`, 308);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
