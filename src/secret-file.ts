// Secrets that the service makes for itself, each once, in a file that only its user can read.
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The secret in this file; made when there is none. Processes that start together agree on one. */
export async function secretFile(path: string): Promise<string> {
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present.trim()) return present.trim();
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  // A link appears whole or not at all, and the first one wins.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
}
