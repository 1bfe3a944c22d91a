// The unit endpoints: one heat, round or flight at a time. Registered under /api/v1/competitions/:comp_id/events/:event_id/units.
import type { onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import { Problem, refusals } from '../http/schemas.ts';
import { answer } from '../http/headers.ts';
import { numberSegment, uuidSegment } from '../http/path.ts';
import { AttemptAnswer, RemovedAnswer, SavedUnit, UnitRecord } from './answer-schemas.ts';
import { expectedRevisions, idempotencyKeyOf, sendSavedUnit, sendUnit, unitRefOf } from './requests.ts';
import { type AttemptDeps, recordAttempt, removeAttempt } from './record-attempt.ts';
import { SentAttempt, UnitUpdate } from './schemas.ts';
import { updateUnit } from './saving/save-unit.ts';
import { readUnit } from './read-unit.ts';

const UnitPath = z.object({
  comp_id: uuidSegment,
  event_id: z.string(),
  round_no: numberSegment(1),
  heat_no: numberSegment(1),
});
const AttemptPath = UnitPath.extend({ attempt_id: uuidSegment });

type Options = {
  deps: AttemptDeps;
  /** Who may not save at all hears that before what is wrong with the body. */
  bodyJudgement: {
    onRequest: onRequestAsyncHookHandler;
    attachValidation: true;
    preHandler: preHandlerAsyncHookHandler;
  };
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
        operationId: 'readUnit',
        summary: 'Read one unit, with its revision as ETag',
        params: UnitPath,
        response: { 200: answer(UnitRecord, 'The unit', ['ETag']), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const ref = unitRefOf(request);
      const unit = await readUnit(deps.reads, request.account, ref);
      deps.uncertainAttempts.hasRead(request.account.id, ref);
      return sendUnit(reply, unit);
    },
  );

  app.patch(
    '/:round_no/:heat_no',
    {
      ...bodyJudgement,
      schema: {
        tags,
        operationId: 'updateUnit',
        readsHeaders: ['If-Match'],
        summary: 'Save one unit: sent fields replace, sent arrays replace whole',
        description:
          'With If-Match the save happens only when the unit still has that revision; else 412 with the present one. A mark ' +
          'that is hardly possible is saved, and named in `warnings`; one without its decimal point (612) is a 422.',
        params: UnitPath,
        body: UnitUpdate,
        response: {
          200: answer(SavedUnit, 'The unit as it is now', ['ETag']),
          ...writeRefusals,
          ...refusals(412),
        },
      },
    },
    async (request, reply) => {
      const input = { ref: unitRefOf(request), sent: request.body, expected: expectedRevisions(request) };
      const { unit, result: warnings } = await updateUnit(deps, request.account, input);
      return sendSavedUnit(reply, unit, warnings);
    },
  );

  app.post(
    '/:round_no/:heat_no/attempts',
    {
      ...bodyJudgement,
      schema: {
        tags,
        operationId: 'recordAttempt',
        readsHeaders: ['Idempotency-Key'],
        summary: 'Record one attempt; places follow',
        description:
          'Throws and horizontal jumps: bib, round, result, wind. HJ and PV: bib, height, result (x o - r), jump_off in a ' +
          'jump-off. A horizontal attempt is known by bib and round: the same again changes nothing, another result corrects it. ' +
          'For vertical ones send `attempt` (1 to 3) or an Idempotency-Key header to make a repeated request harmless. A 503 ' +
          'that does not know whether the attempt was recorded names the key to repeat it with. A mark that is hardly ' +
          'possible is recorded, and named in `warnings`; one without its decimal point (612) is a 422.',
        params: UnitPath,
        body: SentAttempt,
        response: {
          200: answer(AttemptAnswer, 'It was there already, or is corrected', ['ETag']),
          201: answer(AttemptAnswer, 'Recorded', ['ETag']),
          ...writeRefusals,
          ...refusals(409),
          503: answer(Problem, 'Temporarily unavailable; with an Idempotency-Key it may have been recorded', [
            'Retry-After',
            'Idempotency-Key',
          ]),
        },
      },
    },
    async (request, reply) => {
      const input = {
        ref: unitRefOf(request),
        sent: request.body,
        idempotencyKey: idempotencyKeyOf(request),
      };
      const { created, unit, ...around } = await recordAttempt(deps, request.account, input);
      return sendUnit(reply.code(created ? 201 : 200), unit, around);
    },
  );

  app.delete(
    '/:round_no/:heat_no/attempts/:attempt_id',
    {
      schema: {
        tags,
        operationId: 'deleteAttempt',
        summary: 'Take an attempt back; of vertical ones only the athlete’s last',
        params: AttemptPath,
        response: {
          200: answer(RemovedAnswer, 'Taken back; the unit as it is now', ['ETag']),
          ...refusals(401, 403, 404, 409, 429),
        },
      },
    },
    async (request, reply) => {
      const input = { ref: unitRefOf(request), attemptId: request.params.attempt_id };
      return sendUnit(reply, await removeAttempt(deps, request.account, input), {});
    },
  );
};
