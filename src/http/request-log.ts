// The log of requests: a line for each when it is answered, and of public reads only for those that were slow or failed.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer lasts as long as its reader likes: how long says nothing. */
    staysOpen?: true;
  }
}

const SLOW_MS = 1000;
const PATH_LENGTH = 300;

/** `quiet`: paths of reads that anybody may make, again and again. */
export const requestLog = fastifyPlugin(
  async (app: FastifyInstance, { quiet }: { quiet: (path: string) => boolean }) => {
    const tellsAll = app.log.level === 'debug' || app.log.level === 'trace';
    app.addHook('onResponse', (request, reply, done) => {
      const { elapsedTime, statusCode } = reply;
      const isSlow = elapsedTime > SLOW_MS && !request.routeOptions.config.staysOpen;
      const path = pathOf(request);
      const isRead = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS';
      const ofNote = isSlow || statusCode >= 500;
      const isQuiet = isRead && !ofNote && quiet(path);
      if (!isQuiet || tellsAll) {
        const line = {
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          path: path.slice(0, PATH_LENGTH),
          status: statusCode,
          ms: Math.round(elapsedTime),
          address: request.ip,
          ...accountOf(request),
        };
        // What went wrong is told at other levels, once: this is the book of what was asked.
        if (isQuiet) request.log.debug(line, 'request');
        else request.log.info(line, messageOf(isSlow, statusCode));
      }
      done();
    });
  },
  { name: 'request-log' },
);

const messageOf = (isSlow: boolean, statusCode: number): string => {
  if (statusCode >= 500) return 'request failed';
  return isSlow ? 'slow request' : 'request';
};

/** Without the query: that is where clients put secrets by mistake. */
export const pathOf = ({ url }: { url?: string }): string => (url ?? '').split('?', 1)[0]!;

// Known to whoever let the account in, which is no concern here.
function accountOf(request: FastifyRequest): { account?: string } {
  const { account } = request as { account?: { id: string } };
  return account ? { account: account.id } : {};
}
