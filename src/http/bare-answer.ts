// Answers on a bare socket, to what never became a request of the application: with all that any answer has.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestId } from './request-id.ts';
import { strictHeaders } from './security-headers.ts';

// What the client still sends meanwhile is dropped, so that it gets to see the answer.
const LINGER_MS = 500;

type Refusal = { status: number; detail: string };

/** A refusal with everything that any answer has, and the id that it carries. */
export function bareAnswer({ detail }: Refusal): {
  id: string;
  headers: Record<string, string>;
  body: string;
} {
  const id = requestId();
  const body = JSON.stringify({ detail });
  const headers = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    ...strictHeaders(),
  };
  return { id, headers, body };
}

/** Sends a refusal and ends the connection. @returns the id that it carries */
export function answerOnSocket(socket: Duplex, refusal: Refusal): string {
  const { status } = refusal;
  const { id, headers, body } = bareAnswer(refusal);
  const lines = Object.entries({ date: new Date().toUTCString(), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  return id;
}
