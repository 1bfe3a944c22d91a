// Conventions of every answer: it carries the request's id, and a path with U+0000 in it leads nowhere.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { NotFound } from '../errors.ts';

export const conventions = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      void reply.header('x-request-id', request.id);
      // No stored name holds U+0000, and Postgres refuses to be asked for one.
      done(/%00/.test(request.url) ? new NotFound('Nothing at this address') : undefined);
    });
  },
  { name: 'conventions' },
);
