// The entrance and the calendars. They depend on the clock and the query: each is drawn from what the database says just then.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { publicCacheControl, represent, type Representation, sendCached } from '../http/cached-json.ts';
import { chosenEncoding } from '../http/encoding.ts';
import { countReads, type CountRead } from '../http/rate-limit.ts';
import { LOCALE_PREFIX } from '../public-paths.ts';
import { createSemaphore } from '../semaphore.ts';
import { shareQueries } from '../shared-queries.ts';
import { calendarOf, redirectSpelling } from '../site/address.ts';
import { createCache } from '../site/cache.ts';
import { readCalendar } from './calendar.ts';
import { calendarPage } from './calendar-page.tsx';
import { entrancePage } from './entrance-page.tsx';
import { type Entrance, readEntrance, searchByName, searchText } from './entrance.ts';
import { htmlOf, policyOf } from './frame/html.ts';
import type { Page, Setting } from './frame/page.ts';
import { LANGUAGE_TAGS } from './locales/languages.ts';
import type { SettingOf } from './setting.ts';

type Options = {
  deps: Deps;
  settingOf: SettingOf;
  /** Counts a read of an address; shared with the JSON beside the pages. */
  countRead: CountRead;
};

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>;

// Of an address without /x/ only a language that we speak is one: /news is no locale.
export const IN_LANGUAGE = `/:locale(^(?:${[...LANGUAGE_TAGS, 'no', 'nn'].join('|')})(?![A-Za-z0-9])[A-Za-z0-9_-]{0,15}$)`;

// Searches and calendars read much of the index of the competitions.
const READERS_AT_A_TIME = 2;
const KEPT_BYTES = 4 * 1024 * 1024;
// By names of the host that only clients know.
const KEPT_BYTES_OF_OTHERS = KEPT_BYTES / 4;

export const frontRoutes: FastifyPluginAsync<Options> = async (app, options) => {
  const { deps, settingOf, countRead } = options;
  const { reads, now, config } = deps;
  const cacheControl = publicCacheControl(config.EDGE_CACHE_SECONDS);
  const inTurn = createSemaphore(READERS_AT_A_TIME);
  // However many ask, one query at a time; and one drawing for all who see the same.
  const entranceNow = shareQueries(async ([key]) => new Map([[key!, await readEntrance(reads, now())]]));
  const drawn = {
    own: createCache<Representation>(KEPT_BYTES),
    other: createCache<Representation>(KEPT_BYTES_OF_OTHERS),
  };
  const schema = { hide: true };
  countReads(app, countRead);
  for (const path of ['/', IN_LANGUAGE]) {
    app.get(path, { schema }, (request, reply) => sendEntrance(request as Request, reply));
  }
  for (const prefix of ['', LOCALE_PREFIX]) {
    for (const path of [`${prefix}/x/:year`, `${prefix}/x/:year/:country_id`]) {
      app.get(path, { schema }, (request, reply) => sendCalendar(request as Request, reply));
    }
  }

  const settingFor = (request: Request): Setting => settingOf(request, request.params['locale']);

  async function sendEntrance(request: Request, reply: FastifyReply) {
    const setting = settingFor(request);
    const entrance = (await entranceNow(ENTRANCE))!;
    const text = searchText(request.query['q']);
    if (text === '')
      return send(request, reply, {
        setting,
        representation: await keptEntrance(request, entrance, setting),
      });
    const competitions = await inTurn(() => searchByName(reads, text, now()));
    return sendPage(request, reply, {
      setting,
      page: entrancePage(entrance, { text, competitions }, setting),
    });
  }

  async function keptEntrance(
    request: Request,
    entrance: Entrance,
    setting: Setting,
  ): Promise<Representation> {
    const encoding = chosenEncoding(request.headers['accept-encoding']);
    const version = JSON.stringify(entrance);
    const cache = setting.isOwnOrigin ? drawn.own : drawn.other;
    const kept = await cache.get(`${setting.language} ${setting.origin} ${encoding}`, version, async () => {
      const document = await represent([htmlOf(entrancePage(entrance, null, setting), setting)], encoding);
      return { document, version, bytes: document.body.length + 2 * version.length };
    });
    return kept!;
  }

  async function sendCalendar(request: Request, reply: FastifyReply) {
    const calendar = calendarOf(request.params as Parameters<typeof calendarOf>[0]);
    if (redirectSpelling(request, reply, calendar)) return reply;
    const setting = settingFor(request);
    const content = await inTurn(() => readCalendar(reads, calendar, { query: request.query, now: now() }));
    return sendPage(request, reply, { setting, page: calendarPage(content, setting) });
  }

  async function sendPage(
    request: Request,
    reply: FastifyReply,
    { page, setting }: { page: Page; setting: Setting },
  ) {
    const encoding = chosenEncoding(request.headers['accept-encoding']);
    const representation = await represent([htmlOf(page, setting)], encoding);
    return send(request, reply, { setting, representation });
  }

  function send(
    request: Request,
    reply: FastifyReply,
    { setting, representation }: { setting: Setting; representation: Representation },
  ) {
    void reply.header('content-security-policy', policyOf(setting.pushOrigin));
    return sendCached(request, reply, representation, { type: HTML, cacheControl });
  }
};

const ENTRANCE = 'entrance';
const HTML = 'text/html; charset=utf-8';
