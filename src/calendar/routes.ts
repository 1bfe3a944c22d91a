// Routes of the calendar files. Registered under /live; a web server in front may serve the same folder instead.
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { CompetitionRecord } from '../competitions/schemas.ts';
import type { Config } from '../config.ts';
import { NotFound } from '../errors.ts';
import { answer } from '../http/headers.ts';
import { refusals } from '../http/schemas.ts';
import { createFileTags, sendJsonFile } from '../http/static-file.ts';

export const calendarRoutes: FastifyPluginAsync<{ config: Config }> = async (app, { config }) => {
  const tagOf = createFileTags();
  const schema = {
    operationId: 'readCalendarFile',
    tags: ['calendar files'],
    security: [],
    summary: 'A calendar file of a year: of Europe, or of a country',
    description:
      '`european_calendar_<year>.json` and `domestic_calendar_<country>_<year>.json`, with the records of the list endpoint. ' +
      'Written every night, for this year and the next; served during maintenance as well.',
    params: z.object({
      group: z.string().meta({ example: 'euroath' }),
      name: z.string().meta({ example: 'domestic_calendar_GBR_2026.json' }),
    }),
    readsHeaders: ['If-None-Match' as const],
    response: {
      200: answer(z.array(CompetitionRecord), 'The records, by date and name', ['ETag', 'Last-Modified']),
      304: answer(z.null(), 'Not changed since the ETag of If-None-Match', ['ETag', 'Last-Modified']),
      ...refusals(404),
    },
  };
  app.get<{ Params: { group: string; name: string } }>(
    '/:group/:name',
    { schema },
    async (request, reply) => {
      const { group, name } = request.params;
      // A name, not a path: what looks like more leads nowhere.
      if (!/^[\w-]+$/.test(group) || !/^[\w-]+\.json$/.test(name)) throw new NotFound('No such file');
      return sendJsonFile(request, reply, { path: join(config.staticDir, 'live', group, name), tagOf });
    },
  );
};
