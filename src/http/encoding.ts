// Compressed forms of a text, made on the thread pool: the event loop goes on serving meanwhile.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';

export type Encoding = 'identity' | 'gzip' | 'br';

// Of those that a client weighs alike the first is taken: the smallest.
const SUPPORTED: Encoding[] = ['br', 'gzip', 'identity'];
// Shorter texts fit one packet anyway.
const MIN_BYTES = 1000;
// Smaller than gzip -9 in the time of gzip -6.
const BROTLI_QUALITY = 5;

/** The encoding for an Accept-Encoding header; without one the text goes out as it is. */
export function chosenEncoding(header: string | string[] | undefined): Encoding {
  return (header && negotiate(String(header), SUPPORTED)) || 'identity';
}

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** The text in that encoding, or as it is when it is too short to gain by it. */
export async function encode(
  text: Buffer,
  encoding: Encoding,
): Promise<{ encoding: Encoding; body: Buffer }> {
  if (encoding === 'identity' || text.length < MIN_BYTES) return { encoding: 'identity', body: text };
  if (encoding === 'gzip') return { encoding, body: await gzipped(text) };
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  return { encoding, body: await brotlied(text, { params }) };
}
