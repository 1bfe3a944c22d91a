// Connections: how long a client may be silent or slow, and answers to what never becomes a request of the application.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { answerOnSocket, bareAnswer } from './bare-answer.ts';

/** How long the headers of a request may take, the first of a connection from its beginning; looked at every so often. */
export type Patience = { headersMs: number; everyMs: number };
export const PATIENCE: Patience = { headersMs: 30_000, everyMs: 5000 };

// Bodies are judged by their rate (see body.ts). This ends what has no other end.
const REQUEST_MS = 3_600_000;
// Neither side has sent anything: the longest answer is that to a large upload, which takes a minute or two at most.
const SILENCE_MS = 180_000;

/** For Fastify's own options. */
export const connectionOptions = ({ headersMs, everyMs }: Patience) => ({
  http: {
    headersTimeout: headersMs,
    connectionsCheckingInterval: everyMs,
    // Node would refuse it without any headers: see conventions.ts.
    requireHostHeader: false,
  },
  requestTimeout: REQUEST_MS,
  connectionTimeout: SILENCE_MS,
  clientErrorHandler: refuseUnreadable,
});

const REFUSALS: Record<string, { status: number; detail: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too large' },
};
const UNREADABLE = { status: 400, detail: 'The request is not readable as HTTP' };

type WithAnswer = Socket & { _httpMessage?: ServerResponse | null };

function refuseUnreadable(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // In the midst of an answer nothing can be said.
  // oxlint-disable-next-line no-underscore-dangle -- Node's own, and nothing else tells
  if ((socket as WithAnswer)._httpMessage?.headersSent) return void socket.destroy();
  const id = answerOnSocket(socket, REFUSALS[error.code ?? ''] ?? UNREADABLE);
  this.log.info({ reqId: id, code: error.code }, 'unreadable request');
}

const UNEXPECTED = { status: 417, detail: 'Nothing but 100-continue can be expected' };

/** Answers what expects something else than 100-continue, as Node would, with all that any answer has. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { headers, body } = bareAnswer(UNEXPECTED);
    response.writeHead(UNEXPECTED.status, headers);
    response.end(body);
  });
}
