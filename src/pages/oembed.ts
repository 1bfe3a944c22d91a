// oEmbed: the frame in which another site shows a page of ours, for programs that know only its address. Registered under /oembed.
import type { FastifyPluginAsync } from 'fastify';
import type { Address } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import { Invalid, NotFound } from '../errors.ts';
import { NOT_KEPT, type OriginOf } from '../http/asked-origin.ts';
import { refuse } from '../http/errors.ts';
import { pathNumber } from '../http/path.ts';
import { countReads, type CountRead } from '../http/rate-limit.ts';
import { addressOf } from '../site/address.ts';
import { competitionPath, unitPath } from './definition.ts';
import { spokenLanguage } from './locales/languages.ts';
import { readTitle } from './store.ts';
import { escaped } from './components/escaped.ts';
import { within } from './unit/asked.ts';

type Options = { deps: Deps; originOf: OriginOf; countRead: CountRead };
type Query = Record<string, string | undefined>;

// As large as a unit of eight usually is.
const WIDTH = { least: 200, most: 2000, usual: 640 };
const HEIGHT = { least: 100, most: 4000, usual: 480 };

export const oembedRoutes: FastifyPluginAsync<Options> = async (app, { deps, originOf, countRead }) => {
  countReads(app, countRead);
  app.get<{ Querystring: Query }>('/', { schema: { hide: true } }, async (request, reply) => {
    const { query } = request;
    if ((query['format'] || 'json') !== 'json')
      return refuse(request, reply, { status: 501, detail: 'Only format=json is spoken here' });
    const origin = originOf(request);
    const page = pageAt(query['url'], origin);
    const title = await readTitle(deps.reads, page);
    if (title === null) throw new NotFound('No page at this url');
    // Links name the host that was asked.
    void reply.headers(NOT_KEPT);
    return embedding({ title, origin, page, query });
  });
};

type Embedded = {
  prefix: string;
  address: Address;
  unit?: { eventId: string; round: number; heat: number };
};

const PAGE =
  /^(?:\/([a-z]{2,3}[A-Za-z0-9_-]{0,14}))?\/x\/(\d{4})\/([A-Za-z]{2,3})\/([^/]+)(?:\/event\/([^/]+)\/(\d+)\/(\d+))?\/?$/;

/** The page that an address leads to. @throws NotFound when it is none of ours, or none that is shown elsewhere */
function pageAt(text: string | undefined, origin: string): Embedded {
  if (!text) throw new Invalid([{ loc: ['query', 'url'], msg: 'The address of a page', type: 'missing' }]);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const [, locale, year, country, slug, event, round, heat] =
    (url?.origin === origin && PAGE.exec(url.pathname)) || [];
  if (year === undefined) throw new NotFound('No page of this service at this url');
  const language = locale && spokenLanguage(locale);
  return {
    prefix: language ? `/${language}` : '',
    address: addressOf({ year, country_id: country!, slug: decoded(slug!) }),
    ...(event !== undefined && {
      unit: { eventId: decoded(event), round: pathNumber(round, 'unit'), heat: pathNumber(heat, 'unit') },
    }),
  };
}

function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    // No stored name holds it, and the database refuses to be asked.
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8: it names nothing.
  }
  throw new NotFound('No page of this service at this url');
}

type Embedding = { title: string; origin: string; page: Embedded; query: Query };

function embedding({ title, origin, page, query }: Embedding) {
  const { prefix, address, unit } = page;
  const path = unit ? unitPath(address, unit) : competitionPath(address);
  const width = sized(query['maxwidth'], WIDTH);
  const height = sized(query['maxheight'], HEIGHT);
  const source = escaped(`${origin}${prefix}${path}embed/`);
  return {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: 'Athletics',
    provider_url: `${origin}/`,
    width,
    height,
    html: `<iframe src="${source}" title="${escaped(title)}" width="${width}" height="${height}" frameborder="0" loading="lazy"></iframe>`,
  };
}

/** As large as usual, where that is not more than the asker has room for. */
const sized = (most: string | undefined, bounds: typeof WIDTH): number =>
  Math.trunc(Math.min(within(most, { ...bounds, least: 1 }), bounds.usual));
