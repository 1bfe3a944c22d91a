// Endpoints of entries as spreadsheets. Registered under /api/v1/competitions/:comp_id.
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import { mayEdit } from '../accounts/permissions.ts';
import { accessOf, beforeLargeBody, competitionIdOf, requireCompetition } from '../competitions/access.ts';
import { handingOver } from '../competitions/hand-over.ts';
import { authorizeUpdate } from '../competitions/update.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { type TakeBody, UnreadableBody } from '../http/body.ts';
import { answer, fileAnswer } from '../http/headers.ts';
import { uuidSegment } from '../http/path.ts';
import { blankAsAbsent, refusals } from '../http/schemas.ts';
import { createSnapshotStreams } from '../snapshot-streams.ts';
import type { UploadThread } from '../uploads/upload-thread.ts';
import { type DelimiterName, DELIMITERS } from './csv-write.ts';
import { importEntries } from './import-entries.ts';
import { readEntries } from './read-entries.ts';
import { ImportAnswer } from './schemas.ts';

type Options = { deps: Deps; uploads: UploadThread; countWrite: onRequestAsyncHookHandler };

const MOST_BYTES = 10 * 1024 * 1024;
const CSV = 'text/csv; charset=utf-8';
// What browsers and programs call such a file; without a name it is one too.
const TYPES = new Set(['', 'text/csv', 'text/plain', 'application/octet-stream', 'application/vnd.ms-excel']);

const params = z.object({ comp_id: uuidSegment });
const FILE_EXAMPLE =
  'Competitor Id,First Name,Last Name,Gender,Date Of Birth,Team Id,Event,PB\r\n101,Maren,Okafor,F,2003-04-09,HTH,F1,6.30\r\n';

export const entriesRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, uploads, countWrite }) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);
  const takeBody = app.getDecorator<TakeBody>('takeBody');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: Parameters<TakeBody>[0], payload: NodeJS.ReadableStream) => {
    const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
    if (!TYPES.has(type))
      throw new UnreadableBody(415, `Content-Type ${type} is not supported: send text/csv`);
    return takeBody(request, payload);
  });
  const mayUpdate = requireCompetition(deps.reads, authorizeUpdate);
  const stream = createSnapshotStreams(deps.reads, deps.config.DATABASE_POOL_SIZE);

  const DryRun = z.object({
    dry_run: z
      .preprocess(blankAsAbsent, z.stringbool().optional())
      .describe('true: says what would change, and stores nothing'),
  });
  const handOver = handingOver(uploads, (request) => ({
    operation: 'entries',
    actor: request.account,
    competitionId: competitionIdOf(request),
    dryRun: (request.query as z.output<typeof DryRun>).dry_run ?? false,
  }));

  app.post(
    '/entries',
    {
      bodyLimit: MOST_BYTES,
      onRequest: beforeLargeBody(mayUpdate),
      preValidation: mayUpdate,
      // What else may be refused has been by then.
      preHandler: handOver,
      schema: {
        tags: ['extensions'],
        operationId: 'updateEntries',
        summary: 'Import entries from a spreadsheet',
        description:
          'One row for each entry; the rows of a competitor add up to one `events_entered`, which replaces the stored one. ' +
          'Comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252; headers in any letter case, several languages and their ' +
          'usual variants. Empty cells change nothing, unknown columns are kept as fields. Up to 10 MB and 50,000 rows, ' +
          'stored whole or not at all: faults are listed by line and column.',
        consumes: ['text/csv'],
        params,
        querystring: DryRun,
        body: z.unknown().meta({ type: 'string', example: FILE_EXAMPLE }),
        response: {
          200: answer(ImportAnswer, 'What it changed, or would change'),
          ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429),
        },
      },
    },
    async (request) => {
      const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const dryRun = request.query.dry_run ?? false;
      return importEntries(deps, request.account, competitionIdOf(request), { bytes, dryRun });
    },
  );

  app.get(
    '/entries.csv',
    {
      schema: {
        tags: ['extensions'],
        operationId: 'readEntriesFile',
        summary: 'Entries as a spreadsheet, which can be imported again',
        description:
          'With dates of birth for those who may edit the competition; the public view for others.',
        params,
        querystring: z.object({
          delimiter: z
            .preprocess(blankAsAbsent, z.enum(Object.keys(DELIMITERS) as [DelimiterName]).optional())
            .describe('`,` is the default; `;` or `tab`'),
        }),
        response: {
          200: fileAnswer(z.string().meta({ example: FILE_EXAMPLE }), {
            type: CSV,
            description: 'The file',
            headers: [],
          }),
          ...refusals(401, 404, 422),
        },
      },
    },
    async (request, reply) => {
      const id = competitionIdOf(request);
      const access = await accessOf(deps.reads, id);
      const how = {
        delimiter: DELIMITERS[request.query.delimiter ?? ','],
        everything: mayEdit(request.account, access),
        publishDateOfBirth: deps.config.PUBLISH_DATE_OF_BIRTH,
      };
      const opened = await stream('identity', (tx) => readEntries(tx, id, how));
      if (!opened) throw new NotFound(`No competition ${id}`);
      return reply
        .type(CSV)
        .header('cache-control', 'no-store')
        .send(opened.body as never);
    },
  );
};
