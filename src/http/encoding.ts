// Compressed forms of a text that comes in pieces. Compression runs on the thread pool, piece by piece: the event loop goes on
// serving meanwhile, and the whole text is never in memory.
import { pipeline, Readable } from 'node:stream';
import { pipeline as finishedPipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';

export type Encoding = 'identity' | 'gzip' | 'br';
type Piece = string | Buffer;
export type Pieces = Iterable<Piece> | AsyncIterable<Piece>;

// The smallest first: of encodings that a client weighs alike the first is taken.
const SUPPORTED: Encoding[] = ['br', 'gzip', 'identity'];
// Shorter texts fit one packet anyway.
const MIN_BYTES = 1000;
const CHUNK_BYTES = 262_144;
const SLICE_MS = 5;

// Live documents are made anew at every save: the default level takes four times as long for a tenth less.
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 4;
const COMPRESSORS = {
  gzip: () => createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }),
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      chunkSize: CHUNK_BYTES,
    }),
};

const gzipped = promisify(gzip);
// Its default is its best.
const brotliCompressed = promisify(brotliCompress);

/** The encoding for an Accept-Encoding header; without one the text goes out as it is. */
export function chosenEncoding(header: string | string[] | undefined): Encoding {
  return (header && negotiate(String(header), SUPPORTED)) || 'identity';
}

/** A text takes more bytes than it may in memory. */
export class TooLargeToKeep extends Error {}

/**
 * The text in that encoding, or as it is when it is too short to gain by it.
 * @throws TooLargeToKeep, as soon as it has more than `maxBytes`
 */
export async function encode(
  pieces: Pieces,
  wanted: Encoding,
  maxBytes = Infinity,
): Promise<{ encoding: Encoding; body: Buffer }> {
  const buffer = (source: AsyncIterable<Buffer>) => collect(source, maxBytes);
  const chunks = chunksOf(pieces);
  const first = (await chunks.next()).value ?? Buffer.alloc(0);
  const whole = startingWith(first, chunks);
  if (wanted === 'identity' || first.length < MIN_BYTES)
    return { encoding: 'identity', body: await buffer(whole) };
  return { encoding: wanted, body: await finishedPipeline(whole, COMPRESSORS[wanted](), buffer) };
}

/** A text that stays as it is for good, as small as it gets: worth many times the work of a live one. */
export async function encodeForGood(
  text: string,
  wanted: Encoding,
): Promise<{ encoding: Encoding; body: Buffer }> {
  const bytes = Buffer.from(text);
  if (wanted === 'identity') return { encoding: 'identity', body: bytes };
  const body = wanted === 'gzip' ? await gzipped(bytes, { level: 9 }) : await brotliCompressed(bytes);
  return body.length < bytes.length ? { encoding: wanted, body } : { encoding: 'identity', body: bytes };
}

/** A long text in that encoding, made as it is taken. */
export function encodeAsTaken(pieces: Pieces, encoding: Encoding): AsyncIterable<Buffer> {
  const chunks = chunksOf(pieces);
  // An error reaches whoever takes the last of the streams.
  return encoding === 'identity'
    ? chunks
    : pipeline(Readable.from(chunks), COMPRESSORS[encoding](), () => {});
}

async function collect(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLargeToKeep();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

async function* chunksOf(pieces: Pieces): AsyncGenerator<Buffer, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let text = '';
  let since = performance.now();
  const add = (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
  };
  const addText = () => {
    if (text !== '') add(Buffer.from(text));
    text = '';
  };
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      addText();
      add(piece);
    }
    // Pieces at hand follow one another without a turn of the event loop, and others would wait.
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
    if (bytes + text.length < CHUNK_BYTES) continue;
    addText();
    yield Buffer.concat(parts);
    [parts, bytes] = [[], 0];
  }
  addText();
  if (bytes > 0) yield Buffer.concat(parts);
  return undefined;
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
