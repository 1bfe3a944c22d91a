// The public data site. Registered twice: at the root, and below a locale.
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { sendPublicJson } from '../http/cached-json.ts';
import { pathNumber } from '../http/path.ts';
import { addressKey } from '../http/rate-limit.ts';
import { refusals } from '../http/schemas.ts';
import { addressOf, redirectFormer, redirectSpelling } from './address.ts';
import { CompetitionDocument, UnitDocument } from './schemas.ts';
import { unitTextAt, wholeCompetition } from './store.ts';
import { competitionDocument } from './views.ts';

const CompetitionPath = z.object({
  year: z.string().meta({ example: '2026' }),
  country_id: z.string().meta({ example: 'GBR' }),
  slug: z.string().meta({ example: 'harbour-town-open' }),
});
const UnitPath = CompetitionPath.extend({
  event_id: z.string().meta({ example: 'F1' }),
  round_no: z.string().meta({ example: '1' }),
  heat_no: z.string().meta({ example: '1' }),
});

const withoutBody = {
  304: z.null().describe('Not changed since the ETag of If-None-Match'),
  308: z.null().describe('Lives at another address: an earlier slug, country or year, or another spelling'),
};

type Options = {
  deps: Deps;
  /** Counts a read of an address; shared by both registrations. */
  countRead: (address: string) => void;
  hidden?: boolean;
};

export const siteRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, countRead, hidden }) => {
  app.addHook('onRequest', async (request) => countRead(addressKey(request.ip)));
  const description = 'A locale may come first: /en/x/…, /nb-no/x/…';
  const shared = { tags: ['data site'], description, security: [], hide: hidden ?? false };

  app.get(
    '/x/:year/:country_id/:slug/json',
    {
      schema: {
        ...shared,
        summary: 'A whole competition: record, competitors, teams, events, units and results',
        params: CompetitionPath,
        response: { 200: CompetitionDocument, ...withoutBody, ...refusals(404, 429) },
      },
    },
    async (request, reply) => {
      const address = addressOf(request.params);
      if (redirectSpelling(request, reply, address)) return reply;
      const parts = await wholeCompetition(deps.db, address);
      if (!parts) return redirectFormer(deps.db, request, reply, address);
      return sendPublicJson(request, reply, competitionDocument(parts, deps.config.PUBLISH_DATE_OF_BIRTH));
    },
  );

  app.get(
    '/x/:year/:country_id/:slug/event/:event_id/:round_no/:heat_no/json',
    {
      schema: {
        ...shared,
        summary: 'One unit: byte for byte the payload of its last unit event',
        params: UnitPath,
        response: { 200: UnitDocument, ...withoutBody, ...refusals(404, 429) },
      },
    },
    async (request, reply) => {
      const address = addressOf(request.params);
      if (redirectSpelling(request, reply, address)) return reply;
      const { event_id: eventId, round_no, heat_no } = request.params;
      const unit = { eventId, round: pathNumber(round_no, 'unit'), heat: pathNumber(heat_no, 'unit') };
      const text = await unitTextAt(deps.db, address, unit);
      if (text === undefined) return redirectFormer(deps.db, request, reply, address);
      if (text === null) throw new NotFound('No such unit in this competition');
      return sendPublicJson(request, reply, text);
    },
  );
};
