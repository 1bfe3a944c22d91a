// The public heartbeat. Registered under /api/v1/ping.
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { answer } from '../http/headers.ts';
import { refusals } from '../http/schemas.ts';

// "enviroment" is spelled as published.
const Pong = z
  .object({ reply: z.literal('pong'), enviroment: z.string() })
  .meta({ id: 'Pong', example: { reply: 'pong', enviroment: 'live' } });

export const pingRoutes: FastifyPluginAsyncZod<{ config: Config }> = async (app, { config }) => {
  const schema = {
    tags: ['service'],
    security: [],
    operationId: 'ping',
    summary: 'Is the service there?',
    response: { 200: answer(Pong, 'It is'), ...refusals(404) },
  };
  app.get('/', { schema }, async () => ({ reply: 'pong' as const, enviroment: config.ENVIRONMENT }));
};
