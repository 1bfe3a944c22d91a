import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { birthOf } from '../../src/db/embedded/processes.ts';
import { withStartLock } from '../../src/db/embedded/start-lock.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

async function emptyFolder(): Promise<string> {
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('only one is inside at a time, everybody gets in, and the folder stays tidy', async () => {
  const folder = await emptyFolder();
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await sleep(5);
    inside -= 1;
    return 'done';
  };
  const all = await Promise.all(Array.from({ length: 12 }, () => withStartLock(folder, work)));
  expect(all).toEqual(Array(12).fill('done'));
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual(['start.lock.12']);
});

test('a failure inside is passed on and frees the lock', async () => {
  const folder = await emptyFolder();
  const failing = withStartLock(folder, () => Promise.reject(new Error('no luck')));
  await expect(failing).rejects.toThrow('no luck');
  expect(await withStartLock(folder, async () => 'next')).toBe('next');
});

test('a holder that died, or whose number another process has now, does not count', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'start.lock.1'), '4194305\n77');
  expect(await withStartLock(folder, async () => 'dead')).toBe('dead');
  await writeFile(join(folder, 'start.lock.9'), `${process.pid}\nborn at another time`);
  expect(await withStartLock(folder, async () => 'reused')).toBe('reused');
});

test('a living holder is waited for', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'start.lock.1'), `${process.pid}\n${await birthOf(process.pid)}`);
  const entered: string[] = [];
  const waiting = withStartLock(folder, async () => entered.push('in'));
  await sleep(150);
  expect(entered).toEqual([]);
  await writeFile(join(folder, 'start.lock.1'), '');
  await waiting;
  expect(entered).toEqual(['in']);
});
