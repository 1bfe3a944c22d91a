import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCache } from '../../src/site/cache.ts';
import { createSemaphore } from '../../src/semaphore.ts';

/** A store with one version, and builds of it that end when they are told to. */
function world({ maxBytes = 100 } = {}) {
  const cache = createCache<string>(maxBytes);
  const builds: { key: string; end: () => void; fail: () => void }[] = [];
  let version = 'v1';
  const build = (key: string) => () => {
    const seen = version;
    return new Promise<{ document: string; version: string; bytes: number }>((resolve, reject) => {
      builds.push({
        key,
        end: () => resolve({ document: `${key} ${seen}`, version: seen, bytes: 40 }),
        fail: () => reject(new Error('no database')),
      });
    });
  };
  return {
    builds,
    read: (key: string) => cache.get(key, version, build(key)),
    write: (next: string) => {
      version = next;
    },
    /** Reads to the end, whoever builds. */
    readNow: async (key: string) => {
      const before = builds.length;
      const document = cache.get(key, version, build(key));
      await nextTurn();
      for (const { end } of builds.slice(before)) end();
      return document;
    },
  };
}

describe('a document', () => {
  test('is built once for all who read it, then and later', async () => {
    const { read, readNow, builds } = world();
    const readers = [read('a'), read('a'), read('a')];
    await nextTurn();
    builds[0]!.end();
    expect(await Promise.all(readers)).toEqual(['a v1', 'a v1', 'a v1']);
    expect(await readNow('a')).toBe('a v1');
    expect(builds).toHaveLength(1);
  });

  test('is built again for the next reader after a write', async () => {
    const { readNow, write } = world();
    await readNow('a');
    write('v2');
    expect(await readNow('a')).toBe('a v2');
  });

  test('whose build began before the write is not given to a reader who came after it', async () => {
    const { read, write, builds } = world();
    const before = read('a');
    await nextTurn();
    write('v2');
    const after = [read('a'), read('a')];
    await nextTurn();
    builds[0]!.end();
    expect(await before).toBe('a v1');
    await nextTurn();
    expect(builds).toHaveLength(2);
    builds[1]!.end();
    expect(await Promise.all(after)).toEqual(['a v2', 'a v2']);
  });

  test('that cannot be built fails its readers, and is tried again for the next', async () => {
    const { read, readNow, builds } = world();
    const readers = [read('a'), read('a')];
    await nextTurn();
    builds[0]!.fail();
    for (const reader of readers) await expect(reader).rejects.toThrow('no database');
    expect(await readNow('a')).toBe('a v1');
  });

  test('that does not exist is looked for again', async () => {
    const cache = createCache<string>(100);
    expect(await cache.get('a', 'v1', async () => null)).toBeNull();
    const found = { document: 'here', version: 'v1', bytes: 1 };
    expect(await cache.get('a', 'v1', async () => found)).toBe('here');
  });
});

describe('the limit in bytes', () => {
  test('drops what was read longest ago', async () => {
    const { readNow, builds } = world({ maxBytes: 100 });
    await readNow('a');
    await readNow('b');
    await readNow('a');
    await readNow('c');
    await readNow('a');
    expect(builds.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await readNow('b');
    expect(builds.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'b']);
  });

  test('counts a document that is built again once', async () => {
    const { readNow, write, builds } = world({ maxBytes: 100 });
    await readNow('a');
    await readNow('b');
    for (const version of ['v2', 'v3', 'v4']) {
      write(version);
      await readNow('a');
      await readNow('b');
    }
    const before = builds.length;
    await readNow('a');
    await readNow('b');
    expect(builds).toHaveLength(before);
  });

  test('below the size of a document keeps none', async () => {
    const { readNow, builds } = world({ maxBytes: 39 });
    await readNow('a');
    await readNow('a');
    expect(builds).toHaveLength(2);
  });
});

test('a semaphore lets work run in order, no more of it at a time than allowed, whatever fails', async () => {
  const withPermit = createSemaphore(2);
  const begun: string[] = [];
  const ends: Record<string, PromiseWithResolvers> = {};
  const work = (name: string) =>
    withPermit(() => {
      begun.push(name);
      return new Promise<string>((resolve, reject) => {
        ends[name] = { resolve: () => resolve(name), reject };
      });
    });
  const all = Promise.allSettled(['a', 'b', 'c', 'd'].map(work));
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  ends['b']!.reject(new Error('no database'));
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
  ends['a']!.resolve();
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) ends[name]!.resolve();
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});

type PromiseWithResolvers = { resolve: () => void; reject: (error: Error) => void };
