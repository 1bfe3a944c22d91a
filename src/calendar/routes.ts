// Routes of the calendar files. Registered under /live; a web server in front may serve the same folder instead.
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../config.ts';
import { NotFound } from '../errors.ts';
import { sendJsonFile } from '../http/static-file.ts';

export const calendarRoutes: FastifyPluginAsync<{ config: Config }> = async (app, { config }) => {
  app.get<{ Params: { group: string; name: string } }>(
    '/:group/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const { group, name } = request.params;
      // A name, not a path: what looks like more leads nowhere.
      if (!/^[\w-]+$/.test(group) || !/^[\w-]+\.json$/.test(name)) throw new NotFound('No such file');
      return sendJsonFile(request, reply, join(config.staticDir, 'live', group, name));
    },
  );
};
