// Endpoints of the change feed. Public, registered under /api/v1/changes.
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { coveredBy } from '../countries.ts';
import type { Deps } from '../deps.ts';
import { Gone, Invalid } from '../errors.ts';
import { NOT_KEPT, type OriginOf } from '../http/asked-origin.ts';
import { answer, fileAnswer } from '../http/headers.ts';
import { addressKey, countReads, type CountRead } from '../http/rate-limit.ts';
import { refusals } from '../http/schemas.ts';
import { type ChangeFilter, changeOf } from './change.ts';
import { type Cursor, cursorText, parseCursor } from './cursor.ts';
import { readChanges } from './read-changes.ts';
import { ChangesAnswer, ChangesQuery, GoneProblem, STREAM_EXAMPLE, StreamQuery } from './schemas.ts';
import type { ChangeStreams } from './streams.ts';

type Options = { deps: Deps; streams: ChangeStreams; originOf: OriginOf; countRead: CountRead };

const EVENTS = 'text/event-stream';
const STREAM_HEADERS = {
  'content-type': EVENTS,
  'cache-control': 'no-store, no-transform',
  // nginx would keep back what comes until a buffer is full.
  'x-accel-buffering': 'no',
};
const gone = { 410: answer(GoneProblem, 'Of another epoch, or too old: begin anew at `snapshot`') };
const description =
  'Every competition, event, unit, competitor, team and relay team that the public can see, each once with its newest state, ' +
  'in the order in which they changed; deletions stay for `CHANGES_RETENTION_DAYS`. An object is known by its type, ' +
  '`competition_id` and the ids and numbers that are not null; a renamed competition comes again with all that is in it.';

export const changeRoutes: FastifyPluginAsyncZod<Options> = async (app, options) => {
  const { deps, streams, originOf, countRead } = options;
  countReads(app, countRead);

  app.get(
    '/',
    {
      schema: {
        tags: ['extensions'],
        security: [],
        operationId: 'listChanges',
        summary: 'Everything that changed since a cursor',
        description: `${description} Send \`next\` as \`after\`, at once while there is \`more\`.`,
        querystring: ChangesQuery,
        response: { 200: answer(ChangesAnswer, 'The changes'), ...gone, ...refusals(422, 429) },
      },
    },
    async (request, reply) => {
      const { after, limit } = request.query;
      const origin = originOf(request);
      const page = await readChanges(deps.reads, { after, limit, filter: filterOf(request.query) }).catch(
        beginAnew(request.query, origin),
      );
      return reply
        .headers(NOT_KEPT)
        .type('application/json; charset=utf-8')
        .send(pageText(page, origin) as never);
    },
  );

  app.get(
    '/stream',
    {
      config: { staysOpen: true },
      schema: {
        tags: ['extensions'],
        security: [],
        operationId: 'readChangesStream',
        summary: 'The same as server-sent events, as they happen',
        description:
          `${description} The \`id\` of an event is its cursor; \`Last-Event-ID\` counts before \`after\`. ` +
          'A comment comes every 15 seconds. A reader that does not keep up is cut off, and may go on where it was.',
        querystring: StreamQuery,
        readsHeaders: ['Last-Event-ID'],
        response: {
          200: fileAnswer(z.string().meta({ example: STREAM_EXAMPLE }), {
            type: EVENTS,
            description: 'An event for each change',
            headers: [],
          }),
          ...gone,
          ...refusals(422, 429),
        },
      },
    },
    async (request, reply) => {
      const origin = originOf(request);
      const after = lastEventId(request) ?? request.query.after;
      const asked = { after, filter: filterOf(request.query), origin, address: addressKey(request.ip) };
      const admitted = await streams.admit(asked).catch(beginAnew(request.query, origin));
      if (request.method === 'HEAD' || reply.raw.destroyed) {
        admitted.leave();
        return reply.headers(STREAM_HEADERS).send('');
      }
      void reply.hijack();
      reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...STREAM_HEADERS });
      // By themselves: put before the first text, the head stays in memory in its sixty pieces for as long as the stream is open.
      reply.raw.flushHeaders();
      // Whoever waits for the answer has it, also when nothing changes for long.
      reply.raw.write(':\n\n');
      admitted.start(reply.raw);
      return undefined;
    },
  );
};

const filterOf = ({ country, competition, types }: StreamQuery): ChangeFilter => ({
  countryIds: country === undefined ? undefined : coveredBy(country),
  competitionId: competition,
  types,
});

type Page = Awaited<ReturnType<typeof readChanges>>;

const pageText = ({ rows, begun, next, more }: Page, origin: string): string =>
  JSON.stringify({
    epoch: next.epoch,
    changes: rows.map((row) => changeOf(row, { epoch: next.epoch, begun }, origin)),
    next: cursorText(next),
    more,
  });

function lastEventId({ headers }: FastifyRequest): Cursor | null {
  const text = headers['last-event-id'];
  if (typeof text !== 'string' || text === '') return null;
  const cursor = parseCursor(text);
  if (cursor) return cursor;
  const loc = ['header', 'Last-Event-ID'];
  throw new Invalid([{ loc, msg: 'Is no cursor: take the id of an event as it is', type: 'custom' }]);
}

/** Says where, to a reader who cannot go on. */
function beginAnew({ country, competition, types }: StreamQuery, origin: string) {
  return (error: unknown): never => {
    if (!(error instanceof Gone)) throw error;
    const filters = { country, competition, types: types?.join() };
    const given = Object.entries(filters).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const query = new URLSearchParams(given).toString();
    throw new Gone(error.message, `${origin}/api/v1/changes${query && `?${query}`}`);
  };
}
