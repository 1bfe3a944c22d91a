// The public heartbeat. Registered under /api/v1/ping.
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Config } from '../config.ts';

// "enviroment" is spelled as published.
const Pong = z
  .object({ reply: z.literal('pong'), enviroment: z.string() })
  .meta({ id: 'Pong', example: { reply: 'pong', enviroment: 'live' } });

export const pingRoutes: FastifyPluginAsyncZod<{ config: Config }> = async (app, { config }) => {
  const schema = {
    tags: ['service'],
    security: [],
    summary: 'Is the service there?',
    response: { 200: Pong },
  };
  app.get('/', { schema }, async () => ({ reply: 'pong' as const, enviroment: config.ENVIRONMENT }));
};
