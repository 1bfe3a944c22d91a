// Writes that were refused for want of a right, noted in the audit.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { createRefusals } from '../audit/refusals.ts';
import type { Deps } from '../deps.ts';
import { Forbidden } from '../errors.ts';
import type { Actor } from './permissions.ts';
import { z } from 'zod';

const InCompetition = z.object({ comp_id: z.guid() });

export const auditRefusedWrites = fastifyPlugin<{ deps: Deps }>(
  async (app: FastifyInstance, { deps }: { deps: Deps }) => {
    const note = createRefusals({ ...deps, db: deps.reads });
    app.addHook('onError', async (request, _reply, error) => {
      const account = request.account as Actor | undefined;
      if (!account || !(error instanceof Forbidden) || ['GET', 'HEAD'].includes(request.method)) return;
      const target = `${request.method} ${request.routeOptions.url ?? ''}`;
      const competitionId = InCompetition.safeParse(request.params).data?.comp_id ?? null;
      await note(account, { action: 'write.refused', target, competitionId });
    });
  },
  { name: 'audit-refused-writes' },
);
