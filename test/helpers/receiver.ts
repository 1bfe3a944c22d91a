// A receiver of webhooks: keeps what it was sent, and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  id: string;
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
  data: any;
};
type Behave = (response: ServerResponse, received: Received) => void;

/** Answers with a status alone. */
export const status =
  (code: number, headers: Record<string, string> = {}): Behave =>
  (response) =>
    void response.writeHead(code, headers).end();

export async function startReceiver(behave: Behave = status(204)) {
  const all: Received[] = [];
  const receiver = { all, behave, open: 0, openMax: 0 };
  const server = createServer((request, response) => {
    receiver.open += 1;
    receiver.openMax = Math.max(receiver.openMax, receiver.open);
    response.on('close', () => (receiver.open -= 1));
    void (async () => {
      // Undefined when its sender is killed in the midst of it.
      const body = await text(request).catch(() => undefined);
      if (body === undefined) return;
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>;
      const { headers, url: path = '' } = request;
      const one = { path, headers, text: body, id: String(headers['webhook-id']), type, data };
      all.push(one);
      receiver.behave(response, one);
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(receiver, { port, url: `http://127.0.0.1:${port}/hook` });
}
