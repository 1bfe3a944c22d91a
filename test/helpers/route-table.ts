// The operations of an application as it is built: what its routes answer, hidden ones among them, without what is merely a 405.
import { channel } from 'node:diagnostics_channel';
import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';

/** Builds an application, and says what routes were added to it until it is asked. */
export async function withRouteTable(build: () => Promise<FastifyInstance>) {
  const routes: string[] = [];
  const note = ({ method, url }: RouteOptions) => {
    for (const name of [method].flat()) routes.push(`${name} ${url}`);
  };
  // Fastify tells of an instance before anybody has added a route to it.
  const made = channel('fastify.initialization');
  const listen = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', note);
  made.subscribe(listen);
  const app = await build().finally(() => made.unsubscribe(listen));
  return { app, operations: () => operationsOf(app, routes) };
}

/** What a method does not do is told at a path by a route as well: those answer 405, whoever asks. */
async function operationsOf(app: FastifyInstance, routes: string[]): Promise<string[]> {
  const operations: string[] = [];
  for (const route of new Set(routes)) {
    const [method, url] = route.split(' ') as [HTTPMethods & string, string];
    // `OPTIONS *` is the preflight of every path: its answers are held by the tests of CORS.
    if (method === 'OPTIONS') continue;
    const { statusCode } = await app.inject({ method: method as 'GET', url: anyPath(url) });
    if (statusCode !== 405) operations.push(route);
  }
  return operations;
}

const anyPath = (url: string) =>
  url
    .replace(/:locale\(.*?\$\)/, 'en')
    .replaceAll(/:\w+/g, '1')
    .replace('*', 'x')
    // A stream goes on for ever; of what is no cursor there is none.
    .replace(/\/stream$/, '/stream?after=none');
