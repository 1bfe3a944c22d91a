// One HTTP exchange, timed by the client: from sending until the last byte of the answer is there.
import { type Agent, type IncomingHttpHeaders, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { responseTo } from '../helpers/http-client.ts';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; ms: number };
type Request = {
  url: string;
  agent: Agent;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
};

export async function request({ url, agent, method = 'GET', headers = {}, body }: Request): Promise<Answer> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const length = bytes ? { 'content-length': String(bytes.length), 'content-type': 'application/json' } : {};
  const startMs = performance.now();
  const sent = send(url, { method, agent, headers: { ...headers, ...length } });
  sent.end(bytes);
  const response = await responseTo(sent);
  const content = await buffer(response);
  const ms = performance.now() - startMs;
  return { status: response.statusCode!, headers: response.headers, body: content, ms };
}
