// A push service that keeps what it accepts, and refuses on demand.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { SignedRequest } from '../../src/push/server/signature.ts';

const Batch = z.object({
  batch: z.array(z.object({ channel: z.string(), name: z.string(), data: z.string() })),
});
export type Received = z.output<typeof Batch>['batch'][number];
type Answer = { status: number; headers?: Record<string, string>; body?: string };

export type FakePushService = {
  port: number;
  /** Events of accepted requests, in order. */
  accepted: Received[];
  /** How many events each request held, refused ones too. */
  requests: number[];
  signed: SignedRequest[];
  /** What to answer to a batch; undefined hangs up. */
  answer: (batch: Received[]) => Answer | undefined | Promise<Answer | undefined>;
  close(): Promise<void>;
};

export async function startFakePushService(): Promise<FakePushService> {
  const server = createServer((request, response) => void receive(service, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const service: FakePushService = {
    port: typeof address === 'object' && address ? address.port : 0,
    accepted: [],
    requests: [],
    signed: [],
    answer: () => ({ status: 200 }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}

async function receive(service: FakePushService, request: IncomingMessage, response: ServerResponse) {
  // Undefined when its sender is killed in the midst of it.
  const body = await buffer(request).catch(() => undefined);
  if (!body) return undefined;
  const { batch } = Batch.parse(JSON.parse(body.toString()));
  const { pathname: path, searchParams: query } = new URL(request.url!, 'http://localhost');
  service.signed.push({ method: request.method!, path, query, body });
  service.requests.push(batch.length);
  const answer = await service.answer(batch);
  if (!answer) return request.socket.destroy();
  if (answer.status === 200) service.accepted.push(...batch);
  return response.writeHead(answer.status, answer.headers).end(answer.body ?? '{}');
}
