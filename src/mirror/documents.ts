// The documents of a mirror: asked for by their ETags, and put in their places with a compressed form beside each.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Away, patiently, reasonOf, received } from '../remote-server.ts';
import { replaceFile } from '../replace-file.ts';
import type { Kept } from './catalogue.ts';
import { urlPathOf } from './places.ts';

export type Source = { base: string; cursor: string };
export type Target = {
  folder: string;
  temporary: () => string;
  now: () => number;
  /** One at a time are folders made and removed: those above may go with the last document in them. */
  folderInTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
};
export type Asked = {
  /** Of the document, below the mirror's. */
  folder: string;
  known: Kept | undefined;
  /** Whether the file may be another than what was received. */
  doubted: boolean;
};

/** The service does not give the document, and will not if it is asked again. */
export class Refused extends Error {}

/** A whole competition may be of many megabytes, over a slow line. */
const TIMEOUT_MS = 300_000;
const NAME = 'index.json';
const FORMS = [`${NAME}.gz`, NAME];
const compressed = promisify(gzip);
const uncompressed = promisify(gunzip);

/** @returns what lies there from now on: the same as was known when nothing changed, null when there is no such document */
export async function bringUpToDate(source: Source, target: Target, asked: Asked): Promise<Kept | null> {
  const { folder, known } = asked;
  const answer = await ask(source, folder, await etagToSend(target, asked));
  if (answer.status === 304 && known) return known;
  if (answer.status === 404 || answer.status === 308) {
    await answer.body?.cancel();
    // Gone or moved: the feed is about to say so.
    await removeDocument(target, folder);
    return null;
  }
  const reason = answer.status === 200 ? null : `${answer.status} for ${folder}/, ${await reasonOf(answer)}`;
  if (reason !== null) throw answer.status < 400 ? new Away(reason) : new Refused(reason);
  const bytes = Buffer.from(await received(answer));
  const kept = { hash: hashOf(bytes), etag: answer.headers.get('etag') ?? '-' };
  if (asked.doubted || kept.hash !== known?.hash) await write(target, folder, bytes);
  return kept;
}

function ask({ base, cursor }: Source, folder: string, etag: string | null): Promise<Response> {
  const headers = { 'accept-encoding': 'gzip', ...(etag !== null && { 'if-none-match': etag }) };
  // The parameter is for caches on the way, which know nothing of the change yet.
  const url = `${base}/${urlPathOf(folder)}/?cursor=${cursor}`;
  return patiently(url, { headers, redirect: 'manual' }, AbortSignal.timeout(TIMEOUT_MS));
}

/** Null asks for the document whatever it is. */
async function etagToSend(target: Target, { folder, known, doubted }: Asked): Promise<string | null> {
  if (!known || known.etag === '') return null;
  if (!doubted) return known.etag;
  // A weak one is of a revision, which a restored database may give again.
  if (known.etag.startsWith('W/')) return null;
  const isWhole = async (name: string) => {
    const bytes = await readFile(join(target.folder, folder, name));
    return hashOf(name === NAME ? bytes : await uncompressed(bytes)) === known.hash;
  };
  const areWhole = await Promise.all(FORMS.map((name) => isWhole(name).catch(() => false)));
  return areWhole.every(Boolean) ? known.etag : null;
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');

async function write(target: Target, folder: string, bytes: Buffer): Promise<void> {
  const path = join(target.folder, folder);
  await target.folderInTurn(() => mkdir(path, { recursive: true }));
  const modifiedAt = await timeAfter(join(path, NAME), target.now());
  const forms = [await compressed(bytes), bytes];
  for (const [index, name] of FORMS.entries())
    await replaceFile(join(path, name), forms[index]!, {
      temporary: target.temporary(),
      modifiedAt,
      flush: true,
    });
}

// Web servers make ETags of seconds and lengths: of two saves within a second, equally long, the second must not look the same.
async function timeAfter(path: string, nowMs: number): Promise<number> {
  const before = await stat(path).catch(() => null);
  const seconds = Math.floor(nowMs / 1000);
  return before ? Math.max(seconds, Math.floor(before.mtimeMs / 1000) + 1) : seconds;
}

/** Removes what lies there, and the folders that are empty then. */
export async function removeDocument({ folder: root, folderInTurn }: Target, folder: string): Promise<void> {
  for (const name of FORMS) await rm(join(root, folder, name), { force: true });
  await folderInTurn(() => removeEmpty(root, folder));
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.'; path = dirname(path)) {
    const isEmpty = await rmdir(join(root, path)).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (!isEmpty) return;
  }
}
