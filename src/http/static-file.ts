// JSON files that may be replaced while they are sent. Length and date are those of the open file: its name may already lead
// to another.
import { type FileHandle, open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '../errors.ts';
import { chosenEncoding, type Encoding } from './encoding.ts';
import { hasTag } from './cached-json.ts';

const SUFFIXES: Record<Encoding, string> = { identity: '', gzip: '.gz', br: '.br' };

/**
 * Sends a JSON file, compressed when the client takes that and the compressed file lies beside it; or 304.
 * @throws NotFound
 */
export async function sendJsonFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<FastifyReply> {
  const wanted = chosenEncoding(request.headers['accept-encoding']);
  const packed = wanted === 'identity' ? null : await openFile(path + SUFFIXES[wanted]);
  const file = packed ?? (await openFile(path));
  if (!file) throw new NotFound('No such file');
  const { size, mtimeNs } = await file.stat({ bigint: true });
  const modified = new Date(Number(mtimeNs / 1_000_000n));
  const etag = `"${mtimeNs.toString(36)}-${size.toString(36)}"`;
  void reply.headers({
    etag,
    'last-modified': modified.toUTCString(),
    'cache-control': 'public, no-cache',
    vary: 'Accept-Encoding',
  });
  if (isFresh(request, etag, modified)) {
    await file.close();
    return reply.code(304).send();
  }
  if (packed) void reply.header('content-encoding', wanted);
  void reply.header('content-length', String(size)).type('application/json; charset=utf-8');
  return reply.send(file.createReadStream());
}

async function openFile(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

// RFC 9110 13.2.2: with a tag to compare, the date says nothing.
function isFresh({ headers }: FastifyRequest, etag: string, modified: Date): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return hasTag(tags, etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(modified.getTime() / 1000) * 1000 <= since;
}
