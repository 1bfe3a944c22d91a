// A disk that is soon full: a file system in memory, of a size that the test names, unmounted after it.
import { spawnSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { codeOf, run } from '../../src/db/embedded/processes.ts';
import { DISK, makeTestFolder } from './temporary.ts';

/** Why there can be none here; empty when there can. */
function obstacle(): string {
  if (process.platform !== 'linux') return 'no tmpfs on this system';
  if (process.getuid?.() !== 0) return 'only root may mount';
  const folder = mkdtempSync(join(tmpdir(), 'athletics-mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
  if (mounted) spawnSync('umount', ['--lazy', folder]);
  rmdirSync(folder);
  return mounted ? '' : 'mounting is not allowed here';
}

const why = obstacle();
export const CANNOT_MOUNT = why !== '';
/** For the titles of tests that need one. */
export const withoutSmallDisk = why && ` (skipped: ${why})`;

export type SmallDisk = { folder: string; fill: () => Promise<void>; free: () => Promise<void> };

export async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const parent = await makeTestFolder();
  const folder = join(parent, DISK);
  await mkdir(folder);
  onTestFinished(async () => {
    // Lazily: what still has a file open there keeps it from nobody.
    await run('umount', ['--lazy', folder]).catch(() => {});
    await rm(parent, { recursive: true, force: true });
  });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    /** To the last byte. */
    fill: async () => {
      const file = await open(ballast, 'a');
      try {
        for (let bytes = 1024 * 1024; bytes >= 1024; bytes /= 4) {
          const block = Buffer.alloc(bytes);
          for (let full = false; !full;) {
            full = await file.write(block).then(
              ({ bytesWritten }) => bytesWritten < bytes,
              (error: unknown) => {
                if (codeOf(error) !== 'ENOSPC') throw error;
                return true;
              },
            );
          }
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
  };
}
