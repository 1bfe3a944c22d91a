// A disk that is really full: under the embedded Postgres, under its write-ahead log, under the calendar files.
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { calendarFolder } from '../../src/calendar/build.ts';
import { startNightly } from '../../src/calendar/nightly.ts';
import { startTestApp } from '../helpers/app.ts';
import { dataFolderIn, embeddedUrl, postmasterPid } from '../helpers/embedded-process.ts';
import { get, type Reply, signedIn } from '../helpers/http-client.ts';
import { makeAccount, startServerProcess } from '../helpers/server.ts';
import { CANNOT_MOUNT, smallDisk, withoutSmallDisk } from '../helpers/small-disk.ts';
import { runSql } from '../helpers/sql.ts';
import { createMeeting, type Meeting } from '../helpers/steady-saves.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

async function world() {
  const disk = await smallDisk(256);
  const folder = dataFolderIn(disk.folder);
  const server = await startServerProcess({ DATA_DIR: folder, RATE_LIMIT_WRITE: '0' });
  const api = await signedIn(server.baseUrl, await makeAccount(await embeddedUrl(folder), 'ADMIN_GBR'));
  const { lanes } = await createMeeting(api, 'full', 4);
  const answered = new Map<Meeting['lanes'][number], number>();
  let turn = 0;
  return {
    disk,
    folder,
    server,
    /** Sends the next save of the next unit: the same again while it is refused. */
    save: async (): Promise<Reply> => {
      const lane = lanes[turn % lanes.length]!;
      const { method, path, body } = lane.request(lane.saves);
      const reply = await api(method, path, body);
      if (reply.status === 200 || reply.status === 201) {
        lane.saves += 1;
        turn += 1;
        answered.set(lane, (reply.body.unit ?? reply.body).revision as number);
      }
      return reply;
    },
    read: () => get(server.baseUrl + lanes[0]!.jsonPath),
    ready: () => get(`${server.baseUrl}/readyz`),
    /** Of each unit the last save that was answered is what the public reads. */
    async expectKept() {
      expect(answered.size).toBe(lanes.length);
      for (const [lane, revision] of answered)
        expect((await get(server.baseUrl + lane.jsonPath)).body.revision).toBe(revision);
    },
  };
}

type World = Awaited<ReturnType<typeof world>>;

const refusal = ({ status, headers, body }: Reply) => [status, headers['retry-after'], body.detail];
const NOTHING = [503, '5', expect.stringContaining('nothing was changed')];

async function saveMany({ save }: World, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) expect([200, 201]).toContain((await save()).status);
}

const savedAgain = ({ save }: World) =>
  vi.waitFor(async () => expect([200, 201]).toContain((await save()).status), PATIENCE);

async function fillTables(running: World): Promise<void> {
  const { disk, save, read, ready } = running;
  await saveMany(running, 8);
  await disk.fill();
  for (let refused = 0; refused < 5;) {
    const reply = await save();
    // Some still find room in what the tables have.
    if (reply.status === 200 || reply.status === 201) continue;
    expect(refusal(reply)).toEqual(NOTHING);
    refused += 1;
  }
  expect((await read()).status).toBe(200);
  const health = await ready();
  expect([health.status, health.body.checks.database]).toEqual([
    503,
    { status: 'down', reason: 'disk full' },
  ]);
  await running.expectKept();
  await disk.free();
  await savedAgain(running);
  await vi.waitFor(async () => expect((await ready()).status).toBe(200), PATIENCE);
}

/** With no room for the next file of its log Postgres gives up altogether, and cannot start before there is some. */
async function fillLog(running: World): Promise<void> {
  const { disk, folder, server, save, read, ready } = running;
  const url = await embeddedUrl(folder);
  await disk.fill();
  await vi.waitFor(async () => {
    await runSql(url, 'select pg_switch_wal()').catch(() => {});
    expect(await postmasterPid(folder)).toBeUndefined();
  }, PATIENCE);
  expect(refusal(await save()).slice(0, 2)).toEqual([503, '5']);
  expect((await read()).status).toBe(503);
  expect((await ready()).status).toBe(503);
  await server.until(/the disk is full[;:] free some space[^\n]*The embedded Postgres is away/);
  await disk.free();
  await savedAgain(running);
  await vi.waitFor(async () => expect((await ready()).status).toBe(200), PATIENCE);
}

describe.skipIf(CANNOT_MOUNT)(`a full disk${withoutSmallDisk}`, () => {
  it('refuses saves and tells why while reads go on, and with room again everything answered is there', async () => {
    const running = await world();
    await fillTables(running);
    await saveMany(running, 8);
    await running.expectKept();
    await fillLog(running);
    await saveMany(running, 8);
    await running.expectKept();
    expect(await running.server.kill('SIGTERM')).toBe(0);
  }, 180_000);

  it('leaves the calendar files as they were, says so, and builds them when there is room', async () => {
    const disk = await smallDisk(4);
    const api = await startTestApp({ STATIC_DIR: join(disk.folder, 'static') });
    onTestFinished(api.close);
    api.clock.now = new Date();
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const folder = calendarFolder(api.deps.config);
    await mkdir(folder, { recursive: true });
    const nightly = startNightly({ ...api.deps, log }, 20);
    onTestFinished(nightly.stop);
    const calendar = async () => (await api.get('/readyz')).body.checks.calendar.status as string;
    await vi.waitFor(async () => expect(await calendar()).toBe('ok'), PATIENCE);
    await vi.waitFor(() => expect(nightly.lastBuild()).toBeDefined(), PATIENCE);
    const before = await texts(folder);
    expect(before.size).toBeGreaterThan(100);

    await disk.fill();
    // Not the clock: another year may be the present one by then, with other files.
    const longAgo = new Date(Date.now() - 31 * 3600 * 1000);
    for (const name of before.keys()) await utimes(join(folder, name), longAgo, longAgo);
    await vi.waitFor(() => expect(lines.join('')).toContain('could not be built'), PATIENCE);
    expect(lines.join('')).toContain('ENOSPC');
    expect(await calendar()).toBe('degraded');
    expect(await texts(folder)).toEqual(before);

    await disk.free();
    await vi.waitFor(() => expect(lines.join('')).toContain('are built again'), PATIENCE);
    expect(await calendar()).toBe('ok');
    expect([...(await texts(folder)).keys()]).toEqual([...before.keys()]);
    expect(lines).toHaveLength(2);
  }, 60_000);
});

/** What is served, file by file. */
async function texts(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'base64')] as const),
    ),
  );
}
