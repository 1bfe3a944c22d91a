import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HorizontalAttempt, ResultsArrived, UnitEvent, VerticalAttempt } from '../../src/push/events.ts';
import { dataFolder, postmasterPid, usedFolder } from '../helpers/embedded-process.ts';
import { get, signedIn } from '../helpers/http-client.ts';
import { listen } from '../helpers/push-client.ts';
import { startCommand } from '../helpers/program.ts';
import { launch } from '../helpers/server.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

const PATIENCE = { timeout: 30_000, interval: 50 };
const MEETINGS = [
  'Saltmarsh Bay Spring Cup',
  'Kestrel Cliff Evening Meeting',
  'Orrindale Summer Championships',
];
const HEAT = 'event/T01/1/1/json/';
const hasCurl = spawnSync('bash', ['-c', 'command -v curl && command -v sed']).status === 0;

/** The demo keeps to a folder of its own below DATA_DIR. */
const demoFolder = async () => dirname(await dataFolder('demo'));

async function startDemo(dataDir: string, env: Record<string, string> = {}, start: { cwd?: string } = {}) {
  const program = launch('src/demo.ts', { DATA_DIR: dataDir, PORT: '0', ...env }, start);
  await program.until(/As it happens/);
  // Before it at most what is told on the way.
  expect(program.written.stdout).toMatch(
    /^(Port .*\n|\{.*\n)*Look here first: http:\S+\/x\/\d{4}\/GBR\/kestrel-cliff-evening-meeting\/\n/,
  );
  const printed = program.written.stdout;
  const find = (pattern: RegExp) => pattern.exec(printed)![1]!;
  return {
    ...program,
    printed,
    baseUrl: find(/Entrance +(http:\S+)\/\n/),
    meetingUrl: find(/The meeting +(http:\S+)/),
    overview: find(/^ {2}(x-\S+-overview)$/m),
    account: { email: find(/Account +([^, ]+)/), password: find(/password=(\S+)/) },
    unitChannel: find(/^ {2}(x-\S+-1-1)$/m),
  };
}

const withoutCurl = hasCurl ? '' : ' (the lines not run: no curl here)';

/** A folder whose .env would stop any program that reads it. */
async function folderWithEnv(): Promise<string> {
  const cwd = await makeTestFolder();
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, '.env'), 'DATABASE_URL=postgres://localhost/real\nPORT=abc\n');
  return cwd;
}

it(`reads no .env, shows every kind of event, prints curl lines that work as they are${withoutCurl}; killed, it starts afresh, on a free port when the usual one is busy, and keeps what the user made; another one leaves the meeting to it and goes on when it ends`, async () => {
  const folder = await demoFolder();
  const first = await startDemo(folder, {}, { cwd: await folderWithEnv() });
  const pushed = await listen(first.baseUrl, '8', [first.overview, first.unitChannel]);
  if (hasCurl) await expectWorkingLines(first);
  const kinds = [HorizontalAttempt, VerticalAttempt, ResultsArrived, UnitEvent];
  const seen = (kind: (typeof kinds)[number]) => pushed.some(({ data }) => kind.safeParse(data).success);
  await vi.waitFor(() => expect(kinds.map(seen)).toEqual([true, true, true, true]), PATIENCE);
  await first.until(/heat 1: .* wins/);
  const api = await signedIn(first.baseUrl, first.account);
  const mine = { full_name: 'Mine', country_id: 'GBR', date: '2026-07-18' };
  expect((await api('POST', '/competitions/', mine)).status).toBe(201);
  expect(first.written.stderr).toBe('');
  await first.kill('SIGKILL');

  const port = await busyPort();
  const second = await startDemo(folder, { PORT: port });
  expect(second.printed).toContain(`Port ${port} is busy`);
  expect(second.baseUrl).not.toContain(port);
  expect(second.account).toEqual(first.account);
  const heat = await get(`${second.baseUrl}${new URL(first.meetingUrl).pathname}`.replace('json/', HEAT));
  expect(heat.body.results.filter((result: object) => 'performance' in result)).toEqual([]);
  const calendar = await (await signedIn(second.baseUrl, second.account))('GET', '/competitions/');
  const names = (calendar.body as { full_name: string }[]).map((record) => record.full_name);
  const byCurl = names.filter((name) => name.startsWith('My meeting of '));
  expect(byCurl).toHaveLength(hasCurl ? 1 : 0);
  expect(names.toSorted()).toEqual(['Mine', ...byCurl, ...MEETINGS].toSorted());
  await second.until(/\d\d:\d\d:\d\d {2}Long jump/);

  const third = await startDemo(folder);
  await third.until(/Another demo plays/);
  expect(await second.kill('SIGINT')).toBe(0);
  await third.until(/\d\d:\d\d:\d\d {2}Long jump/);
}, 180_000);

async function busyPort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const address = other.address();
  return typeof address === 'object' && address ? String(address.port) : '';
}

async function expectWorkingLines(demo: Awaited<ReturnType<typeof startDemo>>) {
  const lines = demo.printed.match(/^ {2}(?:TOKEN=|curl ).*$/gm) ?? [];
  expect(lines).toHaveLength(6);
  const separate = lines.join('\necho "\x1E"\n');
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', separate]);
  expect(stderr).toBe('');
  const [, ...answers] = stdout.split('\x1E\n');
  const [calendar, meeting, unit, created, updated] = answers.map((answer) => JSON.parse(answer));
  expect(calendar.map((record: { full_name: string }) => record.full_name)).toEqual(MEETINGS);
  expect(meeting).toMatchObject({ full_name: MEETINGS[1], channels: { overview: demo.overview } });
  expect(unit).toMatchObject({ event_code: 'LJ', channel: demo.unitChannel });
  expect(created).toMatchObject({ full_name: expect.stringContaining('My meeting of ') });
  expect(updated.id).toBe(meeting.id);
  const relay = (await get(`${demo.meetingUrl.replace(/json\/$/, '')}event/T02/1/1/json/`)).body;
  expect(relay).toMatchObject({ results_status: 'provisional', results: [{ team_name: 'Orrindale AC' }] });
}

it('ends, and its Postgres too, when npm is told to stop', async () => {
  const folder = await usedFolder('demo');
  const npm = startCommand({
    command: 'npm',
    args: ['run', 'demo'],
    env: { DATA_DIR: dirname(folder), PORT: '0' },
    detached: true,
  });
  // Whatever is left of it is in the process group of its own.
  onTestFinished(() => endGroup(npm.pid));
  await npm.until(/As it happens/);
  const [, baseUrl] = /Entrance +(http:\S+)\/\n/.exec(npm.written.stdout)!;
  expect(await postmasterPid(folder)).toBeGreaterThan(0);
  // Resolves when the last process that may print is gone.
  await npm.kill('SIGTERM');
  expect(await postmasterPid(folder)).toBeUndefined();
  await expect(get(`${baseUrl}/healthz`)).rejects.toThrow('ECONNREFUSED');
}, 120_000);

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

it('refuses to run on a real database, with one line', async () => {
  const program = launch('src/demo.ts', { DATABASE_URL: 'postgres://localhost/real' });
  expect(await program.ended).toBe(1);
  expect(program.written).toEqual({
    stdout: '',
    stderr: expect.stringMatching(/^The demo .*DATABASE_URL.*\n$/),
  });
});
