// Endpoints for photo-finish programs: their three files, and the results they write. Registered under
// /api/v1/competitions/:comp_id/lynx.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import { beforeLargeBody, competitionIdOf, requireCompetition } from '../competitions/access.ts';
import { authorizeUpdate } from '../competitions/update.ts';
import { type ReadBody, UnreadableBody } from '../http/body.ts';
import { sendCached, tagged } from '../http/cached-json.ts';
import { answer, fileAnswer } from '../http/headers.ts';
import { uuidSegment } from '../http/path.ts';
import { refusals } from '../http/schemas.ts';
import { sendUnit } from '../units/requests.ts';
import type { SaveDeps } from '../units/saving/save-unit.ts';
import { importResults } from './import-results.ts';
import { readLynxFile } from './read-file.ts';
import { FileQuery, ImportedResults, LifFile, ResultsQuery } from './schemas.ts';
import type { LynxFile } from './start-lists.ts';

const CompetitionPath = z.object({ comp_id: uuidSegment });
const tags = ['extensions'];

// The largest that is known has 40 kB.
const BODY_LIMIT = 1024 * 1024;
const TYPES = ['text/csv', 'text/plain', 'application/octet-stream'];

const FILES: Record<LynxFile, { operationId: string; summary: string; example: string }> = {
  'lynx.evt': {
    operationId: 'readLynxEvents',
    summary: 'Races with their starters, for photo-finish programs',
    example: '1,1,1,100 m Women Final,,,,,,100\r\n,101,4,Okafor,Maren,Harbour Town AC\r\n',
  },
  'lynx.ppl': {
    operationId: 'readLynxPeople',
    summary: 'All competitors, for photo-finish programs',
    example: '101,Okafor,Maren,Harbour Town AC\r\n',
  },
  'lynx.sch': {
    operationId: 'readLynxSchedule',
    summary: 'Races in the order of the day, for photo-finish programs',
    example: '1,1,1\r\n',
  },
};

type Options = { deps: SaveDeps; countWrite: onRequestAsyncHookHandler };

export const lynxRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, countWrite }) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);
  const mayEdit = requireCompetition(deps.reads, authorizeUpdate);

  for (const [file, { example, ...named }] of Object.entries(FILES) as [
    LynxFile,
    (typeof FILES)[LynxFile],
  ][]) {
    app.get(
      `/${file}`,
      {
        preValidation: mayEdit,
        schema: {
          tags,
          ...named,
          readsHeaders: ['If-None-Match'],
          params: CompetitionPath,
          querystring: FileQuery,
          response: {
            200: fileAnswer(z.string().meta({ example }), {
              type: 'text/plain',
              description: 'The file',
              headers: ['ETag'],
            }),
            304: answer(z.null(), 'It has not changed', ['ETag']),
            ...refusals(401, 403, 404, 422, 429),
          },
        },
      },
      async (request, reply) => {
        const { encoding } = request.query;
        const body = await readLynxFile(deps, competitionIdOf(request), { file, encoding });
        const how = { type: `text/plain; charset=${CHARSETS[encoding]}`, cacheControl: 'private, no-cache' };
        return sendCached(request, reply, tagged({ body, encoding: 'identity' }), how) as never;
      },
    );
  }

  const takesBytes: FastifyPluginAsyncZod = async (bytes) => {
    const readBody = bytes.getDecorator<ReadBody>('readBody');
    bytes.removeAllContentTypeParsers();
    bytes.addContentTypeParser(TYPES, readBody);
    bytes.addContentTypeParser('*', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      const type = request.headers['content-type'];
      if (!type) return readBody(request, payload);
      const msg = `Content-Type ${type} is not supported: send the .lif as ${TYPES.join(', ')}`;
      throw new UnreadableBody(415, msg);
    });
    bytes.post(
      '/results',
      {
        bodyLimit: BODY_LIMIT,
        onRequest: beforeLargeBody(mayEdit),
        preValidation: mayEdit,
        schema: {
          tags,
          operationId: 'recordLynxResults',
          summary: 'Store the results of one race from a .lif file',
          description:
            'The first line says which race it is, by `lynx_event_no`, round and heat; the name of the file says nothing. ' +
            'Starters are known by bib, relays by team code and letter, others by lane. Places stay as they are, thousandths ' +
            'are rounded up to hundredths and kept in `time_exact`, the results become provisional. The same file again changes ' +
            'nothing; official results are refused (409) without force.',
          consumes: TYPES,
          params: CompetitionPath,
          querystring: ResultsQuery,
          body: LifFile,
          response: {
            200: answer(ImportedResults, 'What the file came to', ['ETag']),
            ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429),
          },
        },
      },
      async (request, reply) => {
        const { query, body, account } = request;
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const how = { bytes, dryRun: query.dry_run, force: query.force };
        const competitionId = competitionIdOf(request);
        const { unit, ...outcome } = await importResults(deps, account, { competitionId, ...how });
        return sendUnit(reply, unit, outcome);
      },
    );
  };
  await app.register(takesBytes);
};

const CHARSETS = { utf8: 'utf-8', utf16le: 'utf-16', cp1252: 'windows-1252' } as const;
