// One client's WebSocket: what it sends is answered, and a silent or slow client is dropped.
import { WebSocket, type RawData } from 'ws';
import {
  CODES,
  errorFrame,
  parseFrame,
  PING,
  PONG,
  subscriptionError,
  subscriptionSucceeded,
  type ProtocolError,
} from './protocol.ts';
import type { Subscriptions } from './subscriptions.ts';

export type Connection = {
  socket: WebSocket;
  socketId: string;
  /** Whose connections and subscriptions are counted together. */
  address: string;
  /** A reader this far behind is cut off. */
  bufferedBytesMax: number;
  lastSeenMs: number;
  pingedAtMs: number | undefined;
};
export type Idleness = { activityMs: number; pongMs: number };

const UNSUPPORTED_DATA = 1003;

/** Sends, unless the client reads too slowly: waiting for it would take memory without end, and it refetches anyway. */
export function send({ socket, bufferedBytesMax }: Connection, frame: string | Buffer): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  if (socket.bufferedAmount > bufferedBytesMax) socket.terminate();
  else socket.send(frame, { binary: false });
}

/** The protocol's way to end a connection: first the reason as a frame, then the close code. */
export function end(socket: WebSocket, { code, message }: ProtocolError): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(errorFrame(code, message));
  socket.close(code, message);
}

export function noteActivity(connection: Connection, nowMs: number): void {
  connection.lastSeenMs = nowMs;
  connection.pingedAtMs = undefined;
}

/** Asks a silent client whether it is there, and ends it when it does not answer. */
export function checkActivity(connection: Connection, idleness: Idleness, nowMs: number): void {
  const { socket, lastSeenMs, pingedAtMs } = connection;
  if (pingedAtMs === undefined) {
    if (nowMs - lastSeenMs < idleness.activityMs) return;
    connection.pingedAtMs = nowMs;
    send(connection, PING);
  } else if (nowMs - pingedAtMs >= idleness.pongMs) {
    end(socket, { code: CODES.pongMissing, message: 'no pong within the time allowed' });
  }
}

export function receive(
  connection: Connection,
  subscriptions: Subscriptions<Connection>,
  message: { data: RawData; isBinary: boolean },
): void {
  const { socket } = connection;
  if (message.isBinary) return socket.close(UNSUPPORTED_DATA, 'text frames only');
  const frame = parseFrame(Buffer.isBuffer(message.data) ? message.data.toString() : '');
  switch (frame.kind) {
    case 'subscribe':
      return send(connection, subscribe(connection, subscriptions, frame.channel));
    case 'refuse-subscription':
      return send(
        connection,
        subscriptionError(frame.channel, 'AuthError', 'only public channels exist here', 401),
      );
    case 'unsubscribe':
      return subscriptions.remove(frame.channel, connection);
    case 'ping':
      return send(connection, PONG);
    case 'pong':
      return;
    case 'client-event':
      return send(connection, errorFrame(CODES.clientEventRefused, 'client events are not supported'));
    case 'bad':
      return send(connection, errorFrame(null, frame.reason));
    default:
      return frame satisfies never;
  }
}

// A repeat is answered like the first: a client that reconnects its own state needs the answer to go on.
function subscribe(
  connection: Connection,
  subscriptions: Subscriptions<Connection>,
  channel: string,
): string {
  return subscriptions.add(channel, connection)
    ? subscriptionSucceeded(channel)
    : subscriptionError(
        channel,
        'LimitReached',
        'too many channels on this connection, or at this address',
        429,
      );
}
