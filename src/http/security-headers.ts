// The security headers of every answer. They never differ, so the library that knows them is asked once and not per request;
// pages replace the policy by their own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import helmet from 'helmet';

export const securityHeaders = fastifyPlugin(
  async (app: FastifyInstance) => {
    const headers = strictHeaders();
    app.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(headers);
      done();
    });
  },
  { name: 'security-headers' },
);

let known: Readonly<Record<string, string>> | undefined;

/** The headers, by their names in lower case. */
export function strictHeaders(): Readonly<Record<string, string>> {
  return (known ??= askLibrary());
}

function askLibrary(): Record<string, string> {
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => {},
  };
  const strict = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // TLS is the business of a proxy in front; a stadium network has none.
    strictTransportSecurity: false,
    // Public JSON is there to be read by others.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    // For browsers and plug-ins that are gone, or for what a page would load: the policy above lets it load nothing.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
    originAgentCluster: false,
  });
  strict({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return headers;
}
