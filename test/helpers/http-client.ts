// An API client over real HTTP. Like the scripts in the field it sends JSON without a Content-Type.
import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Account } from './server.ts';

export type Reply = {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
  body: any;
};
export type ApiClient = (method: string, path: string, body?: unknown) => Promise<Reply>;

export async function get(url: string, headers: Record<string, string> = {}): Promise<Reply> {
  return exchange('GET', url, headers);
}

/** @returns the token of the account */
export async function signIn(baseUrl: string, { email, password }: Account): Promise<string> {
  const form = new URLSearchParams({ username: email, password }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await exchange('POST', `${baseUrl}/api/v1/auth/token`, headers, form);
  if (reply.status !== 200) throw new Error(`No token: ${reply.status} ${reply.text}`);
  return String(reply.body.access_token);
}

export async function signedIn(baseUrl: string, account: Account): Promise<ApiClient> {
  return withToken(baseUrl, await signIn(baseUrl, account));
}

/** The token of one server is good on every server of the same database and secret. */
export function withToken(baseUrl: string, token: string): ApiClient {
  const headers = { authorization: `Bearer ${token}` };
  return (method, path, body) =>
    exchange(
      method,
      `${baseUrl}/api/v1${path}`,
      headers,
      body === undefined ? undefined : JSON.stringify(body),
    );
}

/**
 * The response to a request, once its head is there. A connection that is reset in the midst of it tells the request as well, to
 * whom nobody else listens any more by then.
 */
export async function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  sent.on('error', () => undefined);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  return response!;
}

/** @param localAddress where it comes from: any address of 127.0.0.0/8 is this machine's own */
export async function exchange(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: string,
  localAddress?: string,
): Promise<Reply> {
  // As it is: URL would tidy up the dots of a path.
  const { origin, hostname, port } = new URL(url);
  const path = url.slice(origin.length) || '/';
  const sent = request({ hostname, port, path, method, headers, ...(localAddress && { localAddress }) });
  sent.end(body);
  const response = await responseTo(sent);
  const content = await text(response);
  const { 'content-type': type = '', 'content-encoding': encoding } = response.headers;
  const isJson = type.startsWith('application/json') && encoding === undefined;
  const { statusCode: status, headers: received } = response;
  return { status, headers: received, text: content, body: isJson ? JSON.parse(content) : undefined };
}
