import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../src/db/embedded/processes.ts';
import {
  countRows,
  dataFolder,
  dataFolderIn,
  embeddedUrl,
  type EmbeddedProcess,
  kill,
  launch,
  postmasterPid,
  started,
  stop,
  usedFolder,
} from '../helpers/embedded-process.ts';
import { byLength } from '../helpers/length.ts';
import { runSql } from '../helpers/sql.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

const isRoot = process.getuid?.() === 0;
const RACERS = byLength(3, 5);
const WAITS_MS = byLength([20, 100], [0, 40, 80, 120]);
/** What a first start makes, in this order. */
const STAGES = byLength(
  ['start.lock.*', 'new-*/data/global/pg_control', 'data/postmaster.pid'],
  [
    'start.lock.*',
    'new-*',
    'new-*/data/PG_VERSION',
    'new-*/data/global/pg_control',
    'data',
    'data/postmaster.pid',
  ],
);

async function isBySocket(url: string): Promise<boolean> {
  const [row] = await runSql(url, 'select inet_client_addr() as address');
  return row!['address'] === null;
}

const insertions = ({ reports }: EmbeddedProcess) => reports.filter((report) => 'inserted' in report).length;

/** Locks and half-made clusters of starts before. */
async function leftovers(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'postgres')).catch(() => []);
  return names.filter((name) => /^(start\.lock|new-)/.test(name));
}

/** Waits until a path below the folder's postgres is there that is not left over; * stands for any name. */
async function appears(folder: string, path: string, left: string[]): Promise<void> {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}$`);
  const isNew = (name: string) => pattern.test(name) && !left.includes(name.split('/')[0]!);
  for (;;) {
    const names = await readdir(join(folder, 'postgres'), { recursive: true }).catch(() => []);
    if (names.some(isNew)) return;
    await sleep(2);
  }
}

test('processes that start at the same moment on an empty folder agree on one database, which speaks UTF-8 and waits for the disk; only the last to leave stops it', async () => {
  const folder = await dataFolder();
  const racers = await Promise.all(Array.from({ length: RACERS }, () => started(folder)));
  expect(new Set(racers.map((racer) => racer.url)).size).toBe(1);
  const [first, ...others] = racers;
  const { url } = first!;
  const [settings] = await runSql(
    url,
    `select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as wait, current_setting('listen_addresses') as address,
       lower('ÄÉ') as folded`,
  );
  expect(settings).toEqual({
    encoding: 'UTF8',
    fsync: 'on',
    wait: 'on',
    address: '127.0.0.1',
    folded: 'äé',
  });
  expect((await stat(join(folder, 'postgres/password'))).mode & 0o777).toBe(0o600);
  // Its own processes go by the socket, which nobody else comes near; operators' backups by the port.
  expect(await isBySocket(url)).toBe(true);
  expect((await stat(join(folder, 'postgres/socket'))).mode & 0o777).toBe(0o700);
  expect(await isBySocket(await embeddedUrl(folder))).toBe(false);
  await expect(runSql(url.replace(/:[^:@]*@/, ':guess@'), 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
  await stop(first!);
  const last = others.pop()!;
  await Promise.all(others.map(stop));
  last.order({ insert: 'after the others left' });
  await last.report('inserted');
  expect(await countRows(last)).toBe(1);
  await stop(last);
  expect(await postmasterPid(folder)).toBeUndefined();
});

test('every row that was committed before a SIGKILL is there after the next start', async () => {
  const folder = await usedFolder();
  const killed = await started(folder);
  killed.order({ insertForever: true });
  while (insertions(killed) < 30) await sleep(5);
  await kill(killed);
  const postmaster = await postmasterPid(folder);
  const next = await started(folder);
  expect(await countRows(next)).toBeGreaterThanOrEqual(insertions(killed));
  expect(await postmasterPid(folder)).toBe(postmaster);
  await stop(next);
  expect(await postmasterPid(folder)).toBeUndefined();
});

test('a power cut, Postgres and its user killed at once, loses no committed row', async () => {
  const folder = await usedFolder();
  const killed = await started(folder);
  killed.order({ insertForever: true });
  while (insertions(killed) < 30) await sleep(5);
  process.kill((await postmasterPid(folder)) ?? 0, 'SIGKILL');
  await kill(killed);
  // Of its socket a killed Postgres leaves files.
  expect(await readdir(join(folder, 'postgres/socket'))).not.toEqual([]);
  const next = await started(folder);
  expect(await countRows(next)).toBeGreaterThanOrEqual(insertions(killed));
  expect(await isBySocket(next.url)).toBe(true);
  await stop(next);
});

test('one that leaves at the moment another one comes costs the newcomer nothing', async () => {
  const folder = await usedFolder();
  let present = await started(folder);
  for (const [turn, waitMs] of WAITS_MS.entries()) {
    const next = launch(folder);
    // Somewhere around the time it takes to attach.
    await next.report('starting');
    await sleep(waitMs);
    const [{ ready: url }] = await Promise.all([next.report('ready'), stop(present)]);
    next.order({ insert: `turn ${turn}` });
    await next.report('inserted');
    present = { ...next, url };
  }
  expect(await countRows(present)).toBe(WAITS_MS.length);
  await stop(present);
});

test('a start that is killed half-way does not stand in the way of the next one', async () => {
  const folder = await dataFolder();
  for (const stage of STAGES) {
    const left = await leftovers(folder);
    const killed = launch(folder);
    await appears(folder, stage, left);
    await kill(killed);
  }
  const next = await started(folder);
  expect(await countRows(next)).toBe(0);
  await stop(next);
}, 120_000);

test('a postmaster.pid whose number now belongs to another process is recognised as stale', async () => {
  const folder = await usedFolder();
  const data = join(folder, 'postgres/data');
  const { uid, gid } = await stat(data);
  const foreign = spawn('sleep', ['60'], { uid, gid, cwd: '/' });
  onTestFinished(() => void foreign.kill());
  await writeFile(
    join(data, 'postmaster.pid'),
    `${foreign.pid}\n${data}\n1700000000\n5999\n\n127.0.0.1\n  1 1\nready\n`,
  );
  const next = await started(folder);
  expect(isAlive(foreign.pid ?? 0)).toBe(true);
  expect(await countRows(next)).toBe(0);
  await stop(next);
});

test('Ctrl-C in the terminal does not reach Postgres before the program has stopped', async () => {
  const folder = await usedFolder();
  const running = await started(folder);
  const gone = once(running.child, 'exit');
  process.kill(-(running.child.pid ?? 0), 'SIGINT');
  await gone;
  expect(running.reports).toContainEqual({ inserted: 'after the signal' });
  expect(await postmasterPid(folder)).toBeUndefined();
});

test('a server that dies under a running program is started again at the same address', async () => {
  const folder = await usedFolder();
  const running = await started(folder);
  const dead = (await postmasterPid(folder)) ?? 0;
  process.kill(dead, 'SIGKILL');
  for (;;) {
    const pid = await postmasterPid(folder);
    if (pid && pid !== dead && (await runSql(running.url, 'select 1').catch(() => undefined))) break;
    await sleep(50);
  }
  running.order({ insert: 'after the crash' });
  await running.report('inserted');
  await stop(running);
  expect(await postmasterPid(folder)).toBeUndefined();
});

test('a folder with blanks, umlauts and shell characters in its path works', async () => {
  const folder = await dataFolder('Zürich 2026 $HOME "x" \'y\' – 陸上');
  await stop(await started(folder));
  const again = await started(folder);
  expect(await countRows(again)).toBe(0);
  expect(await isBySocket(again.url)).toBe(true);
  await stop(again);
});

test('a folder that was moved to where paths are too long for sockets is used over TCP, which the log says', async () => {
  const used = await usedFolder();
  const moved = dataFolderIn(dirname(used), 'x'.repeat(100));
  await rename(used, moved);
  const running = await started(moved);
  expect(await countRows(running)).toBe(0);
  expect(running.url).toBe(`${await embeddedUrl(moved)}?sslmode=disable`);
  expect((await running.report('logged')).logged).toMatch(
    /over TCP without a Unix socket: the path of DATA_DIR is too long/,
  );
  await stop(running);
});

test('a failed start shows what Postgres said, and what to do', async () => {
  const folder = await usedFolder();
  await writeFile(join(folder, 'postgres/data/PG_VERSION'), '17\n');
  await expect(started(folder)).rejects.toThrow(
    /another version of Postgres: .*set DATA_DIR[^]*incompatible with server/,
  );
});

test('a file in the place of the data folder is named, with the remedy', async () => {
  const folder = await dataFolder();
  await writeFile(folder, '');
  await expect(started(folder)).rejects.toThrow(/^DATA_DIR: .*set DATA_DIR to a folder/);
});

test.runIf(isRoot)(
  'a data folder that the user of Postgres cannot enter is named, with the remedy',
  async () => {
    const closed = await makeTestFolder();
    onTestFinished(() => rm(closed, { recursive: true }));
    await chmod(closed, 0o700);
    const refused = launch(join(closed, 'data'));
    await once(refused.child, 'exit');
    expect(refused.reports).toEqual([
      { starting: true },
      { refused: { name: 'OperatorError', message: expect.stringMatching(/cannot enter .*set DATA_DIR/) } },
    ]);
  },
);

test.runIf(isRoot)('as root the database belongs to another user, the secrets to root', async () => {
  const folder = await usedFolder();
  expect((await lstat(join(folder, 'postgres/data'))).uid).not.toBe(0);
  expect((await lstat(join(folder, 'postgres/password'))).uid).toBe(0);
});
