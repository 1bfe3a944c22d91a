// A lock between processes that ends with its holder, however that one dies; Node has no flock. It is a row of files with rising
// numbers: the newest one counts, and is held while it names a living process. Whoever finds it free claims the next number.
// The newest is never deleted: a slow claimant would mistake an old number for a free one.
import { link, open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { birthOf, codeOf } from './processes.ts';

const NAME = /^start\.lock\.(\d+)$/;

/** Runs `work` while no other process is inside the same folder's lock. */
export async function withStartLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const release = await tryStartLock(folder);
    if (!release) {
      await sleep(30);
      continue;
    }
    try {
      return await work();
    } finally {
      await release();
    }
  }
}

/** Takes the folder's lock. @returns what gives it back; undefined when another process has it */
export async function tryStartLock(folder: string): Promise<(() => Promise<void>) | undefined> {
  const newest = await newestNumber(folder);
  if (await isHeld(lockFile(folder, newest))) return undefined;
  const file = await claim(folder, newest + 1);
  // Empty means free. When even that fails, the lock ends with this process.
  return file === undefined ? undefined : () => truncate(file).catch(() => {});
}

async function isHeld(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(ignoreMissing);
  const [pid, birth] = holder?.split('\n') ?? [];
  return Boolean(pid) && (await birthOf(Number(pid))) === birth;
}

async function claim(folder: string, number: number): Promise<string | undefined> {
  const file = lockFile(folder, number);
  const draft = join(folder, `start.lock.${randomUUID()}`);
  try {
    await writeHolder(draft);
    // A link appears with its content, and only one process can make it.
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  // This number may have been used and tidied away since it was found free: then a newer one exists.
  const newest = await newestNumber(folder);
  await tidy(folder, newest);
  return newest === number ? file : undefined;
}

async function writeHolder(path: string): Promise<void> {
  const file = await open(path, 'wx');
  try {
    // Readable whoever looks next: root may run a command on a cluster of another user.
    await file.chmod(0o644);
    await file.writeFile(`${process.pid}\n${await birthOf(process.pid)}`);
  } finally {
    await file.close();
  }
}

async function tidy(folder: string, newest: number): Promise<void> {
  for (const number of await numbers(folder)) {
    if (number < newest) await rm(lockFile(folder, number), { force: true });
  }
}

async function newestNumber(folder: string): Promise<number> {
  return Math.max(0, ...(await numbers(folder)));
}

async function numbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
}

function lockFile(folder: string, number: number): string {
  return join(folder, `start.lock.${number}`);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
