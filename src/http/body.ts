// Request bodies: JSON, also without a Content-Type (real clients post it so), within the size limit.
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { Invalid, type Issue } from '../errors.ts';
import { bodyFaults, isDeep } from './body-faults.ts';

export const MAX_DEPTH = 32;
const LARGE_BYTES = 262_144;

/** A body that cannot be read at all; http/errors.ts answers with `statusCode`. */
export class UnreadableBody extends Error {
  readonly statusCode: 400 | 413 | 415;
  constructor(statusCode: 400 | 413 | 415, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

// Faults found while reading wait here for validation, so that authorisation is answered first and all faults at once.
const faultsOf = new WeakMap<object, Issue[]>();

/** Faults of a parsed body that no schema sees: NUL, lone surrogates, reserved names, depth. */
export const faultsFoundReading = (body: unknown): Issue[] =>
  typeof body === 'object' && body !== null ? (faultsOf.get(body) ?? []) : [];

/** Takes the place of Fastify's parsers; the limit is the route's, else the application's `bodyLimit`. */
export const jsonBody = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      const bytes = await collect(payload, request.routeOptions.bodyLimit);
      if (type !== '' && !/^application\/([\w.-]+\+)?json$/.test(type)) {
        throw new UnreadableBody(415, `Content-Type ${type} is not supported: send application/json`);
      }
      // Each step of reading a large body takes a while: others get their turn in between.
      const othersTurn = () => (bytes.length > LARGE_BYTES ? nextTurn() : undefined);
      const body = parse(bytes);
      await othersTurn();
      noteFaults(body, bytes);
      await othersTurn();
      return body;
    });
  },
  { name: 'json-body' },
);

// Past the limit the rest is read and dropped: closing at once would reset the connection before the client sees the answer.
async function collect(payload: NodeJS.ReadableStream, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payload as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > limitBytes) {
    throw new UnreadableBody(413, `The body is larger than the limit of ${limitBytes} bytes`);
  }
  return Buffer.concat(chunks, size);
}

/** The JSON in these bytes; undefined when they hold nothing. @throws UnreadableBody; Invalid when it is nested beyond reason */
export function readJson(bytes: Buffer): unknown {
  const body = parse(bytes);
  noteFaults(body, bytes);
  return body;
}

function parse(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new UnreadableBody(400, 'The body is not UTF-8 text');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new Invalid([tooDeep]);
    throw new UnreadableBody(400, `The body is not valid JSON: ${(error as Error).message}`);
  }
}

function noteFaults(body: unknown, bytes: Buffer): void {
  if (typeof body !== 'object' || body === null) return;
  // Raw control characters and lone surrogates cannot occur in valid UTF-8 JSON: only escapes can bring them in.
  const suspicious = bytes.includes('\\u') || bytes.includes('__proto__') || isDeep(bytes, MAX_DEPTH);
  if (!suspicious) return;
  const faults = bodyFaults(body, MAX_DEPTH);
  if (faults.length) faultsOf.set(body, faults);
}

const tooDeep: Issue = { loc: ['body'], msg: 'Nested too deeply', type: 'too_deep' };
