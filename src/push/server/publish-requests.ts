// Requests of the publish API: one event for many channels, or a batch of events, within the protocol's limits.
import { z } from 'zod';
import { CHANNEL_NAME, parseJson } from './protocol.ts';

export type Publication = {
  channels: string[];
  event: string;
  data: string;
  exceptSocketId?: string | undefined;
};
/** Refused as a whole, with the status and reasons of the first faults. */
export type Refusal = { status: 400 | 413; detail: string };

/** As many as the push protocol allows in one request. */
export const BATCH_EVENTS_MAX = 10;
/** As many as are taken from the outbox at a time. */
export const OWN_BATCH_EVENTS_MAX = 100;
/** Of data that we send in one request, unless one event has more: proxies in front of push servers let it through. */
export const BATCH_BYTES_MAX = 800_000;

const Channel = z.string().regex(CHANNEL_NAME, 'bad channel name');
const fields = {
  name: z.string().min(1).max(200),
  data: z.string(),
  socket_id: z
    .string()
    .regex(/^\d+\.\d+$/, 'must be two numbers joined by a dot')
    .nullish(),
};
// Counted before any of them is looked at.
const list = <Item extends z.ZodType>(item: Item, min: number, max: number) =>
  z.array(z.unknown()).min(min).max(max).pipe(z.array(item));
const Event = z
  .object({ ...fields, channels: list(Channel, 1, 100).optional(), channel: Channel.optional() })
  .refine((event) => event.channels ?? event.channel, 'channels: required')
  .transform((event) => publication(event, event.channels ?? [event.channel ?? '']));
const BatchEvent = z
  .object({ ...fields, channel: Channel })
  .transform((event) => publication(event, [event.channel]));
const Single = Event.transform((event) => [event]);
const batchOf = (max: number) =>
  z.object({ batch: list(BatchEvent, 0, max) }).transform(({ batch }) => batch);
const Batch = batchOf(BATCH_EVENTS_MAX);
const OwnBatch = batchOf(OWN_BATCH_EVENTS_MAX);

export function parseEvent(body: Buffer, maxEventBytes: number): Publication[] | Refusal {
  return parse(Single, body, maxEventBytes);
}

/** @param isOwn whether one of our own processes sends it */
export function parseBatch(body: Buffer, maxEventBytes: number, isOwn: boolean): Publication[] | Refusal {
  return parse(isOwn ? OwnBatch : Batch, body, maxEventBytes);
}

export function isRefusal(result: Publication[] | Refusal): result is Refusal {
  return 'status' in result;
}

function parse(
  schema: z.ZodType<Publication[]>,
  body: Buffer,
  maxEventBytes: number,
): Publication[] | Refusal {
  const json = parseJson(body.toString());
  if (json === undefined) return { status: 400, detail: 'the body is not JSON' };
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { status: 400, detail: reason(parsed.error) };
  const tooLarge = parsed.data.some((event) => Buffer.byteLength(event.data) > maxEventBytes);
  if (tooLarge) return { status: 413, detail: `data of one event may have ${maxEventBytes} bytes` };
  return parsed.data;
}

function publication(
  event: { name: string; data: string; socket_id?: string | null | undefined },
  channels: string[],
): Publication {
  return { channels, event: event.name, data: event.data, exceptSocketId: event.socket_id ?? undefined };
}

const FAULTS_TOLD = 3;

function reason(error: z.ZodError): string {
  return error.issues
    .slice(0, FAULTS_TOLD)
    .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}
