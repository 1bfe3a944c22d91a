// CORS: any page may read what is open to all, pages of the configured origins the rest of the API.
import { fastifyCors } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';

const HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' };
const SECONDS_REMEMBERED = 600;
// The library's own route.
const PREFLIGHTS = '*';

export type CorsOptions = {
  origins: string[];
  /** The routes of the API. */
  api: RegExp;
  /** The routes that any page may read. */
  openToAll: RegExp;
};

export const cors = fastifyPlugin(
  async (app: FastifyInstance, { origins, api, openToAll }: CorsOptions) => {
    // The same headers for everybody, and the busiest routes: nothing here is worked out per request.
    app.addHook('onRequest', (request, reply, done) => {
      if (!openToAll.test(routeOf(request))) return done();
      void reply.headers(HEADERS);
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
      const byLibrary = route.url === PREFLIGHTS || (api.test(route.url) && !openToAll.test(route.url));
      if (!byLibrary) route.config = Object.assign({}, route.config, { cors: false });
    });
    await app.register(fastifyCors, {
      origin: origins.length > 0 ? origins : false,
      methods: ['GET', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key'],
      exposedHeaders: ['ETag', 'Location', 'X-Total-Count', 'X-Request-Id', 'Retry-After', 'Idempotency-Key'],
      maxAge: SECONDS_REMEMBERED,
    });
  },
  { name: 'cors' },
);

// A preflight comes to the library's route, which keeps the path as the router reads it.
function routeOf({ routeOptions, params }: FastifyRequest): string {
  return routeOptions.url === PREFLIGHTS
    ? `/${(params as { '*'?: string })['*'] ?? ''}`
    : (routeOptions.url ?? '');
}
