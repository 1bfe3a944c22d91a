// The folder that a photo-finish program reads and writes: which of its files are ready, and what was sent of them.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';

/** How long a file has to be left alone before it counts as written. */
const QUIET_MS = 200;
/** And one that is empty or ends within a line: most likely somebody is in the middle of it, for as long as his disk is slow. */
const QUIET_UNENDED_MS = 2000;
const SENT = '.lynx-sync.json';

export type ReadyFile = { name: string; bytes: Buffer; hash: string };

export type Folder = {
  /** Files that were not sent as they are now, and whether others may become so within a moment. */
  ready: () => Promise<{ files: ReadyFile[]; unquiet: boolean }>;
  /** Notes that a file was stored, for good. */
  stored: (file: ReadyFile) => Promise<void>;
  /** Notes that a file was refused: it is ready again when it changes, or in the next run. */
  refused: (file: ReadyFile) => void;
  /** Replaces a file if it differs, never by half of it. @returns whether it did */
  write: (name: string, bytes: Buffer) => Promise<boolean>;
};

/** @param target for whom it is: what went to another competition was not sent to this one */
export async function openFolder(path: string, target: string, now: () => number): Promise<Folder> {
  const seen = new Map<string, { mark: string; since: number }>();
  const sent = await readSent(path, target);
  const refused = new Map<string, string>();
  const replace = (name: string, bytes: Buffer | string) =>
    replaceFile(join(path, name), bytes, { temporary: join(path, `.${name}.tmp`) });

  async function isReady(name: string): Promise<ReadyFile | 'unquiet' | null> {
    const mark = await markOf(join(path, name));
    if (mark === null) return null;
    const before = seen.get(name);
    if (before?.mark !== mark) {
      seen.set(name, { mark, since: now() });
      return 'unquiet';
    }
    // Looked at already.
    if (before.since === Infinity) return null;
    const quietMs = now() - before.since;
    if (quietMs < QUIET_MS) return 'unquiet';
    const bytes = await readFile(join(path, name));
    if (!endsItsLine(bytes) && quietMs < QUIET_UNENDED_MS) return 'unquiet';
    if ((await markOf(join(path, name))) !== mark) return 'unquiet';
    const hash = createHash('sha256').update(bytes).digest('base64url');
    if (sent.get(name) !== hash && refused.get(name) !== hash) return { name, bytes, hash };
    seen.set(name, { mark, since: Infinity });
    return null;
  }

  return {
    async ready() {
      const names = (await readdir(path)).filter((name) => /^[^.].*\.lif$/i.test(name)).toSorted();
      const found = await Promise.all(names.map((name) => isReady(name).catch(unlessBusy)));
      const renamed = found.filter((file) => isFile(file) && wasRenamed(file, sent, names)) as ReadyFile[];
      for (const file of renamed) sent.set(file.name, file.hash);
      const files = found.filter(isFile).filter((file) => !renamed.includes(file));
      return { files, unquiet: found.includes('unquiet') };
    },
    refused({ name, hash }) {
      refused.set(name, hash);
    },
    async stored({ name, hash }) {
      sent.set(name, hash);
      await replace(SENT, JSON.stringify({ target, sent: Object.fromEntries(sent) }));
    },
    async write(name, bytes) {
      const present = await readFile(join(path, name)).catch(() => null);
      if (present?.equals(bytes)) return false;
      await replace(name, bytes);
      return true;
    },
  };
}

const isFile = (file: ReadyFile | 'unquiet' | null): file is ReadyFile => file !== null && file !== 'unquiet';

// In UTF-16 the last byte may be the other half of the line end.
const endsItsLine = (bytes: Buffer): boolean => bytes.subarray(-2).includes('\n');

/** Whether this went out under a name that is no more. */
const wasRenamed = (file: ReadyFile, sent: ReadonlyMap<string, string>, names: string[]): boolean =>
  !sent.has(file.name) && [...sent].some(([name, hash]) => hash === file.hash && !names.includes(name));

async function markOf(file: string): Promise<string | null> {
  try {
    const { size, mtimeMs, ino } = await stat(file);
    return `${size} ${mtimeMs} ${ino}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

// Windows locks a file while it is written; one may also be gone by now.
function unlessBusy(error: NodeJS.ErrnoException): 'unquiet' {
  if (['EBUSY', 'EPERM', 'EACCES', 'ENOENT'].includes(error.code ?? '')) return 'unquiet';
  throw error;
}

async function readSent(path: string, target: string): Promise<Map<string, string>> {
  try {
    const kept = JSON.parse(await readFile(join(path, SENT), 'utf8')) as {
      target: string;
      sent: Record<string, string>;
    };
    return new Map(kept.target === target ? Object.entries(kept.sent) : []);
  } catch {
    // None yet, or not ours: what is sent twice changes nothing.
    return new Map();
  }
}
