import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { urlOf } from '../../src/db/embedded/presence.ts';
import { prepareSocketFolder, socketFolder } from '../../src/db/embedded/socket.ts';
import { connectionSettings, READS } from '../../src/db/client.ts';
import { outageOf } from '../../src/db/sqlstate.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

async function clusterFolder(): Promise<string> {
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const refusing = () => Promise.reject(Object.assign(new Error('listen EPERM'), { code: 'EPERM' }));

it('is a folder of the cluster that nobody else can enter, without what a killed server left in it', async () => {
  const folder = await clusterFolder();
  await mkdir(socketFolder(folder), { mode: 0o777 });
  await writeFile(join(socketFolder(folder), '.s.PGSQL.5432.lock'), '1\n');
  expect(await prepareSocketFolder({ folder })).toEqual({ folder: socketFolder(folder) });
  expect((await stat(socketFolder(folder))).mode & 0o777).toBe(0o700);
  expect(await readdir(socketFolder(folder))).toEqual([]);
});

it('is not tried below a path that leaves no room for its name, counted in bytes', async () => {
  const parent = await clusterFolder();
  const room = 107 - Buffer.byteLength(join(socketFolder(join(parent, '_')), '.s.PGSQL.65535'));
  for (const [name, fits] of [
    ['x'.repeat(room - 10), true],
    ['x'.repeat(room + 2), false],
    ['é'.repeat(room - 10), false],
  ] as const) {
    const folder = join(parent, name);
    await mkdir(folder);
    const place = await prepareSocketFolder({ folder });
    expect(place).toEqual(
      fits ? { folder: socketFolder(folder) } : { refused: 'the path of DATA_DIR is too long' },
    );
  }
});

it('is done without, and says why, where the file system refuses it or the folder cannot be made', async () => {
  const folder = await clusterFolder();
  expect(await prepareSocketFolder({ folder }, refusing)).toEqual({
    refused: `${socketFolder(folder)} takes none (EPERM)`,
  });
  await writeFile(join(folder, 'file'), '');
  expect(await prepareSocketFolder({ folder: join(folder, 'file') })).toMatchObject({
    refused: expect.stringMatching(/takes none \(ENOTDIR\)/),
  });
});

it('is an address that the driver and everything that takes URLs apart read alike', () => {
  const folder = `/srv/Zürich 2026 $HOME "x", 'y' 100% – 陸上/socket`;
  const address = { port: 5499, socketFolder: folder };
  const url = urlOf({ passwords: { owner: 'o', service: 's-_1' }, address }, 'service');
  expect(connectionSettings(url, 'x', READS).connectionString).toBe(url);
  const { port, pathname, username, hostname } = new URL(url);
  expect([port, pathname, username]).toEqual(['5499', '/athletics', 'athletics_service']);
  expect(decodeURIComponent(hostname)).toBe(folder);
  const byTcp = urlOf({ passwords: { owner: 'o', service: 's' }, address: { port: 5499 } }, 'owner');
  expect(byTcp).toBe('postgres://athletics:o@127.0.0.1:5499/athletics?sslmode=disable');
});

it.each(['ENOENT', 'EAGAIN', 'ECONNREFUSED'])(
  'that answers %s is a database that was not reached',
  (code) => {
    const error = Object.assign(new Error(`connect ${code} /x/.s.PGSQL.5432`), { code, syscall: 'connect' });
    expect(outageOf(new Error('Failed query', { cause: error }))).toBe('nothing was changed');
  },
);
