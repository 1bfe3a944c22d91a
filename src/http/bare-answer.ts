// Answers on a bare socket, to what never became a request of the application: with all that any answer has.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestId } from './request-id.ts';
import { strictHeaders } from './security-headers.ts';

// What the client still sends meanwhile is dropped, so that it gets to see the answer.
const LINGER_MS = 500;

/** Sends a refusal and ends the connection. @returns the id that it carries */
export function answerOnSocket(
  socket: Duplex,
  { status, detail }: { status: number; detail: string },
): string {
  const id = requestId();
  const body = JSON.stringify({ detail });
  const headers: Record<string, string> = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    'x-request-id': id,
    ...strictHeaders(),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  return id;
}
