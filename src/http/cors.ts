// Which pages may read what: everything public from anywhere, the token-protected API from the configured origins alone.
import { fastifyCors } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';

const PUBLIC =
  /^\/+api\/+v1\/+(?:ping|push)(?:\/|\?|$)|^\/+(?:(?::locale|[a-z]{2,3}[A-Za-z0-9_-]{0,14})(?:\(.*\))?\/+)?x\//;
const API = /^\/+api\//;
const OPEN_TO_ALL = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' };
const SECONDS_REMEMBERED = 600;
// The library's own route.
const PREFLIGHTS = '*';

export const cors = fastifyPlugin(
  async (app: FastifyInstance, { origins }: { origins: string[] }) => {
    // The same headers for everybody, and the busiest routes: nothing here is worked out per request.
    app.addHook('onRequest', (request, reply, done) => {
      if (!PUBLIC.test(request.url)) return done();
      void reply.headers(OPEN_TO_ALL);
      if (request.method !== 'OPTIONS') return done();
      // A page that sends headers of its own, If-None-Match say, asks first.
      void reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
          'access-control-max-age': String(SECONDS_REMEMBERED),
        })
        .send();
    });
    app.addHook('onRoute', (route) => {
      const byLibrary = route.url === PREFLIGHTS || (API.test(route.url) && !PUBLIC.test(route.url));
      if (!byLibrary) route.config = Object.assign({}, route.config, { cors: false });
    });
    await app.register(fastifyCors, {
      origin: origins.length > 0 ? origins : false,
      methods: ['GET', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key'],
      exposedHeaders: ['ETag', 'Location', 'X-Total-Count', 'X-Request-Id', 'Retry-After'],
      maxAge: SECONDS_REMEMBERED,
    });
  },
  { name: 'cors' },
);
