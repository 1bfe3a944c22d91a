// Refusals as HTTP: status, headers and the body {"detail": …}. No other file decides them.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import {
  AppError,
  BrokenOff,
  Busy,
  Conflict,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  Stale,
  TooMany,
  Unauthenticated,
  Uncertain,
} from '../errors.ts';
import { declaredBytes, mayBeLarge } from './body.ts';
import { addressKey } from './rate-limit.ts';
import { strictHeaders } from './security-headers.ts';
import { answerWhileUnread, createDropping } from './unread-bodies.ts';

const RETRY_SECONDS = 5;

export type Answer = {
  status: number;
  detail: unknown;
  /** Where else to go, beside the detail. */
  snapshot?: string | undefined;
  headers?: Record<string, string>;
};

/** The outage that an unknown error tells of; undefined when it tells of none. */
type OutageOf = (error: unknown) => 'nothing was changed' | 'unknown' | undefined;

/** Maps errors to answers; those of the database are told by `outageOf`. */
export const errorAnswers = fastifyPlugin(
  async (app: FastifyInstance, { outageOf }: { outageOf: OutageOf }) => {
    app.decorate('dropping', createDropping());
    app.setErrorHandler((error, request, reply) => {
      const known = answerTo(error);
      const outage = known ? undefined : answerToOutage(error, outageOf(error), request.method);
      if (outage) request.noteOutage(error);
      else if (!known || known.status >= 500) request.log.error({ err: error }, 'request failed');
      const answer = known ??
        outage ?? { status: 500, detail: `Internal error; quote request ${request.id}` };
      return refuse(request, reply, answer);
    });
    app.setNotFoundHandler((request, reply) => refuse(request, reply, nothingThere(request)));
  },
  { name: 'error-answers', dependencies: ['outage-log'] },
);

/** Answers what leads nowhere before its body is read. To be registered after the plugins whose headers every answer has. */
export const unknownPaths = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.is404) void refuse(request, reply, nothingThere(request));
      else done();
    });
  },
  { name: 'unknown-paths' },
);

const nothingThere = ({ method, url }: FastifyRequest): Answer => ({
  status: 404,
  detail: `Nothing at ${method} ${url.split('?')[0]}`,
});

/** Answers requests that reach no route because their address cannot be read; for Fastify's `frameworkErrors`. */
export function unreadableAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(strictHeaders()).header('x-request-id', request.id);
  const tooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
  const answer = tooLong
    ? { status: 404, detail: 'Nothing has so long a name' }
    : { status: 400, detail: 'The address is not readable' };
  void refuse(request, reply, answer);
}

/** Sends a refusal; also one that is known before the body has come, of which then nothing is kept. */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, detail, snapshot, headers }: Answer,
) {
  const text = JSON.stringify({ detail, snapshot });
  void reply
    .code(status)
    .headers(headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(String);
  const { complete, readableEnded } = request.raw;
  if (complete || readableEnded || !mayBeLarge(request)) return reply.send(text);
  const hold = request.server.getDecorator<ReturnType<typeof createDropping>>('dropping')(
    addressKey(request.ip),
  );
  return reply
    .headers({ connection: 'close', 'content-length': Buffer.byteLength(text) })
    .send(answerWhileUnread(text, { body: request.raw, declared: declaredBytes(request), hold }));
}

function answerTo(error: unknown): Answer | undefined {
  if (error instanceof AppError) return answerToRefusal(error);
  // Fastify's own refusals (unreadable URL, body, header) carry a status below 500.
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (!statusCode || statusCode < 400 || statusCode >= 500) return undefined;
  // Who is too slow is waited for no longer.
  return { status: statusCode, detail: message, ...(statusCode === 408 && { headers: HANG_UP }) };
}

const HANG_UP = { connection: 'close' };

function answerToRefusal(error: AppError): Answer | undefined {
  const detail = error.message;
  if (error instanceof Invalid) return { status: 422, detail: error.issues };
  if (error instanceof NotFound) return { status: 404, detail };
  if (error instanceof Forbidden) return { status: 403, detail };
  if (error instanceof Conflict) return { status: 409, detail: error.detail };
  if (error instanceof Gone) return { status: 410, detail, snapshot: error.snapshot };
  if (error instanceof Unauthenticated)
    return { status: 401, detail, headers: { 'www-authenticate': 'Bearer' } };
  if (error instanceof Stale) return { status: 412, detail, headers: { etag: `"${error.revision}"` } };
  if (error instanceof TooMany) {
    return { status: 429, detail, headers: { 'retry-after': String(error.retryAfterSeconds) } };
  }
  if (error instanceof Busy) {
    return { status: 503, detail, headers: { 'retry-after': String(error.retryAfterSeconds) } };
  }
  if (error instanceof BrokenOff) {
    const outcome = error.mayBeSaved ? 'it may have been saved' : 'nothing was changed';
    return {
      status: 503,
      detail: `${detail}; ${outcome}. Try again shortly; if that happens again, send it in parts, such as one event after another`,
      headers: { 'retry-after': String(error.retryAfterSeconds) },
    };
  }
  return undefined;
}

const UNCHANGED = 'The service is temporarily unavailable; nothing was changed. Try again shortly.';
const UNCERTAIN =
  'The service is temporarily unavailable, and its database did not say whether this was saved: it may have been saved. ' +
  'Read it to find out before you send it again.';

const orRepeat = (key: string): string =>
  ` Or send the same again with the header Idempotency-Key: ${key}, which then is recorded once.`;

function answerToOutage(error: unknown, outage: ReturnType<OutageOf>, method: string): Answer | undefined {
  if (outage === undefined) return undefined;
  const headers = { 'retry-after': String(RETRY_SECONDS) };
  const reads = method === 'GET' || method === 'HEAD';
  if (reads || outage === 'nothing was changed') return { status: 503, detail: UNCHANGED, headers };
  const key = error instanceof Uncertain ? error.repeatKey : undefined;
  if (key === undefined) return { status: 503, detail: UNCERTAIN, headers };
  return { status: 503, detail: UNCERTAIN + orRepeat(key), headers: { ...headers, 'idempotency-key': key } };
}
