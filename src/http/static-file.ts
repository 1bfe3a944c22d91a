// JSON files that may be replaced while they are sent. Length and date are those of the open file: its name may already lead
// to another.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '../errors.ts';
import { chosenEncoding, type Encoding } from './encoding.ts';
import { hasTag } from './cached-json.ts';

const TAGS_MAX = 5000;

const SUFFIXES: Record<Encoding, string> = { identity: '', gzip: '.gz', br: '.br' };

/** The tag of a file's content. */
export type FileTags = (file: FileHandle) => Promise<string>;

/**
 * Of the content: replicas with folders of their own give one file one tag, and a night in which nothing changed none new.
 * Each is made once, and kept by what tells one file from another on this disk.
 */
export function createFileTags(): FileTags {
  const tags = new Map<string, string>();
  return async (file) => {
    const { dev, ino, size, ctimeNs } = await file.stat({ bigint: true });
    const key = [dev, ino, size, ctimeNs].join(' ');
    const known = tags.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    await pipeline(file.createReadStream({ start: 0, autoClose: false }), hash);
    const tag = `"${hash.digest('base64url').slice(0, 27)}"`;
    if (tags.size >= TAGS_MAX) tags.clear();
    tags.set(key, tag);
    return tag;
  };
}

/**
 * Sends a JSON file, compressed when the client takes that and the compressed file lies beside it; or 304.
 * @throws NotFound
 */
export async function sendJsonFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, tagOf }: { path: string; tagOf: FileTags },
): Promise<FastifyReply> {
  const wanted = chosenEncoding(request.headers['accept-encoding']);
  const packed = wanted === 'identity' ? null : await openFile(path + SUFFIXES[wanted]);
  const file = packed ?? (await openFile(path));
  if (!file) throw new NotFound('No such file');
  const { size, mtimeMs } = await file.stat();
  const modified = new Date(mtimeMs);
  const etag = await tagOf(file);
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
  return reply.send(file.createReadStream({ start: 0 }));
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
