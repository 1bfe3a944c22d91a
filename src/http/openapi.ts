// The OpenAPI document, made from the routes' zod schemas, and its two explorers. Neither loads anything from another host.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fastifySwagger } from '@fastify/swagger';
import { fastifySwaggerUi } from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { NOT_KEPT, type OriginOf } from './asked-origin.ts';
import { readHeaders } from './headers.ts';

export type OpenApiOptions = {
  originOf: OriginOf;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  tags: { name: string; description: string }[];
  /** The spelling of a route's path in the document. */
  publishedPath: (url: string) => string;
};

/** To be registered before the routes. */
export const openApi = fastifyPlugin(
  async (app: FastifyInstance, { originOf, info, tags, publishedPath }: OpenApiOptions) => {
    await app.register(fastifySwagger, {
      openapi: {
        openapi: '3.1.0',
        info,
        tags,
        // Relative: requests of the explorer go where it was opened, under whatever name.
        servers: [{ url: '/' }],
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
        security: [{ token: [] }],
      },
      transform: (route) =>
        withHeaders(jsonSchemaTransform({ ...route, url: publishedPath(route.url) }), route.schema),
      transformObject: (document) => withoutUnused(jsonSchemaTransformObject(document)),
    });
    await app.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      staticCSP: SWAGGER_CSP,
      uiConfig: { layout: 'BaseLayout', validatorUrl: null },
    });
    await app.register(redoc, { originOf });
  },
  { name: 'openapi' },
);

function withHeaders<Transformed extends { schema: FastifySchema | undefined }>(
  transformed: Transformed,
  sent: FastifySchema | undefined,
) {
  const { readsHeaders, ...schema } = transformed.schema ?? {};
  giveFilesTheirHeaders(schema.response, sent?.response);
  return readsHeaders
    ? { ...transformed, schema: { ...schema, headers: readHeaders(readsHeaders) } }
    : transformed;
}

type Answers = Record<string, { content?: unknown; headers?: unknown }>;

// Of an answer that names its media type, the transformation leaves out the headers.
function giveFilesTheirHeaders(transformed: unknown, sent: unknown): void {
  for (const [status, one] of Object.entries((transformed ?? {}) as Answers))
    if (one.content) one.headers = (sent as Answers)[status]?.headers;
}

type Components = { schemas?: Record<string, unknown> };

// Every named schema comes in an input and an output form; those that nothing refers to would only be in the way.
function withoutUnused<Document>(
  document: Document & { paths?: unknown; components?: Components },
): Document {
  const schemas: Record<string, unknown> = { ...document.components?.schemas };
  const unused = () => {
    const text = JSON.stringify([document.paths, schemas]);
    return Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
  };
  for (let names = unused(); names.length > 0; names = unused()) {
    for (const name of names) delete schemas[name];
  }
  // By name: the order in which modules are loaded is nobody's business.
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, components: { ...document.components, schemas: sorted } };
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

const BUNDLE = 'redoc.standalone.js';

// The build lays it beside this file: the package comes with more than a hundred others, which nothing here runs.
const redocBundle = (): Promise<string> =>
  readFile(new URL(BUNDLE, import.meta.url), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return readFile(createRequire(import.meta.url).resolve(`redoc/bundles/${BUNDLE}`), 'utf8');
  });

async function redoc(app: FastifyInstance, { originOf }: { originOf: OriginOf }) {
  const bundle = (await redocBundle()).replaceAll(FOREIGN_LOGO, EMPTY_IMAGE);
  const schema = { hide: true };
  app.get('/openapi.json', { schema }, async (request, reply) => {
    void reply.headers(NOT_KEPT);
    return { ...app.swagger(), servers: [{ url: originOf(request) }] };
  });
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
