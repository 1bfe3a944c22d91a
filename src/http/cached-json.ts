// Public documents from memory: with the tag of their bytes, answered with 304 when the reader has them already.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encode, type Encoding, type Pieces } from './encoding.ts';

/** A document as it goes out in one encoding, with the tag of exactly these bytes. */
export type Representation = { body: Buffer; encoding: Encoding; etag: string };

/** A text in the encoding wanted, with its tag. */
export async function represent(pieces: Pieces, wanted: Encoding): Promise<Representation> {
  const { encoding, body } = await encode(pieces, wanted);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, encoding, etag: `"${hash}"` };
}

/** Sends public JSON, which readers always ask for again, with its ETag; or 304. */
export const sendPublicJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): FastifyReply => sendCached(request, reply, representation, PUBLIC_JSON);

const PUBLIC_JSON = { type: 'application/json; charset=utf-8', cacheControl: 'public, no-cache' };

/** Sends a document with its ETag, or 304. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, encoding, etag }: Representation,
  { type, cacheControl }: { type: string; cacheControl: string },
): FastifyReply {
  void reply.headers({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
  const tags = request.headers['if-none-match'];
  if (tags !== undefined && hasTag(tags, etag)) return reply.code(304).send();
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.type(type).send(body);
}

/** Whether an If-None-Match names the tag. RFC 9110 13.1.2: a list of tags or *, compared weakly. */
export function hasTag(header: string, etag: string): boolean {
  if (header === etag) return true;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
