// The pages: the addresses of the public JSON without json/. Registered twice: at the root, and below a locale.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { contentHash } from '../content-hash.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { publicCacheControl, sendCached, sendStreamed } from '../http/cached-json.ts';
import { chosenEncoding } from '../http/encoding.ts';
import { countReads, type CountRead } from '../http/rate-limit.ts';
import { COMPETITION } from '../public-paths.ts';
import { addressOf, redirectFormer, redirectSpelling } from '../site/address.ts';
import type { Part } from '../site/documents/definition.ts';
import type { Documents } from '../site/documents-in-memory.ts';
import type { PageOfCompetition, PagePart, Query } from './definition.ts';
import { htmlOf, policyOf } from './frame/html.ts';
import type { Setting } from './frame/page.ts';
import { cardPage } from './card-page.tsx';
import { competitionPage } from './competition-page.tsx';
import { competitorPage } from './competitor-page.tsx';
import { competitorsPage } from './competitors-page.tsx';
import { competitionEmbed, unitEmbed } from './embed-page.tsx';
import { eventPage, roundPage } from './event-page.tsx';
import { competitionOverlay, unitOverlay } from './overlay-page.tsx';
import { SCREENS } from './screen-page.tsx';
import type { SettingOf } from './setting.ts';
import { unitPage } from './unit-page.tsx';

export const PAGES_OF_COMPETITIONS: PageOfCompetition[] = [
  competitionPage,
  competitorsPage,
  competitorPage,
  eventPage,
  roundPage,
  unitPage,
  cardPage,
  ...SCREENS,
  competitionOverlay,
  unitOverlay,
  competitionEmbed,
  unitEmbed,
];

type Options = {
  deps: Deps;
  documents: Documents;
  settingOf: SettingOf;
  /** Counts a read of an address; shared with the JSON beside the pages. */
  countRead: CountRead;
};

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Query }>;

export const pageRoutes: FastifyPluginAsync<Options> = async (app, options) => {
  const { deps, documents, settingOf, countRead } = options;
  const schema = { hide: true };
  const cacheControl = publicCacheControl(deps.config.EDGE_CACHE_SECONDS);
  countReads(app, countRead);
  for (const page of PAGES_OF_COMPETITIONS) {
    app.get(COMPETITION + page.path, { schema }, (request, reply) =>
      sendPage(page, request as Request, reply),
    );
  }

  /** Answers with a page, from memory when it was drawn before; or with where the competition lives now. */
  async function sendPage(page: PageOfCompetition, request: Request, reply: FastifyReply) {
    const asked = page.part(request.params, request.query);
    const address = addressOf(request.params as Parameters<typeof addressOf>[0]);
    if (redirectSpelling(request, reply, address)) return reply;
    const setting = settingOf(request, request.params['locale']);
    const part: Part = {
      key: `page ${setting.language} ${setting.origin} ${asked.key}`,
      atWill: !setting.isOwnOrigin || !isUsual(asked, page, request),
      madeFor: () =>
        contentHash([setting.language, setting.origin, setting.assetVersion].join(' ')).slice(0, 11),
      read: async (db, id) => drawn(await asked.read(db, id, address), setting),
    };
    const encoding = chosenEncoding(request.headers['accept-encoding']);
    const found = await documents.ofCompetition(
      { of: 'competition', reading: page.reading },
      { address, part },
      { naming: 'snake', encoding },
    );
    if (found === undefined) return redirectFormer(deps.reads, request, reply, address);
    if (found === null) throw new NotFound(`No such ${page.noun} in this competition`);
    void reply.header('content-security-policy', policyOf(setting.pushOrigin, page.framed ? '*' : undefined));
    if (page.framed) void reply.removeHeader('x-frame-options');
    const sending = { type: HTML, cacheControl };
    if (!('open' in found)) return sendCached(request, reply, found, sending);
    const sent = await sendStreamed(request, reply, { streamed: found, ...sending });
    if (!sent) throw new NotFound(`No such ${page.noun} in this competition`);
    return sent;
  }
};

const HTML = 'text/html; charset=utf-8';

/** Whether it is what the page shows without any wish; most readers name none. */
function isUsual(asked: PagePart, page: PageOfCompetition, { params, query }: Request): boolean {
  for (const _ in query) return asked.key === page.part(params, {}).key;
  return true;
}

function drawn(found: Awaited<ReturnType<PagePart['read']>>, setting: Setting) {
  return found && { pieces: [htmlOf(found.page, setting)], revision: found.revision };
}
