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
  Unavailable,
} from '../errors.ts';

const RETRY_SECONDS = 5;

type Answer = { status: number; detail: unknown; headers?: Record<string, string> };

/** Maps errors to answers. `isUnavailable` tells whether an unknown error means that the database is away. */
export const errorAnswers = fastifyPlugin(
  async (app: FastifyInstance, { isUnavailable }: { isUnavailable: (error: unknown) => boolean }) => {
    app.setErrorHandler((error, request, reply) => {
      const known = answerTo(error) ?? (isUnavailable(error) ? unavailable() : undefined);
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
  return error instanceof Unavailable ? unavailable() : undefined;
}

const unavailable = (): Answer => ({
  status: 503,
  detail: 'The service is temporarily unavailable; nothing was changed. Try again shortly.',
  headers: { 'retry-after': String(RETRY_SECONDS) },
});
