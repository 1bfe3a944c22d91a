// Folders of a test run in the system's temporary folder, named so that the next run can tell which were left behind.
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, run } from '../../src/db/embedded/processes.ts';

/** Where a small disk is mounted in such a folder. */
export const DISK = 'disk';

const PREFIX = 'athletics-test-';

export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As root, Postgres runs as a user that has to get into this folder.
  await chmod(folder, 0o711);
  return folder;
}

/** Removes what runs that were killed left behind; a Postgres in there ends when it finds its files gone. */
export async function sweepTestFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.startsWith(PREFIX) && name.slice(PREFIX.length).split('-')[0]);
    if (!pid || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    const mine = (await lstat(folder).catch(() => undefined))?.uid === process.getuid?.();
    // A small disk of the run may still be mounted there.
    if (mine) await run('umount', ['--lazy', join(folder, DISK)]).catch(() => {});
    if (mine) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
