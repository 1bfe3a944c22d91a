// The embedded push server on a port of its own, and clients for it: the real libraries and bare WebSockets.
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import Fastify from 'fastify';
import { pino } from 'pino';
import PublisherLibrary from 'pusher';
import type PusherJs from 'pusher-js';
import { WebSocket } from 'ws';
import {
  createPushServer,
  type PushServer,
  type PushServerOptions,
} from '../../src/push/server/push-server.ts';
import type { PushApp } from '../../src/config.ts';
import { jsonBody } from '../../src/http/body.ts';
import { pushRoutes } from '../../src/push/server/routes.ts';
import { attachPushUpgrades } from '../../src/push/server/upgrade.ts';
import { responseTo } from './http-client.ts';

export const app = { id: 'app-1', key: 'key-1', secret: 'secret of the application' };
export const MAX_EVENT_BYTES = 20_000;

const require = createRequire(import.meta.url);
// The packages' types describe a module with a default export; what Node loads is the class itself.
export const clientClasses: Record<'8' | '7', typeof PusherJs.default> = {
  '8': require('pusher-js'),
  '7': require('pusher-js-7'),
};

/** The real library that publishes, to a server of this machine. */
export const publisherLibrary = ({ id, key, secret }: PushApp, port: number, agent?: Agent) =>
  new PublisherLibrary({
    appId: id,
    key,
    secret,
    host: '127.0.0.1',
    port: String(port),
    ...(agent && { agent }),
  });

export type TestPushServer = Awaited<ReturnType<typeof startPushServer>>;

export async function startPushServer(options: Partial<PushServerOptions> = {}) {
  const create = () =>
    createPushServer({
      app,
      maxEventBytes: MAX_EVENT_BYTES,
      maxConnections: 100,
      maxConnectionsPerAddress: 100,
      log: pino({ level: 'silent' }),
      ...options,
    });
  const server = create();
  const http = Fastify({ routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } });
  await http.register(jsonBody, { inFlight: { totalBytes: 1e9, addressBytes: 1e9 } });
  await http.register(pushRoutes, { server, app, maxEventBytes: MAX_EVENT_BYTES, now: () => new Date() });
  http.get('/plain', async () => 'an ordinary answer');
  attachPushUpgrades(http.server, { server });
  const port = Number(new URL(await http.listen({ port: 0, host: '127.0.0.1' })).port);
  const clients: PusherJs.default[] = [];
  let reopened: PushServer | undefined;
  return {
    server,
    http,
    port,
    library: publisherLibrary(app, port),
    client(version: '8' | '7'): PusherJs.default {
      const client = new clientClasses[version](app.key, {
        cluster: 'eu',
        wsHost: '127.0.0.1',
        wsPort: port,
        forceTLS: false,
        enabledTransports: ['ws'],
      });
      clients.push(client);
      return client;
    },
    raw: (path?: string) => rawClient(port, path),
    offerHttp2: (paths: string[]) => offerHttp2(port, paths),
    /** A new server behind the same port, as after a restart. */
    reopen() {
      reopened = create();
      http.server.removeAllListeners('upgrade');
      attachPushUpgrades(http.server, { server: reopened });
    },
    async stop() {
      for (const client of clients) client.disconnect();
      await server.close();
      await reopened?.close();
      await http.close();
    },
  };
}

export type Frame = { event: string; channel?: string; data: unknown };

/** A bare client: what it receives is read frame by frame. */
export function rawClient(
  port: number,
  path = `/app/${app.key}?protocol=7&client=js&version=8.6.0`,
  headers: Record<string, string> = {},
) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const frames: Frame[] = [];
  const waiting: ((frame: Frame) => void)[] = [];
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const frame: Frame = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '');
    const next = waiting.shift();
    if (next) next(frame);
    else frames.push(frame);
  });
  return {
    socket,
    // Not once(): a connection that fails says so before it closes, and not everybody waits for this.
    closed: new Promise<unknown>((resolve) => socket.once('close', resolve)),
    send: (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    async next(): Promise<Frame> {
      return frames.shift() ?? (await new Promise((resolve) => waiting.push(resolve)));
    },
  };
}

/** One connection, as Java's client uses it: the answers' status codes. */
async function offerHttp2(port: number, paths: string[]): Promise<(number | undefined)[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: (number | undefined)[] = [];
  for (const path of paths) {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
    const sent = request({ port, host: '127.0.0.1', path, headers, agent }).end();
    const response = await responseTo(sent);
    response.resume();
    statuses.push(response.statusCode);
  }
  agent.destroy();
  return statuses;
}
