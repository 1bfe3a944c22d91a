// A publisher: it hands batches of events to a push service over its signed HTTP API, and says what became of each.
// Not the library of that API: it signs by the clock of this machine, and sends whatever time has passed since it was asked to.
import { Agent as HttpAgent, request as httpRequest, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { PushApp } from '../config.ts';
import { GOOD_UNTIL, signedQuery } from './server/signature.ts';

/** `id` is the event's own: the same event offered again, whole or reduced, carries the same. */
export type OutgoingEvent = { id: number; channel: string; event: string; data: string };

/** Temporary: nothing is wrong with the events, try again later. Rejected: the service will never take this request. */
export type Outcome =
  | { kind: 'ok' }
  | { kind: 'temporary'; error: string; retryAfterMs: number | undefined }
  | { kind: 'rejected'; error: string; status: number };

/** The right to publish. Once it is over, another process may have it. */
export type Lease = { isOver: () => boolean; endsAt: () => Date };

export type Publisher = {
  /** How many events the next batch may have; as many as the push protocol allows when unset. */
  eventsMax?: () => number;
  /** Sends the events in order, their data byte for byte, and none when the lease is over. Never throws. */
  publish(batch: OutgoingEvent[], lease?: Lease): Promise<Outcome>;
  /** Called every other second by the process that publishes. Never throws. */
  lookAfter?(): Promise<void>;
  close(): void;
};

export type PublisherOptions = {
  app: PushApp;
  host: string;
  port: number;
  tls: boolean;
  now: () => Date;
  /** A server of our own, which refuses what comes after the lease. */
  isOwn?: boolean;
  timeoutMs?: number;
};

const REJECTED = new Set([400, 413, 422]);
const TIMEOUT_MS = 3000;
// A nonsensical wait must not silence the service.
const RETRY_AFTER_MS_MAX = 30_000;
const CONNECTIONS = { keepAlive: true, maxSockets: 4, scheduling: 'lifo' } as const;

type Target = PublisherOptions & { agent: HttpAgent };
type Answer = { status: number; retryAfter: string | undefined; body: string };

export function createPublisher(options: PublisherOptions): Publisher {
  const agent = options.tls ? new HttpsAgent(CONNECTIONS) : new HttpAgent(CONNECTIONS);
  const target = { ...options, agent };
  return {
    async publish(batch, lease) {
      try {
        return classify(withoutSecrets(await post(target, batch, lease), options.app), options.now());
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { kind: 'temporary', error: reason, retryAfterMs: undefined };
      }
    },
    close: () => agent.destroy(),
  };
}

function post(target: Target, batch: OutgoingEvent[], lease: Lease | undefined): Promise<Answer> {
  const { app, isOwn, now, timeoutMs = TIMEOUT_MS } = target;
  const events = batch.map(({ channel, event, data }) => ({ channel, name: event, data }));
  const body = Buffer.from(JSON.stringify({ batch: events }));
  const path = `/apps/${app.id}/batch_events`;
  const query = new URLSearchParams();
  if (isOwn && lease) query.set(GOOD_UNTIL, String(lease.endsAt().getTime()));
  const signed = signedQuery(app, { method: 'POST', path, query, body }, now());
  const request = open(target, `${path}?${signed.toString()}`, body.length);
  return new Promise<Answer>((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
      request.destroy();
    };
    const late = () => fail(new Error(`no complete answer within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      // An unread answer keeps its connection from being used again.
      text(response).then((body) => resolve({ status, retryAfter: headers['retry-after'], body }), reject);
    });
    onConnected(request, target.tls, () => {
      // Looked at last: this process may have been frozen while it connected.
      if (lease?.isOver()) fail(new Error('another process may publish by now'));
      else request.end(body);
    });
  });
}

function open({ tls, host, port, agent }: Target, path: string, length: number): ClientRequest {
  const headers = { 'content-type': 'application/json', 'content-length': length };
  return (tls ? httpsRequest : httpRequest)({ method: 'POST', host, port, path, headers, agent });
}

function onConnected(request: ClientRequest, tls: boolean, act: () => void): void {
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once(tls ? 'secureConnect' : 'connect', act);
    else act();
  });
}

// Push services quote what they refuse, and reasons are logged and stored. 64 hexadecimal digits are a signature.
const withoutSecrets = ({ body, ...answer }: Answer, { secret }: PushApp): Answer => ({
  ...answer,
  body: body.replaceAll(secret, '[Redacted]').replaceAll(/\b[0-9a-f]{64}\b/gi, '[Redacted]'),
});

function classify({ status, retryAfter, body }: Answer, now: Date): Outcome {
  if (status >= 200 && status < 300) return { kind: 'ok' };
  const error = `HTTP ${status} ${body.slice(0, 300)}`.trim();
  return REJECTED.has(status)
    ? { kind: 'rejected', error, status }
    : { kind: 'temporary', error, retryAfterMs: retryAfterMs(retryAfter, now) };
}

/** The header is a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MS_MAX);
}
