// Connection details for push clients. Public, registered under /api/v1/push.
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { NOT_KEPT, type OriginOf } from '../http/asked-origin.ts';
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
    edge_cache_seconds: z
      .int()
      .describe(
        'For how long shared caches answer with public JSON, and as long again while they ask: where it is not 0, read it ' +
          'when subscribed and once more after twice that and a second',
      ),
  })
  .meta({
    id: 'PushInfo',
    example: {
      key: 'a1b2c3',
      cluster: 'eu',
      host: 'localhost',
      port: 3000,
      tls: false,
      enabled: true,
      edge_cache_seconds: 0,
    },
  });

type Options = { deps: Deps; originOf: OriginOf; baseUrl: () => string };

export const pushInfoRoutes: FastifyPluginAsyncZod<Options> = async (app, { deps, originOf, baseUrl }) => {
  const schema = {
    tags: ['extensions'],
    security: [],
    operationId: 'readPushConnection',
    summary: 'How to connect a push client: public key, cluster and host',
    response: { 200: answer(PushInfo, 'What a Pusher client is made with'), ...refusals(404) },
  };
  const { config, pushApp } = deps;
  app.get('/', { schema }, async (request, reply) => {
    void reply.headers(NOT_KEPT);
    return {
      key: pushApp.key,
      cluster: config.PUSHER_CLUSTER,
      ...clientEndpoint(config, { asked: originOf(request), bound: baseUrl() }),
      enabled: true,
      edge_cache_seconds: config.EDGE_CACHE_SECONDS,
    };
  });
};
