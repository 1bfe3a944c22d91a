// The unit endpoints: one heat, round or flight at a time. Registered under /api/v1/competitions/:comp_id/events/:event_id/units.
import type { onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ATTEMPT_EXAMPLE, UNIT_EXAMPLE } from './examples.ts';
import { requireAccount } from '../accounts/authenticate.ts';
import { refusals } from '../http/schemas.ts';
import { UnitEvent } from '../push/events.ts';
import { expectedRevisions, idempotencyKeyOf, sendUnit, unitRefOf } from './requests.ts';
import { recordAttempt, removeAttempt } from './record-attempt.ts';
import { SentAttempt, StoredAttempt, UnitUpdate } from './schemas.ts';
import { type SaveDeps, updateUnit } from './saving/save-unit.ts';
import { readUnit } from './saving/unit-store.ts';

const UnitPath = z.object({
  comp_id: z.string().meta({ format: 'uuid' }),
  event_id: z.string(),
  round_no: z.string().meta({ example: '1' }),
  heat_no: z.string().meta({ example: '1' }),
});
const AttemptPath = UnitPath.extend({ attempt_id: z.string().meta({ format: 'uuid' }) });

const UnitRecord = UnitEvent.meta({ id: 'UnitRecord', example: UNIT_EXAMPLE });
const AttemptAnswer = z
  .object({ attempt: StoredAttempt, unit: UnitRecord })
  .meta({ id: 'AttemptAnswer', example: { attempt: ATTEMPT_EXAMPLE, unit: UNIT_EXAMPLE } });
const RemovedAnswer = z
  .object({ unit: UnitRecord })
  .meta({ id: 'RemovedAnswer', example: { unit: UNIT_EXAMPLE } });

type Options = {
  deps: SaveDeps;
  /** Who may not save at all hears that before what is wrong with the body. */
  bodyJudgement: { attachValidation: true; preHandler: preHandlerAsyncHookHandler };
  countWrite: onRequestAsyncHookHandler;
};

const tags = ['extensions'];
const writeRefusals = refusals(400, 401, 403, 404, 413, 415, 422, 429);

export const unitRoutes: FastifyPluginAsyncZod<Options> = async (
  app,
  { deps, bodyJudgement, countWrite },
) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);

  app.get(
    '/:round_no/:heat_no',
    {
      schema: {
        tags,
        summary: 'Read one unit, with its revision as ETag',
        params: UnitPath,
        response: { 200: UnitRecord, ...refusals(401, 404) },
      },
    },
    async (request, reply) => sendUnit(reply, await readUnit(deps.reads, unitRefOf(request))),
  );

  app.patch(
    '/:round_no/:heat_no',
    {
      ...bodyJudgement,
      schema: {
        tags,
        summary: 'Save one unit: sent fields replace, sent arrays replace whole',
        description:
          'With If-Match the save happens only when the unit still has that revision; else 412 with the present one.',
        params: UnitPath,
        body: UnitUpdate,
        response: { 200: UnitRecord, ...writeRefusals, ...refusals(412) },
      },
    },
    async (request, reply) => {
      const input = { ref: unitRefOf(request), sent: request.body, expected: expectedRevisions(request) };
      return sendUnit(reply, await updateUnit(deps, request.account, input));
    },
  );

  app.post(
    '/:round_no/:heat_no/attempts',
    {
      ...bodyJudgement,
      schema: {
        tags,
        summary: 'Record one attempt; places follow',
        description:
          'Throws and horizontal jumps: bib, round, result, wind. HJ and PV: bib, height, result (x o - r), jump_off in a ' +
          'jump-off. A horizontal attempt is known by bib and round: the same again changes nothing, another result corrects it. ' +
          'For vertical ones send `attempt` (1 to 3) or an Idempotency-Key header to make a repeated request harmless.',
        params: UnitPath,
        body: SentAttempt,
        response: {
          200: AttemptAnswer,
          201: AttemptAnswer,
          ...writeRefusals,
          ...refusals(409),
        },
      },
    },
    async (request, reply) => {
      const input = {
        ref: unitRefOf(request),
        sent: request.body,
        idempotencyKey: idempotencyKeyOf(request),
      };
      const { created, attempt, unit } = await recordAttempt(deps, request.account, input);
      return sendUnit(reply.code(created ? 201 : 200), unit, attempt);
    },
  );

  app.delete(
    '/:round_no/:heat_no/attempts/:attempt_id',
    {
      schema: {
        tags,
        summary: 'Take an attempt back; of vertical ones only the athlete’s last',
        params: AttemptPath,
        response: { 200: RemovedAnswer, ...refusals(401, 403, 404, 409, 429) },
      },
    },
    async (request, reply) => {
      const input = { ref: unitRefOf(request), attemptId: request.params.attempt_id };
      return sendUnit(reply, await removeAttempt(deps, request.account, input), null);
    },
  );
};
