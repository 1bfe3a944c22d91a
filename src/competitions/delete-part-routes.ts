// Endpoints that delete parts of a competition. Registered under /api/v1/competitions/:comp_id.
import type { onRequestAsyncHookHandler } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireAccount } from '../accounts/authenticate.ts';
import type { Deps } from '../deps.ts';
import { numberSegment, pathNumber, uuidSegment } from '../http/path.ts';
import { refusals } from '../http/schemas.ts';
import { competitionIdOf, requireCompetition } from './access.ts';
import type { Part } from './delete-part-store.ts';
import { deletePart } from './delete-part.ts';
import { authorizeUpdate } from './update.ts';

type Options = { deps: Deps; countWrite: onRequestAsyncHookHandler };

const comp_id = uuidSegment;
const event_id = z.string();

const PARTS = [
  {
    path: '/competitors/:competitor_id',
    operationId: 'deleteCompetitor',
    summary: 'Delete a competitor and their entries; results stay, without the name',
    params: z.object({ comp_id, competitor_id: z.string() }),
    part: (params: Record<string, string>): Part => ({
      kind: 'competitor',
      competitorId: params['competitor_id']!,
    }),
  },
  {
    path: '/teams/:team_id',
    operationId: 'deleteTeam',
    summary: 'Delete a team',
    params: z.object({ comp_id, team_id: z.string() }),
    part: (params: Record<string, string>): Part => ({ kind: 'team', teamId: params['team_id']! }),
  },
  {
    path: '/events/:event_id',
    operationId: 'deleteEvent',
    summary: 'Delete an event with its units and relay teams',
    params: z.object({ comp_id, event_id }),
    part: (params: Record<string, string>): Part => ({ kind: 'event', eventId: params['event_id']! }),
  },
  {
    path: '/events/:event_id/relay_teams/:relay_team_id',
    operationId: 'deleteRelayTeam',
    summary: 'Delete a relay team',
    params: z.object({ comp_id, event_id, relay_team_id: z.string() }),
    part: (params: Record<string, string>): Part => ({
      kind: 'relay team',
      eventId: params['event_id']!,
      relayTeamId: params['relay_team_id']!,
    }),
  },
  {
    path: '/events/:event_id/units/:round_no/:heat_no',
    operationId: 'deleteUnit',
    summary: 'Delete a unit',
    params: z.object({ comp_id, event_id, round_no: numberSegment(1), heat_no: numberSegment(1) }),
    part: (params: Record<string, string>): Part => ({
      kind: 'unit',
      eventId: params['event_id']!,
      round: pathNumber(params['round_no'], 'unit'),
      heat: pathNumber(params['heat_no'], 'unit'),
    }),
  },
];

export const deletePartRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, countWrite }) => {
  app.addHook('onRequest', requireAccount);
  app.addHook('onRequest', countWrite);
  for (const { path, operationId, summary, params, part } of PARTS) {
    app.delete(
      path,
      {
        preValidation: requireCompetition(deps.reads, authorizeUpdate),
        schema: {
          tags: ['extensions'],
          operationId,
          summary,
          params,
          response: { 204: z.null().describe('Deleted'), ...refusals(401, 403, 404, 429) },
        },
      },
      async (request, reply) => {
        const which = part(request.params);
        await deletePart(deps, request.account, competitionIdOf(request), which);
        return reply.code(204).send(null);
      },
    );
  }
};
