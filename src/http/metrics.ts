// /metrics in the text format of Prometheus: how long requests took, the process, and what the rest of the program hands in.
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type MetricsOptions = {
  /** Holds the numbers of one application. */
  registry: Registry;
  /** Brings them up to date; what cannot be known at the moment is left out. */
  refresh: () => Promise<void>;
};

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** To be registered before the routes whose requests are measured. */
export const metrics = fastifyPlugin(
  async (app: FastifyInstance, { registry, refresh }: MetricsOptions) => {
    const duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: ['route', 'method', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    });
    app.addHook('onResponse', (request, reply, done) => {
      // The pattern, never the address: whoever asks for made-up addresses must not make up series.
      const route = request.routeOptions.url ?? 'none';
      duration.observe({ route, method: request.method, status: reply.statusCode }, reply.elapsedTime / 1000);
      done();
    });
    const ofProcess = processRegistry();
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
      await refresh();
      const texts = await Promise.all([registry.metrics(), ofProcess.metrics()]);
      return reply.type(registry.contentType).send(texts.join('\n'));
    });
  },
  { name: 'metrics' },
);

let shared: Registry | undefined;

// One for all applications of a process: what it observes belongs to the process, and its observers cannot be removed.
function processRegistry(): Registry {
  if (shared) return shared;
  shared = new Registry();
  collectDefaultMetrics({ register: shared });
  return shared;
}
