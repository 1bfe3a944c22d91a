// Conventions of every answer: it carries the request's id, a request names its host, and a path with U+0000 leads nowhere.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { NotFound } from '../errors.ts';
import { UnreadableBody } from './body.ts';

export const conventions = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      void reply.header('x-request-id', request.id);
      // No stored name holds U+0000, and Postgres refuses to be asked for one.
      if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
        return done(new UnreadableBody(400, 'The request names no Host'));
      done(/%00/.test(request.url) ? new NotFound('Nothing at this address') : undefined);
    });
  },
  { name: 'conventions' },
);
