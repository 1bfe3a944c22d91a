// The public data site. Registered twice: at the root, and below a locale.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { publicCacheControl, sendPublic, sendStreamed } from '../http/cached-json.ts';
import { chosenEncoding } from '../http/encoding.ts';
import { answer, fileAnswer } from '../http/headers.ts';
import { numberSegment } from '../http/path.ts';
import { countReads, type CountRead } from '../http/rate-limit.ts';
import { blankAsAbsent, refusals } from '../http/schemas.ts';
import { validatorCompiler } from '../http/validation.ts';
import { addressOf, calendarOf, redirectFormer, redirectSpelling } from './address.ts';
import type {
  DocumentDefinition,
  DocumentOfCalendar,
  DocumentOfCompetition,
  Params,
} from './documents/definition.ts';
import type { Document, Documents, Wanted } from './documents-in-memory.ts';
// In the order in which their shapes stand in the OpenAPI document.
import { countryCalendar, yearCalendar } from './documents/calendars.ts';
import { unit } from './documents/unit.ts';
import { event, round } from './documents/event.ts';
import { competitor } from './documents/competitor.ts';
import { eventOverview, overview } from './documents/overview.ts';
import { wholeCompetition } from './documents/whole-competition.ts';
import {
  competitionCalendarFile,
  countryCalendarFile,
  yearCalendarFile,
} from './documents/calendar-files.ts';
import { competitionResults, eventResults, startList, unitResults } from './documents/csv-files.ts';

const DOCUMENTS: DocumentDefinition[] = [
  yearCalendar,
  countryCalendar,
  wholeCompetition,
  event,
  round,
  unit,
  competitor,
  overview,
  eventOverview,
  competitionResults,
  eventResults,
  unitResults,
  startList,
  yearCalendarFile,
  countryCalendarFile,
  competitionCalendarFile,
];

/** Spelling of the names in a document: as everywhere here, or as in the older data site. Other parameters are ignored. */
const NamingQuery = z.object({
  case: z
    .preprocess(blankAsAbsent, z.enum(['snake', 'camel']).optional())
    .describe(
      'Spelling of the names: snake_case as described here, or camelCase as in the older data site, where the country, ' +
        'venue and organiser of a competition are called so without _id. The default is a setting of the service.',
    ),
});

type Request = FastifyRequest<{ Params: Params; Querystring: z.output<typeof NamingQuery> }>;

type Options = {
  deps: Deps;
  documents: Documents;
  /** Counts a read of an address; shared by both registrations. */
  countRead: CountRead;
  hidden?: boolean;
};

export const siteRoutes: FastifyPluginAsync<Options> = async (app, options) => {
  const { deps, documents, countRead, hidden = false } = options;
  countReads(app, countRead);
  app.setValidatorCompiler(validateQuery);
  const cacheControl = publicCacheControl(deps.config.EDGE_CACHE_SECONDS);

  const wanted = ({ query, headers }: Request): Wanted => ({
    naming: query.case ?? deps.config.DATA_SITE_CASE,
    encoding: chosenEncoding(headers['accept-encoding']),
  });

  for (const document of DOCUMENTS) {
    const schema = schemaOf(document, hidden);
    const answer = document.of === 'calendar' ? sendCalendar(document) : sendPart(document);
    app.get(document.path, { schema }, answer);
  }

  function sendCalendar(document: DocumentOfCalendar) {
    return async (request: Request, reply: FastifyReply) => {
      const calendar = calendarOf(request.params as CalendarParams);
      if (redirectSpelling(request, reply, calendar)) return reply;
      return send(request, reply, await documents.ofCalendar(document, calendar, wanted(request)), document);
    };
  }

  /** Answers with a part of the competition that the path names, or with where the competition lives now. */
  function sendPart(document: DocumentOfCompetition) {
    return async (request: Request, reply: FastifyReply) => {
      const part = document.part(request.params, request.query as Params);
      const address = addressOf(request.params as AddressParams);
      if (redirectSpelling(request, reply, address)) return reply;
      const found = await documents.ofCompetition(document, { address, part }, wanted(request));
      if (found === undefined) {
        const gone = await documents.ofGone(document, address, wanted(request));
        if (!gone) return redirectFormer(deps.reads, request, reply, address);
        return send(request, reply, gone, document);
      }
      return send(request, reply, found, document);
    };
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    found: Document | null,
    document: DocumentDefinition,
  ): FastifyReply | Promise<FastifyReply> {
    const { type } = document;
    if (found && !('open' in found))
      return sendPublic(request, reply, { representation: found, type, cacheControl });
    if (!found) throw missing(document);
    return sendStreamed(request, reply, { streamed: found, type, cacheControl }).then((sent) => {
      if (sent) return sent;
      throw missing(document);
    });
  }
};

function missing(document: DocumentDefinition): NotFound {
  const what = document.of === 'calendar' ? 'calendar' : `${document.noun} in this competition`;
  return new NotFound(`No such ${what}`);
}

// The segments of the path are judged as an address, and most reads ask for nothing else. Other parameters are ignored.
const validateQuery: FastifySchemaCompiler<z.ZodType> = (route) => {
  if (route.httpPart !== 'querystring') return (value) => ({ value });
  const validateIt = validatorCompiler(route);
  return (value: Record<string, unknown>) =>
    'case' in value || 'delimiter' in value ? validateIt(value) : { value };
};

type CalendarParams = Parameters<typeof calendarOf>[0];
type AddressParams = Parameters<typeof addressOf>[0];

const segment = (example: string) => z.string().meta({ example });

const SEGMENTS: Record<string, z.ZodString> = {
  year: numberSegment(2026),
  country_id: segment('GBR'),
  slug: segment('harbour-town-open'),
  event_id: segment('F1'),
  round_no: numberSegment(1),
  heat_no: numberSegment(1),
  competitor_id: segment('101'),
};

function schemaOf(document: DocumentDefinition, hide: boolean) {
  const { path, operationId, summary, schema, type, query } = document;
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!);
  const params = Object.fromEntries(names.map((name) => [name, SEGMENTS[name]!]));
  return {
    operationId,
    summary,
    description: 'A locale may come first: /en/x/…, /nb-no/x/…',
    tags: ['data site'],
    security: [],
    hide,
    params: z.object(params),
    querystring: query ?? NamingQuery,
    readsHeaders: ['If-None-Match' as const],
    response: {
      200: type
        ? fileAnswer(schema, { type, description: 'The file', headers: ['ETag'] })
        : answer(schema, 'The document', ['ETag']),
      304: answer(z.null(), 'Not changed since the ETag of If-None-Match', ['ETag']),
      308: answer(
        z.null(),
        'Lives at another address: an earlier slug, country or year, or another spelling',
        ['Location'],
      ),
      ...refusals(404, 422, 429),
    },
  };
}
