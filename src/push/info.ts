// Connection details for push clients. Public, registered under /api/v1/push.
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { answer } from '../http/headers.ts';
import { refusals } from '../http/schemas.ts';
import { clientEndpoint } from './endpoints.ts';

const PushInfo = z
  .object({
    key: z.string(),
    cluster: z.string(),
    host: z.string(),
    port: z.int(),
    tls: z.boolean(),
    enabled: z.boolean(),
  })
  .meta({
    id: 'PushInfo',
    example: { key: 'a1b2c3', cluster: 'eu', host: 'localhost', port: 3000, tls: false, enabled: true },
  });

type Options = { deps: Deps; baseUrl: () => string };

export const pushInfoRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, baseUrl }) => {
  const schema = {
    tags: ['extensions'],
    security: [],
    operationId: 'readPushConnection',
    summary: 'How to connect a push client: public key, cluster and host',
    response: { 200: answer(PushInfo, 'What a Pusher client is made with'), ...refusals(404) },
  };
  app.get('/', { schema }, async () => ({
    key: deps.pushApp.key,
    cluster: deps.config.PUSHER_CLUSTER,
    ...clientEndpoint(deps.config, baseUrl()),
    enabled: true,
  }));
};
