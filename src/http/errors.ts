// Refusals as HTTP: status, headers and the body {"detail": …}. No other file decides them.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import {
  AppError,
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  Stale,
  TooMany,
  Unauthenticated,
} from '../errors.ts';

const RETRY_SECONDS = 5;

type Answer = { status: number; detail: unknown; headers?: Record<string, string> };

/** The outage that an unknown error tells of; undefined when it tells of none. */
type OutageOf = (error: unknown) => 'nothing was changed' | 'unknown' | undefined;

/** Maps errors to answers; those of the database are told by `outageOf`. */
export const errorAnswers = fastifyPlugin(
  async (app: FastifyInstance, { outageOf }: { outageOf: OutageOf }) => {
    app.setErrorHandler((error, request, reply) => {
      const known = answerTo(error) ?? answerToOutage(outageOf(error), request.method);
      if (!known || known.status >= 500) request.log.error({ err: error }, 'request failed');
      const answer = known ?? { status: 500, detail: `Internal error; quote request ${request.id}` };
      return send(reply, answer);
    });
    app.setNotFoundHandler((request: FastifyRequest, reply) =>
      send(reply, { status: 404, detail: `Nothing at ${request.method} ${request.url.split('?')[0]}` }),
    );
  },
  { name: 'error-answers' },
);

/** Answers requests that reach no route because their address cannot be read; for Fastify's `frameworkErrors`. */
export function unreadableAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('x-request-id', request.id);
  const tooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  const answer = tooLong
    ? { status: 404, detail: 'Nothing has so long a name' }
    : { status: 400, detail: 'The address is not readable' };
  void send(reply, answer);
}

function send(reply: FastifyReply, { status, detail, headers }: Answer) {
  return reply
    .code(status)
    .headers(headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(JSON.stringify({ detail }));
}

function answerTo(error: unknown): Answer | undefined {
  if (error instanceof AppError) return answerToRefusal(error);
  // Fastify's own refusals (unreadable URL, body, header) carry a status below 500.
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  return statusCode && statusCode >= 400 && statusCode < 500
    ? { status: statusCode, detail: message }
    : undefined;
}

function answerToRefusal(error: AppError): Answer | undefined {
  const detail = error.message;
  if (error instanceof Invalid) return { status: 422, detail: error.issues };
  if (error instanceof NotFound) return { status: 404, detail };
  if (error instanceof Forbidden) return { status: 403, detail };
  if (error instanceof Conflict) return { status: 409, detail: error.detail };
  if (error instanceof Unauthenticated)
    return { status: 401, detail, headers: { 'www-authenticate': 'Bearer' } };
  if (error instanceof Stale) return { status: 412, detail, headers: { etag: `"${error.revision}"` } };
  if (error instanceof TooMany) {
    return { status: 429, detail, headers: { 'retry-after': String(error.retryAfterSeconds) } };
  }
  return undefined;
}

const UNCHANGED = 'The service is temporarily unavailable; nothing was changed. Try again shortly.';
const UNCERTAIN =
  'The service is temporarily unavailable, and its database did not say whether this was saved: it may have been saved. ' +
  'Read it to find out before you send it again.';

function answerToOutage(outage: ReturnType<OutageOf>, method: string): Answer | undefined {
  if (outage === undefined) return undefined;
  const reads = method === 'GET' || method === 'HEAD';
  return {
    status: 503,
    detail: outage === 'unknown' && !reads ? UNCERTAIN : UNCHANGED,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  };
}
