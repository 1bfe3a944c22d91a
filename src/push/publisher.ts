// A publisher: it hands batches of events to a push service over its signed HTTP API, and says what became of each.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import Pusher from 'pusher';
import type { PushApp } from '../config.ts';

/** `id` is the event's own: the same event offered again, whole or reduced, carries the same. */
export type OutgoingEvent = { id: number; channel: string; event: string; data: string };

/** Temporary: nothing is wrong with the events, try again later. Rejected: the service will never take this request. */
export type Outcome =
  | { kind: 'ok' }
  | { kind: 'temporary'; error: string; retryAfterMs: number | undefined }
  | { kind: 'rejected'; error: string; status: number };

export type Publisher = {
  /** Sends at most ten events in order, their data byte for byte. Never throws. */
  publish(batch: OutgoingEvent[]): Promise<Outcome>;
  close(): void;
};

export type PublisherOptions = {
  app: PushApp;
  cluster: string;
  /** Unset: the hosted service in the cluster. */
  host: string | undefined;
  port: number | undefined;
  tls: boolean;
  now: () => Date;
  timeoutMs?: number;
};

const REJECTED = new Set([400, 413, 422]);
const SOCKETS_MAX = 4;
const RETRY_AFTER_MS_MAX = 10 * 60_000;

export function createPublisher(options: PublisherOptions): Publisher {
  const timeoutMs = options.timeoutMs ?? 3000;
  const agent = createAgent(options.tls);
  const waits = rememberRetryAfter(agent, options.now);
  const pusher = createClient(options, agent, timeoutMs);
  return {
    async publish(batch) {
      waits.forget();
      try {
        // The library's own timeout ends with the answer's headers; a body that never ends would hold the relay for ever.
        await within(timeoutMs * 2, post(pusher, batch), () => agent.destroy());
        return { kind: 'ok' };
      } catch (error) {
        return classify(error, waits.lastMs());
      }
    },
    close() {
      waits.stop();
      agent.destroy();
    },
  };
}

function createAgent(tls: boolean): HttpAgent {
  const settings = { keepAlive: true, maxSockets: SOCKETS_MAX, scheduling: 'lifo' } as const;
  return tls ? new HttpsAgent(settings) : new HttpAgent(settings);
}

function createClient(options: PublisherOptions, agent: HttpAgent, timeoutMs: number): Pusher {
  const { app, cluster, host, port, tls } = options;
  const common = { appId: app.id, key: app.key, secret: app.secret, useTLS: tls, timeout: timeoutMs, agent };
  if (host === undefined) return new Pusher({ ...common, cluster });
  return new Pusher({ ...common, host, ...(port !== undefined && { port: String(port) }) });
}

async function post(pusher: Pusher, batch: OutgoingEvent[]): Promise<void> {
  // A new array: the library writes into the one it is given.
  const events = batch.map(({ channel, event, data }) => ({ channel, name: event, data }));
  const response = await pusher.triggerBatch(events);
  // An unread answer keeps its connection from being used again.
  await response.text();
}

// The library drops the headers of answers that it turns into errors. Node announces every answer; this agent marks ours.
function rememberRetryAfter(agent: HttpAgent, now: () => Date) {
  let lastMs: number | undefined;
  const onAnswer = (message: unknown) => {
    if (isExchange(message) && message.request.agent === agent) {
      lastMs = retryAfterMs(message.response.headers['retry-after'], now());
    }
  };
  subscribe('http.client.response.finish', onAnswer);
  return {
    lastMs: () => lastMs,
    forget: () => {
      lastMs = undefined;
    },
    stop: () => unsubscribe('http.client.response.finish', onAnswer),
  };
}

/** The header is a number of seconds or a date (RFC 9110, 10.2.3). A nonsensical date must not silence the service. */
function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  if (Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(waitMs, 0), RETRY_AFTER_MS_MAX);
}

type Exchange = { request: { agent?: unknown }; response: { headers: Record<string, string | undefined> } };

function isExchange(message: unknown): message is Exchange {
  return typeof message === 'object' && message !== null && 'request' in message && 'response' in message;
}

async function within(limitMs: number, work: Promise<void>, giveUp: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no complete answer within ${limitMs} ms`));
      giveUp();
    }, limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function classify(error: unknown, retryAfter: number | undefined): Outcome {
  if (!(error instanceof Pusher.RequestError) || error.status === undefined) {
    return { kind: 'temporary', error: reason(error), retryAfterMs: undefined };
  }
  const text = `HTTP ${error.status} ${(error.body ?? '').slice(0, 300)}`.trim();
  return REJECTED.has(error.status)
    ? { kind: 'rejected', error: text, status: error.status }
    : { kind: 'temporary', error: text, retryAfterMs: retryAfter };
}

function reason(error: unknown): string {
  const cause = error instanceof Pusher.RequestError ? error.error : error;
  // Messages name the address asked, whose query is the signature.
  return (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\?auth_\S*/g, '');
}
