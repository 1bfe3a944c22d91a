// Request bodies: JSON, also without a Content-Type (real clients post it so), within limits of size, of content and of how much
// is under way at once.
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { Invalid, type Issue } from '../errors.ts';
import { createInFlight, type Hold, type InFlightLimits } from './bodies-in-flight.ts';
import { type Extent, extentOf, findBodyFaults, MAX_FIELDS, MAX_ITEMS } from './body-faults.ts';
import { createProblems, type Problems } from './problems.ts';
import { addressKey } from './rate-limit.ts';

export const MAX_DEPTH = 32;
const LARGE_BYTES = 262_144;

/** A body that cannot be read at all; http/errors.ts answers with `statusCode`. */
export class UnreadableBody extends Error {
  readonly statusCode: 400 | 408 | 413 | 415;
  constructor(statusCode: 400 | 408 | 413 | 415, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** A large body as it came, for routes that have it read elsewhere: whoever puts its parts together stands still meanwhile. */
export class LargeBody {
  readonly parts: Buffer[];
  constructor(parts: Buffer[]) {
    this.parts = parts;
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes large bodies unread, as LargeBody. */
    largeBodiesAsBytes?: true;
  }
}

// Faults found while reading wait here for validation, so that authorisation is answered first and all faults at once.
const faultsOf = new WeakMap<object, Faults>();
type Faults = { problems: Problems; deep: boolean };

/** Faults of a parsed body that no schema sees: NUL, lone surrogates, reserved names, depth. */
export const faultsFoundReading = (body: unknown): Faults | undefined =>
  typeof body === 'object' && body !== null ? faultsOf.get(body) : undefined;

type Reading<Body> = (request: FastifyRequest, payload: NodeJS.ReadableStream) => Promise<Body>;
/** Reads the bytes of a body, within the limit of its route. */
export type ReadBody = Reading<Buffer>;
/** The same, but for a large one, which it leaves in parts. */
export type TakeBody = Reading<Buffer | LargeBody>;

/** How fast a body has to come: at this rate within each such time. */
export type BodyPace = { bytesPerSecond: number; withinMs: number };
const SLOWEST: BodyPace = { bytesPerSecond: 1000, withinMs: 10_000 };

type BodyOptions = { inFlight: InFlightLimits; pace?: BodyPace };

/** Takes the place of Fastify's parsers; the limit is the route's, else the application's `bodyLimit`. */
export const jsonBody = fastifyPlugin(
  async (app: FastifyInstance, { inFlight, pace = SLOWEST }: BodyOptions) => {
    const holdFor = createInFlight(inFlight);
    const holds = new WeakMap<FastifyRequest, Hold>();
    // What was read is in memory, in one form or another, until the answer is out.
    app.addHook('preParsing', (request, { raw }, payload, done) => {
      if (hasBody(request)) {
        const hold = holdFor(addressKey(request.ip));
        holds.set(request, hold);
        raw.once('finish', () => hold.release());
        raw.once('close', () => hold.release());
      }
      done(null, payload);
    });
    // What is still to come of a body that was answered without being read is waited for no longer than for some bytes.
    app.addHook('onResponse', ({ raw }, _reply, done) => {
      if (!raw.complete) setTimeout(() => raw.complete || raw.destroy(), pace.withinMs).unref();
      done();
    });
    const takeBody: TakeBody = async (request, payload) => {
      const hold = holds.get(request);
      if (!hold) return Buffer.alloc(0);
      const { bodyLimit } = request.routeOptions;
      return collect(payload, { limitBytes: bodyLimit, declared: declaredBytes(request), hold, pace });
    };
    const readBody: ReadBody = async (request, payload) => wholeOf(await takeBody(request, payload));
    app.decorate('takeBody', takeBody);
    app.decorate('readBody', readBody);

    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
      if (type !== '' && !/^application\/([\w.-]+\+)?json$/.test(type)) {
        throw new UnreadableBody(415, `Content-Type ${type} is not supported: send application/json`);
      }
      const taken = await takeBody(request, payload);
      if (taken instanceof LargeBody && request.routeOptions.config.largeBodiesAsBytes) return taken;
      const bytes = wholeOf(taken);
      // Each step of reading a large body takes a while: others get their turn in between.
      const isLarge = taken instanceof LargeBody;
      const othersTurn = () => (isLarge ? nextTurn() : undefined);
      const extent = judgedExtent(bytes);
      await othersTurn();
      const body = parse(bytes);
      await othersTurn();
      noteFaults(body, bytes, extent);
      await othersTurn();
      return body;
    });
  },
  { name: 'json-body' },
);

const wholeOf = (body: Buffer | LargeBody): Buffer =>
  body instanceof LargeBody ? Buffer.concat(body.parts) : body;

/** How long the body says it is. */
export const declaredBytes = ({ headers }: FastifyRequest): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

/** Whether a body comes with the request, read or not. */
export const hasBody = (request: FastifyRequest): boolean =>
  (declaredBytes(request) ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined;

const FEW_BYTES = 65_536;

/** Whether the request says that its body is larger than it may be: it will not be read. */
export const isTooLarge = (request: FastifyRequest): boolean =>
  (declaredBytes(request) ?? 0) > request.routeOptions.bodyLimit;

/** Whether the body may be large: it says so, or it does not say how large it is. */
export const mayBeLarge = (request: FastifyRequest): boolean =>
  hasBody(request) && (declaredBytes(request) ?? Infinity) > FEW_BYTES;

const tooSlow = ({ bytesPerSecond }: BodyPace) =>
  new UnreadableBody(408, `The body comes too slowly: less than ${bytesPerSecond} bytes a second`);

type Collecting = { limitBytes: number; declared: number | undefined; hold: Hold; pace: BodyPace };

function collect(
  payload: NodeJS.ReadableStream,
  { limitBytes, declared, hold, pace }: Collecting,
): Promise<Buffer | LargeBody> {
  const tooLarge = () =>
    new UnreadableBody(
      413,
      `The body is larger than the limit of ${limitBytes} bytes: send it in parts, such as one event after another`,
    );
  if ((declared ?? 0) > limitBytes) return Promise.reject(tooLarge());
  hold.check(declared ?? 0);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let chunks: Buffer[] = [];
    let chunksSize = 0;
    let size = 0;
    let sizeBefore = 0;
    const watch = setInterval(() => {
      if (size - sizeBefore < (pace.bytesPerSecond * pace.withinMs) / 1000) stop(tooSlow(pace));
      sizeBefore = size;
    }, pace.withinMs);
    const leave = () => {
      clearInterval(watch);
      payload.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    };
    const stop = (error: Error) => {
      leave();
      // What still comes is up to the answer: see errors.ts.
      payload.pause();
      parts.length = 0;
      chunks = [];
      reject(error);
    };
    // Chunks may be as small as what goes over the line at once.
    const join = () => {
      const joined = Buffer.concat(chunks, chunksSize);
      chunks = [];
      chunksSize = 0;
      return joined;
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) return stop(tooLarge());
      try {
        hold.add(chunk.length);
        chunks.push(chunk);
        chunksSize += chunk.length;
        if (chunksSize > LARGE_BYTES) parts.push(join());
      } catch (error) {
        stop(error as Error);
      }
    };
    const onEnd = () => {
      leave();
      const last = join();
      resolve(parts.length > 0 ? new LargeBody([...parts, last]) : last);
    };
    const onClose = () => stop(new UnreadableBody(400, 'The body ended too early'));
    payload.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}

/** The JSON in these bytes; undefined when they hold nothing. @throws UnreadableBody; Invalid when it is nested beyond reason */
export function readJson(bytes: Buffer): unknown {
  const extent = judgedExtent(bytes);
  const body = parse(bytes);
  noteFaults(body, bytes, extent);
  return body;
}

const tooMuch = (limit: number, what: string, remedy: string) =>
  new UnreadableBody(413, `The body has more than ${limit.toLocaleString('en')} ${what}: ${remedy}`);

// Before the text is parsed: it is what becomes of it that takes the memory.
function judgedExtent(bytes: Buffer): Extent {
  const extent = extentOf(bytes, MAX_DEPTH);
  if (extent.items > MAX_ITEMS)
    throw tooMuch(MAX_ITEMS, 'items in its arrays', 'send it in parts, such as one event after another');
  if (extent.fields > MAX_FIELDS) throw tooMuch(MAX_FIELDS, 'fields in one object', 'use an array');
  return extent;
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

function noteFaults(body: unknown, bytes: Buffer, { deep }: Extent): void {
  if (typeof body !== 'object' || body === null) return;
  // Raw control characters and lone surrogates cannot occur in valid UTF-8 JSON: only escapes can bring them in.
  if (!deep && !bytes.includes('\\u') && !bytes.includes('__proto__')) return;
  const problems = createProblems();
  findBodyFaults(body, MAX_DEPTH, problems);
  if (problems.count() > 0) faultsOf.set(body, { problems, deep });
}

const tooDeep: Issue = { loc: ['body'], msg: 'Nested too deeply', type: 'too_deep' };
