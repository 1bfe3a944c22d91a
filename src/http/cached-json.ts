// Public documents from memory: with the tag of their bytes, answered with 304 when the reader has them already.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encode, type Encoding, type Pieces } from './encoding.ts';

/** A document as it goes out in one encoding, with the tag of exactly these bytes. */
export type Representation = { body: Buffer; encoding: Encoding; etag: string };

/** A text in the encoding wanted, with its tag. @throws TooLargeToKeep */
export async function represent(
  pieces: Pieces,
  wanted: Encoding,
  maxBytes?: number,
): Promise<Representation> {
  const { encoding, body } = await encode(pieces, wanted, maxBytes);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, encoding, etag: `"${hash}"` };
}

/** Sends public JSON, which readers always ask for again, with its ETag; or 304. */
export const sendPublicJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): FastifyReply => sendCached(request, reply, representation, PUBLIC_JSON);

/** A document that is too large for memory. Nobody has seen all its bytes: its tag is weak, and of what it was made from. */
export type Streamed = {
  etag: string;
  encoding: Encoding;
  /** Begins to read it, which may be of a later state. Null when it is gone by then. */
  open: () => Promise<{ etag: string; body: Readable } | null>;
};

/** Sends public JSON as it is made, or 304. @returns null when the document is gone */
export async function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, encoding, open }: Streamed,
): Promise<FastifyReply | null> {
  const { type, cacheControl } = PUBLIC_JSON;
  if (isKnown(request, reply, { etag, cacheControl })) return reply.code(304).send();
  const opened = request.method === 'HEAD' ? { etag, body: '' } : await open();
  if (!opened) {
    void reply.removeHeader('etag');
    return null;
  }
  void reply.header('etag', opened.etag).type(type);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(opened.body);
}

const PUBLIC_JSON = { type: 'application/json; charset=utf-8', cacheControl: 'public, no-cache' };

/** Sends a document with its ETag, or 304. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, encoding, etag }: Representation,
  { type, cacheControl }: { type: string; cacheControl: string },
): FastifyReply {
  if (isKnown(request, reply, { etag, cacheControl })) return reply.code(304).send();
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.type(type).send(body);
}

/** Sets what an answer says of its keeping. @returns whether the reader has it already */
function isKnown(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, cacheControl }: { etag: string; cacheControl: string },
): boolean {
  void reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
  const tags = headers['if-none-match'];
  return tags !== undefined && hasTag(tags, etag);
}

/** Whether an If-None-Match names the tag. RFC 9110 13.1.2: a list of tags or *, compared weakly. */
export function hasTag(header: string, etag: string): boolean {
  if (header === etag) return true;
  return header.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag));
}

const strong = (tag: string) => tag.trim().replace(/^W\//, '');
