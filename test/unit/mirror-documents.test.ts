// The documents of a mirror on a real disk, of a server that has some of them and has lost others.
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bringUpToDate, removeDocument, type Target } from '../../src/mirror/documents.ts';
import { createSemaphore } from '../../src/semaphore.ts';
import { filesIn, newFolder } from '../helpers/mirror.ts';

async function sourceOf(isThere: (url: string) => boolean) {
  const server = createServer(({ url }, response) => {
    response.writeHead(isThere(url!) ? 200 : 404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cursor: '0-1' };
}

async function target(): Promise<Target> {
  const folder = await newFolder();
  const drafts = join(folder, '.mirror');
  await mkdir(drafts, { recursive: true });
  let number = 0;
  const temporary = () => join(drafts, String((number += 1)));
  return { folder, temporary, now: Date.now, folderInTurn: createSemaphore(1) };
}

test('the last document of a country goes while the first of another meeting there comes', async () => {
  const source = await sourceOf((url) => url.includes('new'));
  const to = await target();
  const fetch = (folder: string) =>
    bringUpToDate(source, to, { folder, known: undefined, doubted: false }).then(
      (kept) => kept?.hash ?? null,
    );
  for (let round = 0; round < 30; round += 1) {
    const folders = ['old-1/event/T1', 'new-1/event/T1', 'old-2', 'new-2'].map(
      (name) => `x/2026/GBR/${name}/json`,
    );
    const hashes = await Promise.all(folders.map(fetch));
    expect(hashes.map((hash) => hash !== null)).toEqual([false, true, false, true]);
    expect([...(await filesIn(to.folder)).keys()]).toHaveLength(4);
    for (const folder of folders) await removeDocument(to, folder);
    expect([...(await filesIn(to.folder)).keys()]).toEqual([]);
  }
});
