// Files for search engines: robots.txt, and the sitemap with every public page.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import type { OriginOf } from '../http/asked-origin.ts';
import { publicCacheControl, represent, sendCached } from '../http/cached-json.ts';
import { chosenEncoding } from '../http/encoding.ts';
import { countReads, type CountRead } from '../http/rate-limit.ts';
import { createSemaphore } from '../semaphore.ts';
import { escaped } from './components/escaped.ts';
import { addressesOf, type CalendarCount, countCalendars } from './sitemap-store.ts';

type Options = { deps: Deps; countRead: CountRead; originOf: OriginOf };

/** sitemaps.org: a file has at most so many addresses. */
const MOST_URLS = 50_000;

// Pages that are not for search engines, and what is no page.
const ROBOTS = [
  'User-agent: *',
  'Disallow: /api/',
  'Disallow: /manage/',
  'Disallow: /sign-in',
  'Disallow: /*?q=',
  ...['screen', 'overlay', 'embed', 'card'].flatMap((page) => [
    `Disallow: /x/*/*/*/${page}/`,
    `Disallow: /*/x/*/*/*/${page}/`,
  ]),
];

export const sitemapRoutes: FastifyPluginAsync<Options> = async (app, { deps, countRead, originOf }) => {
  const { reads, config } = deps;
  const inTurn = createSemaphore(1);
  const schema = { hide: true };
  const cacheControl = publicCacheControl(config.EDGE_CACHE_SECONDS);
  countReads(app, countRead);

  async function send(request: FastifyRequest, reply: FastifyReply, { type, pieces }: Text) {
    const encoding = chosenEncoding(request.headers['accept-encoding']);
    const representation = await represent(pieces, encoding);
    return sendCached(request, reply, representation, { type, cacheControl });
  }

  app.get('/robots.txt', { schema }, (request, reply) => {
    const lines = [...ROBOTS, '', `Sitemap: ${originOf(request)}/sitemap.xml`, ''];
    return send(request, reply, { type: 'text/plain; charset=utf-8', pieces: [lines.join('\n')] });
  });
  app.get('/sitemap.xml', { schema }, async (request, reply) => {
    const pieces = indexOf(originOf(request), await inTurn(() => countCalendars(reads)));
    return send(request, reply, { type: XML, pieces });
  });
  app.get('/sitemap/:part', { schema }, (request, reply) =>
    inTurn(async () => {
      const pieces = await partOf((request.params as { part: string }).part, originOf(request));
      return send(request, reply, { type: XML, pieces });
    }),
  );

  /** @throws NotFound when there is no such part */
  async function partOf(name: string, origin: string): Promise<Iterable<string>> {
    if (name === CALENDARS) return calendarsOf(origin, await countCalendars(reads));
    const [, year, number] = /^(\d{4})-([1-9]\d{0,3})\.xml$/.exec(name) ?? [];
    const asked = { year: Number(year), limit: MOST_URLS, offset: (Number(number) - 1) * MOST_URLS };
    const addresses = year === undefined ? [] : await addressesOf(reads, asked);
    if (addresses.length === 0) throw new NotFound('No such part of the sitemap');
    return pages(
      origin,
      addresses.map(({ countryId, slug }) => `/x/${year}/${countryId}/${slug}/`),
    );
  }
};

type Text = { type: string; pieces: Iterable<string> };

const XML = 'application/xml; charset=utf-8';
const CALENDARS = 'calendars.xml';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** The entrance and the calendars in one part, the competitions of each year in as many as they need. */
function* indexOf(origin: string, counts: CalendarCount[]): Iterable<string> {
  const part = (name: string) => `<sitemap><loc>${escaped(origin)}/sitemap/${name}</loc></sitemap>\n`;
  yield `${HEAD}<sitemapindex ${NAMESPACE}>\n${part(CALENDARS)}`;
  for (const [year, count] of byYear(counts)) {
    for (let number = 1; (number - 1) * MOST_URLS < count; number++) yield part(`${year}-${number}.xml`);
  }
  yield '</sitemapindex>\n';
}

function byYear(counts: CalendarCount[]): Map<number, number> {
  const years = new Map<number, number>();
  for (const { year, count } of counts) years.set(year, (years.get(year) ?? 0) + count);
  return years;
}

function calendarsOf(origin: string, counts: CalendarCount[]): Iterable<string> {
  const years = [...byYear(counts).keys()].map((year) => `/x/${year}/`);
  const countries = counts.map(({ year, countryId }) => `/x/${year}/${countryId}/`);
  return pages(origin, ['/', ...years, ...countries].slice(0, MOST_URLS));
}

function* pages(origin: string, paths: string[]): Iterable<string> {
  yield `${HEAD}<urlset ${NAMESPACE}>\n`;
  for (const path of paths) yield `<url><loc>${escaped(origin + path)}</loc></url>\n`;
  yield '</urlset>\n';
}
