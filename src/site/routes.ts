// The public data site. Registered twice: at the root, and below a locale.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { CompetitionRecord } from '../competitions/schemas.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { sendPublicJson } from '../http/cached-json.ts';
import { chosenEncoding } from '../http/encoding.ts';
import { pathNumber } from '../http/path.ts';
import { addressKey } from '../http/rate-limit.ts';
import { refusals } from '../http/schemas.ts';
import { validatorCompiler } from '../http/validation.ts';
import { addressOf, calendarOf, redirectFormer, redirectSpelling } from './address.ts';
import type { Documents, Wanted } from './documents.ts';
import {
  CompetitionDocument,
  CompetitorDocument,
  EventDocument,
  NamingQuery,
  UnitDocument,
} from './schemas.ts';
import type { View } from './views.ts';

type Params = Record<string, string>;
type Request = FastifyRequest<{ Params: Params; Querystring: NamingQuery }>;
type Page = { path: string; summary: string; document: z.ZodType };

const CALENDARS: Page[] = [
  {
    path: '/x/:year/json',
    summary: 'The competitions of a year',
    document: z.array(CompetitionRecord),
  },
  {
    path: '/x/:year/:country_id/json',
    summary: 'The competitions of a country in a year; GBR includes the home nations',
    document: z.array(CompetitionRecord),
  },
];

const COMPETITION = '/x/:year/:country_id/:slug';

const VIEWS: (Page & { view: (params: Params) => View })[] = [
  {
    path: `${COMPETITION}/json`,
    summary: 'A whole competition: record, competitors, teams, events, units and results',
    document: CompetitionDocument,
    view: () => ({ kind: 'whole' }),
  },
  {
    path: `${COMPETITION}/event/:event_id/json`,
    summary: 'One event with its units',
    document: EventDocument,
    view: ({ event_id }) => ({ kind: 'event', eventId: event_id! }),
  },
  {
    path: `${COMPETITION}/event/:event_id/:round_no/json`,
    summary: 'One event with the units of one round',
    document: EventDocument,
    view: ({ event_id, round_no }) => ({
      kind: 'event',
      eventId: event_id!,
      round: pathNumber(round_no, 'round'),
    }),
  },
  {
    path: `${COMPETITION}/event/:event_id/:round_no/:heat_no/json`,
    summary: 'One unit: byte for byte the payload of its last unit event, unless in camelCase',
    document: UnitDocument,
    view: ({ event_id, round_no, heat_no }) => ({
      kind: 'unit',
      eventId: event_id!,
      round: pathNumber(round_no, 'unit'),
      heat: pathNumber(heat_no, 'unit'),
    }),
  },
  {
    path: `${COMPETITION}/competitor/:competitor_id/json`,
    summary: 'One competitor with their results, those of their relay teams among them',
    document: CompetitorDocument,
    view: ({ competitor_id }) => ({ kind: 'competitor', competitorId: competitor_id! }),
  },
];

type Options = {
  deps: Deps;
  documents: Documents;
  /** Counts a read of an address; shared by both registrations. */
  countRead: (address: string) => void;
  hidden?: boolean;
};

export const siteRoutes: FastifyPluginAsync<Options> = async (app, options) => {
  const { deps, documents, countRead, hidden = false } = options;
  if (deps.config.RATE_LIMIT_READ > 0) {
    app.addHook('onRequest', (request, _reply, done) => {
      countRead(addressKey(request.ip));
      done();
    });
  }
  app.setValidatorCompiler(validateQuery);

  const wanted = ({ query, headers }: Request): Wanted => ({
    naming: query.case ?? deps.config.DATA_SITE_CASE,
    encoding: chosenEncoding(headers['accept-encoding']),
  });

  for (const page of CALENDARS) {
    app.get(page.path, { schema: schemaOf(page, hidden) }, async (request: Request, reply) => {
      const calendar = calendarOf(request.params as CalendarParams);
      if (redirectSpelling(request, reply, calendar)) return reply;
      return sendPublicJson(request, reply, await documents.ofCalendar(calendar, wanted(request)));
    });
  }

  for (const page of VIEWS) {
    app.get(page.path, { schema: schemaOf(page, hidden) }, (request: Request, reply) =>
      send(request, reply, page.view(request.params)),
    );
  }

  /** Answers with a view of the competition that the path names, or with where it lives now. */
  async function send(request: Request, reply: FastifyReply, view: View): Promise<FastifyReply> {
    const address = addressOf(request.params as AddressParams);
    if (redirectSpelling(request, reply, address)) return reply;
    const document = await documents.ofCompetition(address, view, wanted(request));
    if (document === undefined) return redirectFormer(deps.db, request, reply, address);
    if (document === null) throw new NotFound(`No such ${view.kind} in this competition`);
    return sendPublicJson(request, reply, document);
  }
};

// The segments of the path are judged as an address, and most reads ask for nothing else.
const validateQuery: FastifySchemaCompiler<z.ZodType> = (route) => {
  if (route.httpPart !== 'querystring') return (value) => ({ value });
  const validateIt = validatorCompiler(route);
  return (value: Record<string, unknown>) => ('case' in value ? validateIt(value) : { value });
};

type CalendarParams = Parameters<typeof calendarOf>[0];
type AddressParams = Parameters<typeof addressOf>[0];

const EXAMPLES: Params = {
  year: '2026',
  country_id: 'GBR',
  slug: 'harbour-town-open',
  event_id: 'F1',
  round_no: '1',
  heat_no: '1',
  competitor_id: '101',
};

function schemaOf({ path, summary, document }: Page, hide: boolean) {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!);
  const params = Object.fromEntries(
    names.map((name) => [name, z.string().meta({ example: EXAMPLES[name] })]),
  );
  return {
    summary,
    description: 'A locale may come first: /en/x/…, /nb-no/x/…',
    tags: ['data site'],
    security: [],
    hide,
    params: z.object(params),
    querystring: NamingQuery,
    response: {
      200: document,
      304: z.null().describe('Not changed since the ETag of If-None-Match'),
      308: z
        .null()
        .describe('Lives at another address: an earlier slug, country or year, or another spelling'),
      ...refusals(404, 422, 429),
    },
  };
}
