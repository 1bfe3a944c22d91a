// Serves the calendar files. Registered under /live; a web server in front may serve the same folder instead.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fastifyStatic } from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../config.ts';
import { NotFound } from '../errors.ts';

export const calendarRoutes: FastifyPluginAsync<{ config: Config }> = async (app, { config }) => {
  const root = join(config.staticDir, 'live');
  await mkdir(root, { recursive: true });
  await app.register(fastifyStatic, {
    root,
    serve: false,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'public, no-cache'),
  });
  app.get<{ Params: { group: string; name: string } }>(
    '/:group/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const { group, name } = request.params;
      // A name, not a path: what looks like more leads nowhere.
      if (!/^[\w-]+$/.test(group) || !/^[\w-]+\.json$/.test(name)) throw new NotFound('No such file');
      return reply.sendFile(`${group}/${name}`);
    },
  );
};
