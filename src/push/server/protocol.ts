// The frames of the Pusher protocol (versions 4 to 7, public channels) as text, in both directions.
import { z } from 'zod';

/** Error codes, which are also the codes a connection is closed with. Clients act on the hundreds: 40xx give up for good. */
export const CODES = {
  unknownApp: 4001,
  badVersion: 4006,
  unsupportedProtocol: 4007,
  noProtocol: 4008,
  /** Clients come back after a second: right for a restart, and for a limit that others may free. */
  overCapacity: 4100,
  pongMissing: 4201,
  clientEventRefused: 4301,
} as const;

export const ACTIVITY_TIMEOUT_SECONDS = 120;
export const CHANNEL_NAME = /^[A-Za-z0-9_\-=@,.;]{1,200}$/;

export type ProtocolError = { code: number; message: string };
export type ClientFrame =
  | { kind: 'subscribe'; channel: string }
  | { kind: 'unsubscribe'; channel: string }
  | { kind: 'refuse-subscription'; channel: string }
  | { kind: 'ping' }
  | { kind: 'pong' }
  | { kind: 'client-event' }
  | { kind: 'bad'; reason: string };

const Frame = z.object({
  event: z.string().max(200),
  data: z.unknown().optional(),
});
const ChannelData = z.object({ channel: z.string() });

export function parseFrame(text: string): ClientFrame {
  const frame = Frame.safeParse(parseJson(text));
  if (!frame.success) return bad('a frame is a JSON object with an event');
  const { event, data } = frame.data;
  if (event === 'pusher:ping') return { kind: 'ping' };
  if (event === 'pusher:pong') return { kind: 'pong' };
  if (event === 'pusher:subscribe') return parseSubscribe(channelOf(data));
  if (event === 'pusher:unsubscribe') return parseUnsubscribe(channelOf(data));
  if (event.startsWith('client-')) return { kind: 'client-event' };
  return bad('unknown event');
}

function parseSubscribe(channel: string | undefined): ClientFrame {
  if (channel === undefined || !CHANNEL_NAME.test(channel)) return bad('bad channel name');
  const isPublic = !/^(private|presence)-/.test(channel);
  return { kind: isPublic ? 'subscribe' : 'refuse-subscription', channel };
}

function parseUnsubscribe(channel: string | undefined): ClientFrame {
  return channel === undefined ? bad('bad channel name') : { kind: 'unsubscribe', channel };
}

function bad(reason: string): ClientFrame {
  return { kind: 'bad', reason };
}

// Some clients send `data` as a JSON string, as servers do.
function channelOf(data: unknown): string | undefined {
  const parsed = ChannelData.safeParse(typeof data === 'string' ? parseJson(data) : data);
  return parsed.data?.channel;
}

/** Undefined when the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with the query of a handshake: the protocol number is required, the client's version is not. */
export function handshakeError(query: URLSearchParams): ProtocolError | undefined {
  const [protocol, ...others] = query.getAll('protocol');
  if (!protocol) return { code: CODES.noProtocol, message: 'no protocol version given' };
  if (!/^[4-7]$/.test(protocol) || others.length > 0) {
    return { code: CODES.unsupportedProtocol, message: 'this server speaks one protocol of 4 to 7' };
  }
  if (!query.getAll('version').every((version) => /^[\w.+-]{0,64}$/.test(version))) {
    return { code: CODES.badVersion, message: 'malformed client version' };
  }
  return undefined;
}

export const PING = frame('pusher:ping', {});
export const PONG = frame('pusher:pong', {});

export function connectionEstablished(socketId: string): string {
  return frame(
    'pusher:connection_established',
    JSON.stringify({ socket_id: socketId, activity_timeout: ACTIVITY_TIMEOUT_SECONDS }),
  );
}

export function subscriptionSucceeded(channel: string): string {
  return JSON.stringify({ event: 'pusher_internal:subscription_succeeded', channel, data: '{}' });
}

export function subscriptionError(channel: string, type: string, error: string, status: number): string {
  return JSON.stringify({ event: 'pusher:subscription_error', channel, data: { type, error, status } });
}

/** Without a code the connection goes on. */
export function errorFrame(code: number | null, message: string): string {
  return frame('pusher:error', { code, message });
}

/** `data` is passed on as it is, as a JSON string. */
export function messageFrame(channel: string, event: string, data: string): string {
  return JSON.stringify({ event, channel, data });
}

function frame(event: string, data: unknown): string {
  return JSON.stringify({ event, data });
}
