// While maintenance lasts, what reads or writes the database is away; calendar files and ping go on.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { Unavailable } from '../errors.ts';

const PAUSED = /^\/+api\/+(?!v1\/+ping(?:\/|\?|$))|^\/+(?:[a-z]{2,3}[A-Za-z0-9_-]{0,14}\/+)?x\//;

export const maintenance = fastifyPlugin(
  async (app: FastifyInstance, { on }: { on: boolean }) => {
    if (!on) return;
    app.addHook('onRequest', async (request) => {
      if (PAUSED.test(request.url)) throw new Unavailable('Maintenance');
    });
  },
  { name: 'maintenance' },
);
