// Real processes on a data folder of their own, for tests that kill them.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { isAlive, run } from '../../src/db/embedded/processes.ts';
import { migrate } from '../../src/db/migrate.ts';
import type { Order, Report } from './embedded-child.ts';
import { built } from './program.ts';
import { whenOver } from './shared.ts';
import { makeTestFolder } from './temporary.ts';

const SCRIPT = built('test/helpers/embedded-child.ts');

export type EmbeddedProcess = {
  child: ChildProcess;
  /** every report so far */
  reports: Report[];
  order(order: Order): void;
  /** resolves with the first report that has this key */
  report<Key extends string>(key: Key): Promise<Extract<Report, Record<Key, unknown>>>;
};

let initialised: Promise<string> | undefined;

/** A data folder that has been used before: a copy, which an operator may make while nothing runs. */
export async function usedFolder(name = 'data'): Promise<string> {
  // One for all files of a worker: making a cluster and its tables takes longer than most of what is tested on it.
  initialised ??= initialise();
  const folder = await dataFolder(name);
  await run('cp', ['-a', await initialised, folder]);
  return folder;
}

async function initialise(): Promise<string> {
  const parent = await makeTestFolder();
  process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'data');
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: pino({ level: 'silent' }) });
  await migrate(postgres.ownerUrl, { serviceUrl: postgres.serviceUrl });
  await postgres.stop();
  return folder;
}

/** A new folder that any user may pass through; whatever runs in it ends with the test. */
export async function dataFolder(name = 'data'): Promise<string> {
  const parent = await makeTestFolder();
  whenOver(() => rm(parent, { recursive: true, force: true }));
  return dataFolderIn(parent, name);
}

export function dataFolderIn(parent: string, name = 'data'): string {
  const folder = join(parent, name);
  whenOver(async () => {
    const pid = await postmasterPid(folder);
    if (pid && isAlive(pid)) await end(pid);
  });
  return folder;
}

async function end(pid: number): Promise<void> {
  process.kill(pid, 'SIGQUIT');
  for (let running = true; running; running = isAlive(pid)) await sleep(20);
}

export async function postmasterPid(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || undefined;
}

/** Where the server of this folder is at the moment. */
export async function embeddedUrl(folder: string): Promise<string> {
  const pidFile = (await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8')).split('\n');
  const password = await readFile(join(folder, 'postgres/password'), 'utf8');
  return `postgres://athletics:${password}@127.0.0.1:${pidFile[3]}/athletics`;
}

export function launch(folder: string): EmbeddedProcess {
  // Detached: a process group of its own, as a terminal gives it, so that a test can send it Ctrl-C.
  const child = fork(SCRIPT, [folder], { detached: true });
  const reports: Report[] = [];
  child.on('message', (report: Report) => reports.push(report));
  whenOver(() => void child.kill('SIGKILL'));
  return {
    child,
    reports,
    order: (order) => void child.send(order),
    report: async (key) => {
      const wanted = (report: Report): report is Extract<Report, Record<typeof key, unknown>> =>
        key in report;
      for (;;) {
        const found = reports.find(wanted);
        if (found) return found;
        const refused = reports.find((report) => 'refused' in report);
        if (refused) throw new Error(refused.refused.message);
        await sleep(10);
      }
    },
  };
}

export async function started(folder: string): Promise<EmbeddedProcess & { url: string }> {
  const launched = launch(folder);
  return { ...launched, url: (await launched.report('ready')).ready };
}

export async function kill({ child }: EmbeddedProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

export async function stop(running: EmbeddedProcess): Promise<void> {
  const gone = once(running.child, 'exit');
  running.order({ stop: true });
  await gone;
}

export async function countRows(running: EmbeddedProcess): Promise<number> {
  running.order({ count: true });
  return (await running.report('count')).count;
}
