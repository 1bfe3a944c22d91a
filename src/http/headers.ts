// Headers as the OpenAPI document declares them: those that operations read, and those of their answers. Pure.
import type { z } from 'zod';

type Header = { type: 'string' | 'integer'; description: string; example: string | number };

/** Read by operations that name them in their schema. They are judged where they are read, not by it. */
const READ = {
  'If-Match': {
    type: 'string',
    description: 'The ETag that the unit was read with: saved only if it still has it, else 412',
    example: '"4711"',
  },
  'If-None-Match': {
    type: 'string',
    description: 'ETags of what the reader has already: 304 if nothing changed',
    example: '"q3Vw1cO0mE8f6yqkqCq2lZy2a0M"',
  },
  'Last-Event-ID': {
    type: 'string',
    description: 'The cursor of the last event that was read, as browsers send it when they connect again',
    example: '5d0c1f2ab39e-000000000128',
  },
  'Idempotency-Key': {
    type: 'string',
    description:
      'A key of the client’s own, 1 to 200 characters: for a day, the same request with it again changes nothing',
    example: 'tablet-2-0047',
  },
} as const satisfies Record<string, Header>;

const ANSWERED = {
  ETag: {
    type: 'string',
    description: 'Of exactly this content; of a unit, its revision',
    example: '"4711"',
  },
  'Last-Modified': {
    type: 'string',
    description: 'When the file was written',
    example: 'Sat, 18 Jul 2026 02:00:03 GMT',
  },
  Location: {
    type: 'string',
    description: 'The path of it',
    example: '/api/v1/competitions/5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
  },
  'X-Total-Count': {
    type: 'integer',
    description: 'How many there are in all, without limit and offset',
    example: 128,
  },
  'Retry-After': { type: 'integer', description: 'Seconds to wait before trying again', example: 5 },
  'Idempotency-Key': {
    type: 'string',
    description: 'When it may have been saved: the same request with this key is recorded once',
    example: '6f0d6c2e-5a53-4f0b-9a53-0d7b9f3f8a11',
  },
  'WWW-Authenticate': { type: 'string', description: 'How to sign in', example: 'Bearer' },
} as const satisfies Record<string, Header>;

export type ReadHeader = keyof typeof READ;
export type AnsweredHeader = keyof typeof ANSWERED;

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string;
    /** The headers that the operation reads beside those of every request. */
    readsHeaders?: ReadHeader[];
  }
}

/** The shape of an answer, with what it means there and the headers that come with it. */
export function answer<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  headers: AnsweredHeader[] = [],
): Schema {
  if (headers.length === 0) return schema.meta({ description });
  const declared = Object.fromEntries(headers.map((name) => [name, ANSWERED[name]]));
  // The headers are no keyword of a schema: the document's maker takes them for the answer. A text that the schema has itself
  // would be dropped as a repetition.
  return schema.meta({ description, headers: declared });
}

/** The same of an answer that is a file, of that media type. */
export function fileAnswer<Schema extends z.ZodType>(
  schema: Schema,
  { type, description, headers }: { type: string; description: string; headers: AnsweredHeader[] },
) {
  const declared = Object.fromEntries(headers.map((name) => [name, ANSWERED[name]]));
  return { description, content: { [type]: { schema } }, headers: declared };
}

/** The headers that an operation reads, as a JSON schema. */
export const readHeaders = (names: ReadHeader[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, READ[name]])),
});
