// The publish API of the push protocol: signed requests hand events to the embedded server.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { PushApp } from '../../config.ts';
import type { ReadBody } from '../../http/body.ts';
import { refuse } from '../../http/errors.ts';
import { splitOnce } from './app-path.ts';
import { publishAll, type PushServer } from './push-server.ts';
import { CHANNEL_NAME } from './protocol.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_EVENTS_MAX,
  isRefusal,
  OWN_BATCH_EVENTS_MAX,
  parseBatch,
  parseEvent,
  type Publication,
  type Refusal,
} from './publish-requests.ts';
import { GOOD_UNTIL, isVoid, keyFault, signatureFault } from './signature.ts';

export type PushRoutesOptions = { server: PushServer; app: PushApp; maxEventBytes: number; now: () => Date };
type WithId = { Params: { id: string } };
type WithName = { Params: { id: string; name: string } };

export const pushRoutes: FastifyPluginAsync<PushRoutesOptions> = async (fastify, options) => {
  const { server, maxEventBytes } = options;
  // The push protocol has its own documentation.
  const hidden = { schema: { hide: true } };
  const settings = { ...hidden, bodyLimit: bodyLimit(maxEventBytes) };
  // The signature covers the bytes, so no parser may come before it, whatever the content type says.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', fastify.getDecorator<ReadBody>('readBody'));
  // Nobody's body is read who does not even know the names of this application.
  fastify.addHook<WithId>('onRequest', async (request, reply) => {
    if (request.params.id !== options.app.id)
      return refuse(request, reply, { status: 404, detail: 'no such app' });
    const fault = keyFault(options.app, queryOf(request));
    return fault === undefined ? undefined : refuse(request, reply, { status: 401, detail: fault });
  });
  fastify.addHook<WithId>('preHandler', async (request, reply) => authenticate(options, request, reply));
  fastify.post('/apps/:id/events', settings, (request, reply) =>
    publish(server, reply, parseEvent(bytesOf(request), maxEventBytes)),
  );
  fastify.post('/apps/:id/batch_events', settings, (request, reply) =>
    publish(server, reply, parseBatch(bytesOf(request), maxEventBytes, queryOf(request).has(GOOD_UNTIL))),
  );
  fastify.get('/apps/:id/channels', hidden, (request) => listChannels(server, queryOf(request)));
  fastify.get<WithName>('/apps/:id/channels/:name', hidden, (request, reply) =>
    describeChannel(server, request, reply),
  );
};

// As many events of the largest size as the protocol allows, or the largest batch of our own.
function bodyLimit(maxEventBytes: number): number {
  return Math.max(
    requestBytes(BATCH_EVENTS_MAX, BATCH_EVENTS_MAX * maxEventBytes),
    requestBytes(OWN_BATCH_EVENTS_MAX, BATCH_BYTES_MAX),
  );
}

// JSON text inside JSON text: escaping at most doubles it.
const requestBytes = (events: number, dataBytes: number): number => 2 * dataBytes + 1000 * events;

async function authenticate(
  { app, now }: PushRoutesOptions,
  request: FastifyRequest<WithId>,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  // The path as it was sent is what was signed.
  const [path] = splitOnce(request.originalUrl, '?');
  const signed = { method: request.method, path, query: queryOf(request), body: bytesOf(request) };
  const fault = signatureFault(app, signed, now());
  if (fault !== undefined) return reply.code(401).send({ detail: fault });
  if (!isVoid(signed.query, now())) return undefined;
  return reply.code(409).send({ detail: 'too late: another process may publish by now' });
}

async function publish(server: PushServer, reply: FastifyReply, result: Publication[] | Refusal) {
  if (isRefusal(result)) return reply.code(result.status).send({ detail: result.detail });
  await publishAll(server, result);
  return {};
}

async function listChannels(server: PushServer, query: URLSearchParams) {
  const channels = [...server.channels(query.get('filter_by_prefix') ?? '')];
  return { channels: Object.fromEntries(channels.map(([name, count]) => [name, counted(query, count)])) };
}

async function describeChannel(server: PushServer, request: FastifyRequest<WithName>, reply: FastifyReply) {
  const { name } = request.params;
  if (!CHANNEL_NAME.test(name)) return reply.code(400).send({ detail: 'bad channel name' });
  const count = server.channels(name).get(name) ?? 0;
  return { occupied: count > 0, ...counted(queryOf(request), count) };
}

// Counts are given only to those who ask for them, as the protocol has it.
function counted(query: URLSearchParams, count: number) {
  const asked = (query.get('info') ?? '').split(',').includes('subscription_count');
  return asked ? { subscription_count: count } : {};
}

function bytesOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(splitOnce(request.originalUrl, '?')[1]);
}
