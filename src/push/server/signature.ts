// Signatures of the publish API: only who knows the application's secret may publish.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PushApp } from '../../config.ts';

export type SignedRequest = { method: string; path: string; query: URLSearchParams; body: Buffer };

/** Names a moment (Unix ms) after which the request is void: another process may publish by then. Only our own servers know it. */
export const GOOD_UNTIL = 'good_until';

const CLOCK_DIFFERENCE_SECONDS_MAX = 600;

/** Why the request cannot be for this application, whatever its body. */
export const keyFault = (app: PushApp, query: URLSearchParams): string | undefined =>
  query.get('auth_key') === app.key ? undefined : 'auth_key is not a key of this app';

/** Why the request is not to be trusted; undefined when it is. The body is judged by the bytes that came in. */
export function signatureFault(app: PushApp, request: SignedRequest, now: Date): string | undefined {
  const { query, body } = request;
  const unknown = keyFault(app, query);
  if (unknown !== undefined) return unknown;
  if (query.get('auth_version') !== '1.0') return 'auth_version must be 1.0';
  // Of two values nobody knows which one is meant: the signature of one request would be good for others.
  if (new Set(query.keys()).size < query.size) return 'a parameter is given more than once';
  if (!isCurrent(query.get('auth_timestamp') ?? '', now)) {
    return `auth_timestamp must be within ${CLOCK_DIFFERENCE_SECONDS_MAX} seconds of this server's clock`;
  }
  const md5 = createHash('md5').update(body).digest('hex');
  const isDigested = body.length > 0 || query.has('body_md5');
  if (isDigested && !equal(query.get('body_md5') ?? '', md5)) return 'body_md5 does not match the body';
  if (!equal(query.get('auth_signature') ?? '', sign(app.secret, request))) return 'bad auth_signature';
  return undefined;
}

/** Whether the request has come too late, as one does that lay in a frozen process or network. */
export function isVoid(query: URLSearchParams, now: Date): boolean {
  const until = query.get(GOOD_UNTIL);
  return until !== null && now.getTime() > Number(until);
}

/** The query of a signed request. */
export function signedQuery(app: PushApp, request: SignedRequest, now: Date): URLSearchParams {
  const query = new URLSearchParams(request.query);
  query.set('auth_key', app.key);
  query.set('auth_timestamp', String(Math.floor(now.getTime() / 1000)));
  query.set('auth_version', '1.0');
  query.set('body_md5', createHash('md5').update(request.body).digest('hex'));
  query.set('auth_signature', sign(app.secret, { ...request, query }));
  return query;
}

function isCurrent(timestamp: string, now: Date): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  return Math.abs(now.getTime() / 1000 - Number(timestamp)) <= CLOCK_DIFFERENCE_SECONDS_MAX;
}

function sign(secret: string, { method, path, query }: SignedRequest): string {
  const params = [...query]
    .filter(([name]) => name !== 'auth_signature')
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .map(([name, value]) => `${name}=${value}`);
  const text = [method, path, params.join('&')].join('\n');
  return createHmac('sha256', secret).update(text).digest('hex');
}

function equal(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
