// Endpoint of results in the form of the World Athletics result import. Registered under /api/v1/competitions/:comp_id.
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import { mayEdit } from '../accounts/permissions.ts';
import { competitionIdOf, requireCompetition } from '../competitions/access.ts';
import type { Deps } from '../deps.ts';
import { Forbidden, NotFound } from '../errors.ts';
import { sendStreamed, type Streamed } from '../http/cached-json.ts';
import { chosenEncoding } from '../http/encoding.ts';
import { answer } from '../http/headers.ts';
import { uuidSegment } from '../http/path.ts';
import { blankAsAbsent, refusals } from '../http/schemas.ts';
import { createSnapshotStreams } from '../snapshot-streams.ts';
import { readWaResults, waVersion } from './read-wa-results.ts';
import { WA_REPORT_EXAMPLE, WA_RESULTS_EXAMPLE } from './wa-examples.ts';
import { WaReport, WaResults } from './wa-model.ts';

type Options = { deps: Deps; countWrite: onRequestAsyncHookHandler };

const Answer = z
  .union([
    WaResults.meta({ id: 'WorldAthleticsResults', example: WA_RESULTS_EXAMPLE }),
    WaReport.meta({ id: 'WorldAthleticsReport', example: WA_REPORT_EXAMPLE }),
  ])
  .meta({ example: WA_RESULTS_EXAMPLE });

// It has dates of birth.
const mayRead = (actor: Parameters<typeof mayEdit>[0], access: Parameters<typeof mayEdit>[1]): void => {
  if (!mayEdit(actor, access))
    throw new Forbidden(
      `Dates of birth are read by ADMIN_${access.countryId} and the directors of this competition alone`,
    );
};

export const waRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, countWrite }) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);
  const stream = createSnapshotStreams(deps.reads, deps.config.DATABASE_POOL_SIZE);

  app.get(
    '/results.wa.json',
    {
      preValidation: requireCompetition(deps.reads, mayRead),
      schema: {
        tags: ['extensions'],
        operationId: 'readWorldAthleticsResults',
        summary: 'Results in the form of the World Athletics result import, which is a proposal',
        description:
          'The model is a proposal of the World Athletics competition model group, and may change with it. Provisional and official ' +
          'results, with the athletes and relay teams in them; dates of birth are among it, so it is for those who may edit the ' +
          'competition. Ids of World Athletics come from `wa_id` of the competition, of competitors and of relay teams, and ' +
          'from `wa_event_id` of events. What is not known is left out, and told by the report.',
        readsHeaders: ['If-None-Match'],
        params: z.object({ comp_id: uuidSegment }),
        querystring: z.object({
          report: z
            .preprocess(blankAsAbsent, z.stringbool().optional())
            .describe(
              'true: what the model asks for and the competition does not have, in place of the file',
            ),
        }),
        response: {
          200: answer(Answer, 'The file, or the report of what it lacks', ['ETag']),
          304: answer(z.null(), 'It has not changed', ['ETag']),
          ...refusals(401, 403, 404, 422, 429),
        },
      },
    },
    async (request, reply) => {
      const id = competitionIdOf(request);
      const report = request.query.report ?? false;
      const encoding = chosenEncoding(request.headers['accept-encoding']);
      const etagOf = (revision: string) => `W/"${revision}.wa${report ? '.report' : ''}"`;
      const open: Streamed['open'] = async () => {
        const opened = await stream(encoding, (tx) => readWaResults(tx, id, { report }));
        return opened && { etag: etagOf(opened.revision), body: opened.body };
      };
      const etag = etagOf((await waVersion(deps.reads, id)) ?? '');
      const streamed = { etag, encoding, open };
      const sent = await sendStreamed(request, reply, { streamed, cacheControl: 'private, no-cache' });
      if (!sent) throw new NotFound(`No competition ${id}`);
      return sent;
    },
  );
};
