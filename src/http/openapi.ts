// The OpenAPI document, made from the routes' zod schemas, and its two explorers. Neither loads anything from another host.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fastifySwagger } from '@fastify/swagger';
import { fastifySwaggerUi } from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';

const DESCRIPTION = `Athletics competitions: calendar entries, full uploads and results.
Get a token from \`/api/v1/auth/token\` and send it as \`Authorization: Bearer TOKEN\`.
Every refusal is JSON with a detail: a text, or for validation a list of faults, each with its path.
Paths work with and without a trailing slash; a JSON body without a Content-Type is read as JSON.`;

const TAGS = [
  { name: 'auth', description: 'Tokens' },
  { name: 'competitions', description: 'Calendar entries and uploads' },
  { name: 'extensions', description: 'Beyond the published interface' },
  { name: 'data site', description: 'Public JSON, no token needed' },
  { name: 'service', description: 'Liveness' },
];

/** Register before the routes. `baseUrl` is asked for at each request: the port may be known only after listening. */
export const openApi = fastifyPlugin(
  async (app: FastifyInstance, { baseUrl }: { baseUrl: () => string }) => {
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Athletics data service',
          version: '1',
          description: DESCRIPTION,
          license: { name: 'MIT' },
        },
        tags: TAGS,
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
        security: [{ token: [] }],
      },
      transform: (route) => jsonSchemaTransform({ ...route, url: publishedPath(route.url) }),
      transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
    });
    await app.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      staticCSP: SWAGGER_CSP,
      uiConfig: { layout: 'BaseLayout', validatorUrl: null },
      transformSpecificationClone: true,
      // Relative: requests of the explorer go where it was opened, under whatever name.
      transformSpecification: (document) => ({ ...document, servers: [{ url: '/' }] }),
    });
    await app.register(redoc, { baseUrl });
  },
  { name: 'openapi' },
);

// Both spellings work; the document shows the one that the interface was published with.
const publishedPath = (url: string): string =>
  /^\/api\/v1\/(ping|competitions)$|\/json$/.test(url) ? `${url}/` : url;

type Components = { schemas?: Record<string, unknown> };

// Every named schema comes in an input and an output form; those that nothing refers to would only be in the way.
function withoutUnused<Document>(
  document: Document & { paths?: unknown; components?: Components },
): Document {
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  const text = () => JSON.stringify([document.paths, schemas]);
  const unused = () =>
    Object.keys(schemas).filter((name) => !text().includes(`"#/components/schemas/${name}"`));
  for (let names = unused(); names.length > 0; names = unused()) {
    for (const name of names) delete schemas[name];
  }
  return { ...document, components: { ...document.components, schemas } };
}

// Written out because the default upgrades to https, which a stadium network without certificates does not have.
const SWAGGER_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// ReDoc sets its styles from script and searches in a worker made from a blob.
const REDOC_CSP =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REDOC_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Athletics data service: API reference</title><style>body { margin: 0 }</style></head>
<body><redoc spec-url="/openapi.json" disable-google-font="true"></redoc>
<script src="/redoc/redoc.standalone.js"></script></body>
</html>
`;

// The bundle's footer shows the maker's logo from the maker's server.
const FOREIGN_LOGO = /https:\/\/cdn\.redoc(?:ly)?\.(?:ly|com)\/redoc\/logo-mini\.svg/g;
const EMPTY_IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

async function redoc(app: FastifyInstance, { baseUrl }: { baseUrl: () => string }) {
  const path = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  const bundle = (await readFile(path, 'utf8')).replaceAll(FOREIGN_LOGO, EMPTY_IMAGE);
  const schema = { hide: true };
  app.get('/openapi.json', { schema }, async () => ({ ...app.swagger(), servers: [{ url: baseUrl() }] }));
  app.get('/redoc', { schema }, async (_request, reply) =>
    reply.header('content-security-policy', REDOC_CSP).type('text/html; charset=utf-8').send(REDOC_PAGE),
  );
  app.get('/redoc/redoc.standalone.js', { schema }, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/javascript; charset=utf-8')
      .send(bundle),
  );
}
