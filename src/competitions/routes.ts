// The competition endpoints. Registered under /api/v1/competitions.
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import type { Deps } from '../deps.ts';
import { answer } from '../http/headers.ts';
import { paced } from '../http/paced.ts';
import { uuidSegment } from '../http/path.ts';
import { refusals } from '../http/schemas.ts';
import { CompetitionWithParts } from './answer-schemas.ts';
import type { UploadThread } from '../uploads/upload-thread.ts';
import { beforeLargeBody, competitionIdOf, requireCompetition, requireCreator } from './access.ts';
import { createCompetition, locationOf } from './create.ts';
import { uploadRoute } from './hand-over.ts';
import { createLister } from './list.ts';
import { readCompetition } from './read.ts';
import { authorizeRemoval, removeCompetition } from './remove.ts';
import {
  CompetitionCreate,
  CompetitionRecord,
  CompetitionUpdate,
  DuplicateProblem,
  ListQuery,
  ReadQuery,
  Settings,
  SettingsUpdate,
  TestAnswer,
} from './schemas.ts';
import { authorizeSettings, readSettings, updateSettings } from './settings.ts';
import { testPayload } from './test-payload.ts';
import { authorizeUpdate, updateCompetition } from './update.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const CompetitionPath = z.object({ comp_id: uuidSegment });
const tags = ['competitions'];
const bodyRefusals = refusals(400, 401, 403, 413, 415, 422, 429);
const conflict = {
  409: answer(DuplicateProblem, 'There is one of that name and date, or the slug or id is taken'),
};

type Options = { deps: Deps; uploads: UploadThread; countWrite: onRequestAsyncHookHandler };

export const competitionRoutes: FastifyPluginAsyncZod<Options> = async (
  app,
  { deps, uploads, countWrite },
) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);
  const listCompetitions = createLister(deps.reads);

  app.get(
    '/',
    {
      schema: {
        tags,
        operationId: 'listCompetitions',
        summary: 'List competitions, by country and by the days they overlap',
        querystring: ListQuery,
        response: {
          200: answer(z.array(CompetitionRecord), 'The records, by date and name', ['X-Total-Count']),
          ...refusals(401, 422),
        },
      },
    },
    async ({ account, query }, reply) => {
      const { json, total } = await listCompetitions(account, query);
      // Prepared text: validating thousands of stored records again would cost more than reading them.
      return reply
        .header('x-total-count', total)
        .type(JSON_TYPE)
        .send((Buffer.isBuffer(json) ? json : paced(json)) as never);
    },
  );

  app.post(
    '/',
    {
      ...uploadRoute(uploads, 'create', requireCreator),
      schema: {
        tags,
        operationId: 'createCompetition',
        summary: 'Create a competition, with its events and results if sent along',
        description:
          'Required: full_name, country_id and date. When one of the same name and date exists the answer is 409 with an ' +
          'override_token, good for three days: send the same payload with it if the competition is a new one.',
        body: CompetitionCreate,
        response: {
          201: answer(CompetitionRecord, 'The record as stored, with its id', ['Location']),
          ...conflict,
          ...bodyRefusals,
        },
      },
    },
    async ({ account, body }, reply) => {
      const record = await createCompetition(deps, account, body);
      return reply.code(201).header('location', locationOf(record)).send(record);
    },
  );

  app.post(
    '/test',
    {
      ...uploadRoute(uploads, 'test'),
      schema: {
        tags,
        operationId: 'testCompetition',
        summary: 'Judge a payload without storing anything',
        description:
          'Warnings name unknown fields and what they are likely to stand for, what the public will not see, events without a ' +
          'code, rounds that list round numbers, a bib twice in a unit, implausible marks, references that lead nowhere, a ' +
          'duplicate and a taken slug.',
        body: CompetitionCreate,
        response: {
          200: answer(TestAnswer, 'It would be accepted'),
          ...refusals(400, 401, 413, 415, 422, 429),
        },
      },
    },
    async ({ body }) => testPayload(deps, body),
  );

  app.get(
    '/:comp_id',
    {
      schema: {
        tags,
        operationId: 'readCompetition',
        summary: 'Read one competition',
        description:
          'With `include` also what is nested in it: everything that was sent for those who may edit it, the public view ' +
          'for others.',
        params: CompetitionPath,
        querystring: ReadQuery,
        response: {
          200: answer(CompetitionWithParts, 'The record, with the parts asked for'),
          ...refusals(401, 404, 422),
        },
      },
    },
    async (request, reply) =>
      reply
        .type(JSON_TYPE)
        .send(
          (await readCompetition(
            deps,
            request.account,
            competitionIdOf(request),
            request.query.include,
          )) as never,
        ),
  );

  app.post(
    '/:comp_id',
    {
      ...uploadRoute(uploads, 'update', requireCompetition(deps.reads, authorizeUpdate)),
      schema: {
        tags,
        operationId: 'updateCompetition',
        summary: 'Update fields of a competition, and upload competitors, teams, events and results into it',
        description:
          'Any subset of the fields; null clears an optional one. Nested arrays merge by key: what is sent replaces, what ' +
          'is not mentioned stays. The whole upload is stored, or nothing of it.',
        params: CompetitionPath,
        body: CompetitionUpdate,
        response: {
          200: answer(CompetitionRecord, 'The record as it is now'),
          ...conflict,
          ...bodyRefusals,
          ...refusals(404),
        },
      },
    },
    async (request) => updateCompetition(deps, request.account, competitionIdOf(request), request.body),
  );

  app.delete(
    '/:comp_id',
    {
      preValidation: requireCompetition(deps.reads, authorizeRemoval),
      schema: {
        tags,
        operationId: 'deleteCompetition',
        summary: 'Delete a competition with everything in it',
        params: CompetitionPath,
        response: { 204: z.null().describe('Deleted'), ...refusals(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      await removeCompetition(deps, request.account, competitionIdOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/:comp_id/settings',
    {
      preValidation: requireCompetition(deps.reads, authorizeSettings),
      schema: {
        tags: ['extensions'],
        operationId: 'readCompetitionSettings',
        summary: 'Management settings: push notifications, directors',
        params: CompetitionPath,
        response: { 200: answer(Settings, 'The settings'), ...refusals(401, 403, 404) },
      },
    },
    async (request) => readSettings(deps.reads, competitionIdOf(request)),
  );

  app.patch(
    '/:comp_id/settings',
    {
      onRequest: beforeLargeBody(requireCompetition(deps.reads, authorizeSettings)),
      preValidation: requireCompetition(deps.reads, authorizeSettings),
      schema: {
        tags: ['extensions'],
        operationId: 'updateCompetitionSettings',
        summary: 'Change management settings',
        description:
          'Sent directors replace the present ones. An address that has no account becomes a director as soon as it has one; ' +
          'the answer does not tell which have. Whoever created the competition can be left out by administrators alone. ' +
          'Turning push notifications on publishes nothing by itself.',
        params: CompetitionPath,
        body: SettingsUpdate,
        response: {
          200: answer(Settings, 'The settings as they are now'),
          ...bodyRefusals,
          ...refusals(404),
        },
      },
    },
    async (request) => updateSettings(deps, request.account, competitionIdOf(request), request.body),
  );
};
