// A push server inside this process: Pusher protocol 4 to 7 on public channels, for clients of the pusher libraries.
import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { PushApp } from '../../config.ts';
import type { Log } from '../../log.ts';
import { checkActivity, end, noteActivity, receive, send, type Connection } from './connection.ts';
import { answerOnSocket } from '../../http/bare-answer.ts';
import { inSlices } from '../../in-slices.ts';
import { appPath } from './app-path.ts';
import {
  ACTIVITY_TIMEOUT_SECONDS,
  CODES,
  connectionEstablished,
  handshakeError,
  messageFrame,
  type ProtocolError,
} from './protocol.ts';
import { BATCH_EVENTS_MAX, type Publication } from './publish-requests.ts';
import { createSubscriptions, type SubscriptionLimits, type Subscriptions } from './subscriptions.ts';

export type PushServerOptions = {
  app: PushApp;
  maxEventBytes: number;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  log: Log;
  /** False while nothing is published to this server yet: whoever was let in would miss it. */
  accepting?: () => boolean;
  /** For tests: when a silent client is asked, and how long it has to answer. */
  idleness?: { activityMs: number; pongMs: number };
};

export type PushServer = {
  /** Takes over the socket of a request for /app/<key>. `address` is whose connections are counted together. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void;
  connections(): number;
  publish(channels: string[], event: string, data: string, exceptSocketId?: string): void;
  /** Channels somebody is subscribed to, with how many connections are. */
  channels(prefix?: string): Map<string, number>;
  /** Sends every client away such that it comes back after a second, and reads then what it may have missed. */
  sendAway(): Promise<void>;
  /** Sends every client away and lets none in any more. */
  close(): Promise<void>;
};

// A page shows a handful of units; a whole stadium, which is one address, ten to each of its clients on average.
const CHANNELS_PER_CONNECTION_MAX = 200;
const CHANNELS_PER_CLIENT_OF_ADDRESS = 10;
// Enough for the largest batch to be on its way twice.
const BUFFERED = { leastBytes: 4 * 1024 * 1024, events: 20 };
const SOCKET_OPTIONS = {
  noServer: true,
  // A larger frame closes the connection.
  maxPayload: 100 * 1024,
  perMessageDeflate: false,
  // How long a client may take to confirm that it is sent away.
  closeTimeout: 3000,
};
const IDLENESS = { activityMs: ACTIVITY_TIMEOUT_SECONDS * 1000, pongMs: 30_000 };

type State = {
  options: PushServerOptions;
  connections: Set<Connection>;
  byAddress: Map<string, number>;
  subscriptions: Subscriptions<Connection>;
  nextSocketId: () => string;
  closing: boolean;
};

export function createPushServer(options: PushServerOptions): PushServer {
  const sockets = new WebSocketServer(SOCKET_OPTIONS);
  sockets.on('wsClientError', ({ message }, socket) =>
    answerOnSocket(socket, { status: 400, detail: message }),
  );
  const state: State = {
    options,
    connections: new Set(),
    byAddress: new Map(),
    subscriptions: createSubscriptions(limitsOf(options), ({ address }: Connection) => address),
    nextSocketId: socketIds(),
    closing: false,
  };
  const stopChecking = checkRegularly(state);
  return {
    handleUpgrade(request, socket, head, address) {
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        welcome(state, webSocket, request, address),
      );
    },
    connections: () => state.connections.size,
    publish(channels, event, data, exceptSocketId) {
      for (const channel of channels)
        broadcast(state, channel, messageFrame(channel, event, data), exceptSocketId);
    },
    channels: (prefix = '') => state.subscriptions.occupied(prefix),
    sendAway: () => sendAway(sockets),
    close: () => {
      state.closing = true;
      stopChecking();
      return sendAway(sockets);
    },
  };
}

/** In their order, as many at a time as the protocol has in one request: other requests are served in between. */
export async function publishAll(server: PushServer, events: Publication[]): Promise<void> {
  await inSlices(events, BATCH_EVENTS_MAX, ({ channels, event, data, exceptSocketId }) =>
    server.publish(channels, event, data, exceptSocketId),
  );
}

const limitsOf = ({ maxConnectionsPerAddress }: PushServerOptions): SubscriptionLimits => ({
  perMember: CHANNELS_PER_CONNECTION_MAX,
  // Never less than one client may have.
  perAddress: Math.max(
    CHANNELS_PER_CONNECTION_MAX,
    CHANNELS_PER_CLIENT_OF_ADDRESS * maxConnectionsPerAddress,
  ),
});

// Even a refused client is let in first: it learns the reason from a frame and a close code, never from HTTP.
function welcome(state: State, socket: WebSocket, request: IncomingMessage, address: string): void {
  // ws closes the connection itself after an error (oversized or malformed frames).
  socket.on('error', (error) => state.options.log.debug({ err: error }, 'push client error'));
  const refusal = refusalOf(state, request, address);
  if (refusal) return end(socket, refusal);
  const connection = createConnection(state, socket, address);
  admit(state, connection);
  socket.on('message', (data, isBinary) => {
    noteActivity(connection, performance.now());
    receive(connection, state.subscriptions, { data, isBinary });
  });
  send(connection, connectionEstablished(connection.socketId));
}

function createConnection(state: State, socket: WebSocket, address: string): Connection {
  return {
    socket,
    address,
    socketId: state.nextSocketId(),
    bufferedBytesMax: Math.max(BUFFERED.leastBytes, BUFFERED.events * state.options.maxEventBytes),
    lastSeenMs: performance.now(),
    pingedAtMs: undefined,
  };
}

function refusalOf(state: State, request: IncomingMessage, address: string): ProtocolError | undefined {
  const { app, maxConnections, maxConnectionsPerAddress } = state.options;
  const target = appPath(request.url ?? '');
  if (target?.key !== app.key) return { code: CODES.unknownApp, message: 'no such app key' };
  const mistake = handshakeError(target.query);
  if (mistake) return mistake;
  const full =
    state.connections.size >= maxConnections ||
    (state.byAddress.get(address) ?? 0) >= maxConnectionsPerAddress;
  const closed = state.closing || state.options.accepting?.() === false;
  if (full || closed) return { code: CODES.overCapacity, message: 'too many connections, try again' };
  return undefined;
}

function admit(state: State, connection: Connection): void {
  const { connections, byAddress, subscriptions } = state;
  const { address } = connection;
  connections.add(connection);
  byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
  connection.socket.once('close', () => {
    connections.delete(connection);
    subscriptions.removeAll(connection);
    const left = (byAddress.get(address) ?? 1) - 1;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  });
}

function broadcast(state: State, channel: string, frame: string, exceptSocketId?: string): void {
  // Encoded once: all receivers' sockets hold the same bytes.
  const bytes = Buffer.from(frame);
  for (const connection of state.subscriptions.members(channel)) {
    if (connection.socketId !== exceptSocketId) send(connection, bytes);
  }
}

function checkRegularly(state: State): () => void {
  const idleness = state.options.idleness ?? IDLENESS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const connection of state.connections) checkActivity(connection, idleness, nowMs);
  }, idleness.pongMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}

async function sendAway(sockets: WebSocketServer): Promise<void> {
  const gone = [...sockets.clients].map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        end(socket, { code: CODES.overCapacity, message: 'the server restarts' });
      }),
  );
  await Promise.all(gone);
}

// Two numbers joined by a dot, as clients expect: one of this server, one of the connection.
function socketIds(): () => string {
  const server = randomInt(1, 2 ** 31);
  let count = randomInt(1, 2 ** 20);
  return () => {
    count += 1;
    return `${server}.${count}`;
  };
}
