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
  return tagged(await encode(pieces, wanted, maxBytes));
}

/** What was encoded already, with its tag. */
export function tagged({ encoding, body }: { encoding: Encoding; body: Buffer }): Representation {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, encoding, etag: `"${hash}"` };
}

/**
 * What public documents say of their keeping. Readers always ask again, and their question may be answered by a shared cache
 * that asked at most so many seconds ago.
 */
export const publicCacheControl = (edgeSeconds: number): string =>
  edgeSeconds > 0
    ? `public, max-age=0, s-maxage=${edgeSeconds}, stale-while-revalidate=${edgeSeconds}`
    : 'public, no-cache';

/** Of JSON, which documents are unless they say otherwise, and how long they may be kept. */
type Sending = { type?: string | undefined; cacheControl: string };

/** Sends a public document with its ETag; or 304. */
export const sendPublic = (
  request: FastifyRequest,
  reply: FastifyReply,
  { representation, type = JSON_TYPE, cacheControl }: Sending & { representation: Representation },
): FastifyReply => sendCached(request, reply, representation, { type, cacheControl });

/** A document that is too large for memory. Nobody has seen all its bytes: its tag is weak, and of what it was made from. */
export type Streamed = {
  etag: string;
  encoding: Encoding;
  /** Begins to read it, which may be of a later state. Null when it is gone by then. */
  open: () => Promise<{ etag: string; body: Readable } | null>;
};

/** Sends a public document as it is made, or 304. @returns null when it is gone */
export async function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  { streamed: { etag, encoding, open }, type = JSON_TYPE, cacheControl }: Sending & { streamed: Streamed },
): Promise<FastifyReply | null> {
  if (isKnown(request, etag)) return kept(reply, { etag, cacheControl }).code(304).send();
  // Of what is gone, or fails, nothing is kept.
  const opened = request.method === 'HEAD' ? { etag, body: '' } : await open();
  if (!opened) return null;
  void kept(reply, { etag: opened.etag, cacheControl }).type(type);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(opened.body);
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends a document with its ETag, or 304. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, encoding, etag }: Representation,
  { type, cacheControl }: { type: string; cacheControl: string },
): FastifyReply {
  void kept(reply, { etag, cacheControl });
  if (isKnown(request, etag)) return reply.code(304).send();
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.type(type).send(body);
}

/** Sets what an answer says of its keeping. */
const kept = (reply: FastifyReply, { etag, cacheControl }: { etag: string; cacheControl: string }) =>
  reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });

/** Whether the reader has it already. */
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const tags = headers['if-none-match'];
  return tags !== undefined && hasTag(tags, etag);
}

/** Whether an If-None-Match names the tag. RFC 9110 13.1.2: a list of tags or *, compared weakly. */
export function hasTag(header: string, etag: string): boolean {
  if (header === etag) return true;
  return header.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag));
}

const strong = (tag: string) => tag.trim().replace(/^W\//, '');
