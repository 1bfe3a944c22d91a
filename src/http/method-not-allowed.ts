// Refusals with 405 and Allow, where a path exists but not for the method; Fastify alone would say 404.
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { refuse } from './errors.ts';

const METHODS: HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Records the routes as they are registered. Call before the routes, and the returned function after them. */
export function methodNotAllowed(app: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = allowed.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    allowed.set(url, methods);
  });
  return () => {
    for (const [url, methods] of Array.from(allowed)) {
      const missing = METHODS.filter((method) => !methods.has(method));
      const allow = [...methods].join(', ');
      if (url.includes('*') || missing.length === 0) continue;
      app.route({
        url,
        method: missing,
        schema: { hide: true },
        // Before parsing and validation: the body of a method that does not exist is nobody's concern.
        onRequest: async (request, reply) =>
          refuse(request, reply, {
            status: 405,
            detail: `${request.method} is not allowed here; try ${allow}`,
            headers: { allow },
          }),
        handler: async () => undefined,
      });
    }
  };
}
