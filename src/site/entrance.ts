// The page at /: what this is, and where everything is.
import type { FastifyPluginAsync } from 'fastify';

const CSP =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Athletics data service</title><link rel="stylesheet" href="/entrance.css"></head>
<body><main>
<h1>Athletics data service</h1>
<p>Competitions, results and live attempts as data.</p>
<ul>
<li><a href="/docs">API explorer</a> and <a href="/redoc">API reference</a>
 (<a href="/openapi.json">OpenAPI</a>)</li>
<li>Public JSON of a year's competitions: <code>/x/&lt;year&gt;/json/</code>,
 <code>/x/&lt;year&gt;/&lt;country&gt;/json/</code></li>
<li>Public JSON of a competition: <code>/x/&lt;year&gt;/&lt;country&gt;/&lt;slug&gt;/json/</code>, and of its parts:
 <code>…/event/&lt;event_id&gt;/json/</code>, <code>…/competitor/&lt;competitor_id&gt;/json/</code></li>
<li>Public JSON of a unit:
 <code>/x/&lt;year&gt;/&lt;country&gt;/&lt;slug&gt;/event/&lt;event_id&gt;/&lt;round_no&gt;/&lt;heat_no&gt;/json/</code></li>
<li><a href="/api/v1/push">Where push clients connect</a></li>
<li><a href="/api/v1/ping/">Ping</a> and <a href="/readyz">readiness</a></li>
</ul>
</main></body>
</html>
`;

const STYLE = `:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 4rem auto; padding: 0 1rem; }
code { overflow-wrap: anywhere; }
`;

export const entranceRoutes: FastifyPluginAsync = async (app) => {
  const schema = { hide: true };
  app.get('/', { schema }, async (_request, reply) =>
    reply.header('content-security-policy', CSP).type('text/html; charset=utf-8').send(PAGE),
  );
  app.get('/entrance.css', { schema }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(STYLE),
  );
};
