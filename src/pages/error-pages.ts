// Refusals as pages: where people look, and where a browser asks, the JSON of a refusal is replaced by a drawn page.
import { negotiate } from '@fastify/accept-negotiator';
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Deps } from '../deps.ts';
import { pathOf } from '../http/request-log.ts';
import { PAGE_PATH } from '../public-paths.ts';
import { shareQueries } from '../shared-queries.ts';
import { addressOf } from '../site/address.ts';
import { competitionKey } from '../site/documents/store.ts';
import { errorPage, hasErrorPage, type Nearby } from './error-page.tsx';
import { htmlOf, policyOf } from './frame/html.ts';
import type { SettingOf } from './setting.ts';
import { namesAt } from './store.ts';

type Options = { deps: Deps; settingOf: SettingOf };

/** To be registered before every route. Status and headers of a refusal stay. */
export const errorPages = fastifyPlugin(
  async (app: FastifyInstance, { deps, settingOf }: Options) => {
    const nameAt = shareQueries((keys) => namesAt(deps.reads, keys));

    async function draw(request: FastifyRequest, reply: FastifyReply): Promise<string> {
      const path = pathOf(request);
      const locale = /^\/+([^/]+)/.exec(path)?.[1];
      const setting = settingOf(request, locale === 'x' ? undefined : locale);
      const status = reply.statusCode;
      const nearby = status === 404 ? await competitionNear(path) : undefined;
      void reply.type('text/html; charset=utf-8').headers({
        'content-security-policy': policyOf(setting.pushOrigin),
        'cache-control': 'no-store',
      });
      return htmlOf(errorPage(status, setting, nearby), setting);
    }

    /** Without a database the page is there all the same. */
    async function competitionNear(path: string): Promise<Nearby | undefined> {
      const [year, country_id, slug] = path.replace(PAGE_PATH, '').split('/').filter(Boolean);
      if (!PAGE_PATH.test(path) || !year || !country_id || !slug) return undefined;
      try {
        const address = addressOf({ year, country_id, slug });
        const fullName = await nameAt(competitionKey(address));
        return fullName === undefined ? undefined : { address, fullName };
      } catch {
        return undefined;
      }
    }

    async function drawInstead(
      request: FastifyRequest,
      reply: FastifyReply,
      done: DoneFuncWithErrOrRes,
    ): Promise<void> {
      const page = await draw(request, reply).catch((error: Error) => error);
      if (page instanceof Error) done(page);
      else done(null, page);
    }

    // Not async: an answer that has not ended when its handler returns has Fastify listen for its end in many ways.
    app.addHook('onSend', (request, reply, payload, done) => {
      if (isRefusal(payload) && isPage(request, reply)) void drawInstead(request, reply, done);
      else done(null, payload);
    });
  },
  { name: 'error-pages' },
);

/** Others answer with these codes too: probes, of which a program reads the body. */
const isRefusal = (payload: unknown): payload is string =>
  typeof payload === 'string' && payload.startsWith('{"detail":');

/** For programs, whatever they accept. */
const FOR_PROGRAMS = /^\/+(?:api|apps|live)(?:\/|$)/;
const FILE_PATH = /(?:\/json|\.csv|\.ics)\/*$/;

/** Whether a refusal is for people. Says so when that depends on what the client accepts. */
function isPage(request: FastifyRequest, reply: FastifyReply): boolean {
  const path = pathOf(request);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!reads || !hasErrorPage(reply.statusCode) || FOR_PROGRAMS.test(path)) return false;
  if (PAGE_PATH.test(path)) return !FILE_PATH.test(path);
  void reply.header('vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', '));
  return prefersHtml(request.headers.accept);
}

/** Whoever takes anything takes JSON. */
export const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined &&
  negotiate(accept.replaceAll('*/*', JSON_TYPE), [JSON_TYPE, 'text/html']) === 'text/html';

const JSON_TYPE = 'application/json';
