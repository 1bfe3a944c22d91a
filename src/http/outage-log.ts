// Log of an outage: one line at its begin, one a minute while it lasts, one at its end; not one for every request it fails.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';

const REMINDER_MS = 60_000;

type Outage = { sinceMs: number; toldMs: number; requests: number; routes: Set<string> };

declare module 'fastify' {
  interface FastifyRequest {
    /** Notes that the request failed for want of something outside the program. */
    noteOutage: (error: unknown) => void;
  }
}

/** It is over when a request succeeds of a route of which one had failed. */
export const outageLog = fastifyPlugin(
  async (app: FastifyInstance, { now }: { now: () => Date }) => {
    let outage: Outage | undefined;
    app.decorateRequest('noteOutage', function noteOutage(error) {
      const nowMs = now().getTime();
      const begins = outage === undefined;
      outage ??= { sinceMs: nowMs, toldMs: nowMs, requests: 0, routes: new Set() };
      outage.requests += 1;
      outage.routes.add(routeOf(this));
      if (begins) this.log.error({ err: error }, 'the database fails requests');
      else if (nowMs - outage.toldMs >= REMINDER_MS) {
        outage.toldMs = nowMs;
        this.log.error({ err: error, ...figures(outage, nowMs) }, 'the database still fails requests');
      }
    });
    app.addHook('onResponse', (request, { statusCode }, done) => {
      if (outage && statusCode < 400 && outage.routes.has(routeOf(request))) {
        request.log.warn(figures(outage, now().getTime()), 'the database serves requests again');
        outage = undefined;
      }
      done();
    });
  },
  { name: 'outage-log' },
);

const routeOf = ({ method, routeOptions }: { method: string; routeOptions: { url?: string | undefined } }) =>
  `${method} ${routeOptions.url}`;

const figures = ({ sinceMs, requests }: Outage, nowMs: number) => ({
  seconds: Math.round((nowMs - sinceMs) / 1000),
  requests,
});
