// Requests that fail for want of the database, told as one outage.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { createOutageLog } from '../outage-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Notes that the request failed for want of something outside the program. */
    noteOutage: (error: unknown) => void;
  }
}

const SAYS = {
  begins: 'the database fails requests',
  lasts: 'the database still fails requests',
  ends: 'the database serves requests again',
};

/** It is over when a request succeeds of a route of which one had failed. */
export const outageLog = fastifyPlugin(
  async (app: FastifyInstance, { now }: { now: () => Date }) => {
    const outage = createOutageLog({ log: app.log, now, level: 'error', says: SAYS, counted: 'requests' });
    const routes = new Set<string>();
    app.decorateRequest('noteOutage', function noteOutage(error) {
      routes.add(routeOf(this));
      outage.failed({ err: error }, this.log);
    });
    app.addHook('onResponse', (request, { statusCode }, done) => {
      if (routes.size > 0 && statusCode < 400 && routes.has(routeOf(request))) {
        outage.succeeded(request.log);
        routes.clear();
      }
      done();
    });
  },
  { name: 'outage-log' },
);

const routeOf = ({ method, routeOptions }: { method: string; routeOptions: { url?: string | undefined } }) =>
  `${method} ${routeOptions.url}`;
