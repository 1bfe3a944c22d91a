// The embedded push server as a process of its own, with nothing beside it; what it is comes from the environment.
import Fastify from 'fastify';
import { pino } from 'pino';
import { createPushServer } from '../../src/push/server/push-server.ts';
import { jsonBody } from '../../src/http/body.ts';
import { pushRoutes } from '../../src/push/server/routes.ts';
import { attachPushUpgrades } from '../../src/push/server/upgrade.ts';

const {
  PORT = '0',
  PUSHER_APP_ID = '',
  PUSHER_KEY = '',
  PUSHER_SECRET = '',
  CHANNELS_FIRST = '0',
} = process.env;
const MAX_EVENT_BYTES = 250_000;

const app = { id: PUSHER_APP_ID, key: PUSHER_KEY, secret: PUSHER_SECRET };
const server = createPushServer({
  app,
  maxEventBytes: MAX_EVENT_BYTES,
  maxConnections: 10_000,
  maxConnectionsPerAddress: 10_000,
  log: pino({ level: 'silent' }),
});
const http = Fastify();
let awaited = Number(CHANNELS_FIRST);
// Nothing is taken before so many channels have subscribers: what is taken then is seen by somebody.
http.addHook('onRequest', async (request, reply) => {
  if (server.channels().size >= awaited) awaited = 0;
  if (request.method === 'POST' && awaited > 0) return reply.code(503).send({});
  return undefined;
});
await http.register(jsonBody, { inFlight: { totalBytes: 1e9, addressBytes: 1e9 } });
await http.register(pushRoutes, { server, app, maxEventBytes: MAX_EVENT_BYTES, now: () => new Date() });
attachPushUpgrades(http.server, { server });
process.once('SIGTERM', () => {
  void server.close().then(() => http.close());
});
process.stdout.write(`Listening at ${await http.listen({ port: Number(PORT), host: '127.0.0.1' })}\n`);
