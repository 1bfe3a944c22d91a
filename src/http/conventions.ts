// What holds for every answer of the service.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { NotFound } from '../errors.ts';

export const conventions = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', async (request, reply) => {
      void reply.header('x-request-id', request.id);
      // No stored name holds U+0000, and Postgres refuses to be asked for one.
      if (/%00/.test(request.url)) throw new NotFound('Nothing at this address');
    });
    // Requests that no route's hooks see (an unreadable URL) carry their id too.
    app.addHook('onSend', async (request, reply) => {
      if (!reply.hasHeader('x-request-id')) void reply.header('x-request-id', request.id);
    });
  },
  { name: 'conventions' },
);
