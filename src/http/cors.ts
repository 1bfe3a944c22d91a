// Which pages may read what: everything public from anywhere, the token-protected API from the configured origins alone.
import type { FastifyCorsOptions, FastifyCorsOptionsDelegate } from '@fastify/cors';

const PUBLIC_API = /^\/+api\/+v1\/+(ping|push)(\/|\?|$)/;
const DATA_SITE = /^\/+([a-z]{2,3}[A-Za-z0-9_-]{0,14}\/+)?x\//;
const PUBLIC: FastifyCorsOptions = { origin: '*', exposedHeaders: ['ETag'] };

export function corsOptions(origins: string[]): FastifyCorsOptionsDelegate {
  const api: FastifyCorsOptions = {
    origin: origins.length > 0 ? origins : false,
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'Idempotency-Key'],
    exposedHeaders: ['ETag', 'Location', 'X-Total-Count', 'X-Request-Id', 'Retry-After'],
    maxAge: 600,
  };
  const rest: FastifyCorsOptions = { origin: false };
  return (request, callback) => {
    const { url } = request;
    if (PUBLIC_API.test(url) || DATA_SITE.test(url)) callback(null, PUBLIC);
    else callback(null, /^\/+api\//.test(url) ? api : rest);
  };
}
