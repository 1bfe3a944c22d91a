// Maintenance: requests that lead to a paused route, however they spell its path, are refused as Unavailable.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { Unavailable } from '../errors.ts';

export const maintenance = fastifyPlugin(
  async (app: FastifyInstance, { paused }: { paused: RegExp }) => {
    app.addHook('onRequest', async (request) => {
      if (paused.test(request.routeOptions.url ?? '')) throw new Unavailable('Maintenance');
    });
  },
  { name: 'maintenance' },
);
