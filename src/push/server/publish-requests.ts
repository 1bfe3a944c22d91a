// Requests of the publish API: one event for many channels, or a batch of events, within the protocol's limits.
import { z } from 'zod';
import { CHANNEL_NAME, parseJson } from './protocol.ts';

export type Publication = {
  channels: string[];
  event: string;
  data: string;
  exceptSocketId: string | undefined;
};
/** Refused as a whole, with the status and reason of the first fault. */
export type Refusal = { status: 400 | 413; detail: string };

const Channel = z.string().regex(CHANNEL_NAME, 'bad channel name');
const fields = {
  name: z.string().min(1).max(200),
  data: z.string(),
  socket_id: z
    .string()
    .regex(/^\d+\.\d+$/, 'must be two numbers joined by a dot')
    .nullish(),
};
const Event = z
  .object({ ...fields, channels: z.array(Channel).min(1).max(100).optional(), channel: Channel.optional() })
  .refine((event) => event.channels ?? event.channel, 'channels: required')
  .transform((event) => publication(event, event.channels ?? [event.channel ?? '']));
const BatchEvent = z
  .object({ ...fields, channel: Channel })
  .transform((event) => publication(event, [event.channel]));
const Single = Event.transform((event) => [event]);
const Batch = z.object({ batch: z.array(BatchEvent).max(10) }).transform(({ batch }) => batch);

export function parseEvent(body: Buffer, maxEventBytes: number): Publication[] | Refusal {
  return parse(Single, body, maxEventBytes);
}

export function parseBatch(body: Buffer, maxEventBytes: number): Publication[] | Refusal {
  return parse(Batch, body, maxEventBytes);
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

function reason(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
    .join('; ');
}
