// The server process of an embedded cluster: the one that runs is joined, or one is started on a free port.
import { spawn } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import {
  type Cluster,
  ensureCluster,
  ensureServicePassword,
  removeStalePidFile,
  runningServer,
} from './cluster.ts';
import { logTail, withRemedy } from './server-log.ts';
import { join, type Joined } from './presence.ts';
import { run, runOptions } from './processes.ts';
import { prepareSocketFolder, type SocketPlace } from './socket.ts';
import { withStartLock } from './start-lock.ts';

// Recovery after a crash reads back up to a gigabyte of write-ahead log.
const PATIENCE_MS = 5 * 60_000;
const STOP_PATIENCE_MS = 60_000;
const STARTS_MAX = 50;

/** `withoutSocket`: why a server that was started here has no Unix socket. */
export type Attached = Joined & { withoutSocket?: string | undefined };

/** Attaches to the cluster's server, starting it when none runs. `port` is a wish: a busy one gives way to another. */
export async function attachOrStart(cluster: Cluster, port = 0): Promise<Attached> {
  return await withStartLock(cluster.folder, async () => {
    const passwords = { owner: await ensureCluster(cluster), service: await ensureServicePassword(cluster) };
    const deadline = Date.now() + PATIENCE_MS;
    let launched: Launch | undefined;
    let place: SocketPlace | undefined;
    for (let starts = 0; Date.now() < deadline; await sleep(25)) {
      const server = await runningServer(cluster);
      const joined = server?.address && (await join(cluster.data, passwords, server.address));
      if (joined)
        return { ...joined, withoutSocket: place && 'refused' in place ? place.refused : undefined };
      if (server || launched?.running) continue;
      const said = launched && (await judgeFailure(cluster, launched, starts));
      await removeStalePidFile(cluster);
      place = SOCKET_REFUSED.test(said ?? '')
        ? { refused: 'Postgres cannot make one' }
        : await prepareSocketFolder(cluster);
      const free = starts === 0 && (await isFree(port)) ? port : await freePort();
      launched = await launch(cluster, free, place);
      starts += 1;
    }
    const said = await logTail(cluster.logFile);
    throw new OperatorError(withRemedy('The embedded Postgres does not become ready', said));
  });
}

/** For the last user of the server, while nobody else can join. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const server = await runningServer(cluster);
  if (!server) return;
  // Fast: clients are disconnected, what was committed is on disk. Without pg_ctl's own wait, which would also wait for
  // the server that a newcomer starts right after.
  await run(cluster.programs.pgCtl, ['stop', '-D', cluster.data, '-m', 'fast', '-W'], cluster.user);
  const deadline = Date.now() + STOP_PATIENCE_MS;
  while ((await runningServer(cluster))?.pid === server.pid) {
    if (Date.now() > deadline) throw new Error(`it is still writing to ${cluster.data}`);
    await sleep(20);
  }
}

// No waiting for the disk, and no tidying up of databases that are gone in a minute.
const DISPOSABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];

type Launch = { running: boolean; error?: Error; killed?: boolean };

async function launch(cluster: Cluster, port: number, place: SocketPlace): Promise<Launch> {
  const args = ['-D', cluster.data, '-p', String(port)];
  // A list of names, in which quotes keep commas and blanks.
  const sockets = 'folder' in place ? `"${place.folder.replaceAll('"', '""')}"` : '';
  const settings = [
    // On the loopback too, whatever there is of sockets: operators' backups find it there.
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${sockets}`,
    'unix_socket_permissions=0700',
    'logging_collector=off',
  ];
  if (cluster.disposable) settings.push(...DISPOSABLE);
  for (const setting of settings) args.push('-c', setting);
  // A new file each time: it stays short, and nobody can have put a link in its place.
  await rm(cluster.logFile, { force: true });
  const log = await open(cluster.logFile, 'ax', 0o600);
  try {
    // Detached: in a session of its own neither Ctrl-C in the terminal nor our death reaches it. Not by pg_ctl, which
    // builds a shell command line out of the paths.
    const options = { ...runOptions(cluster.user), detached: true, windowsHide: true };
    const child = spawn(cluster.programs.postgres, args, { ...options, stdio: ['ignore', log.fd, log.fd] });
    const launched: Launch = { running: true };
    child.once('exit', (_, signal) =>
      Object.assign(launched, { running: false, killed: signal === 'SIGKILL' }),
    );
    child.once('error', (error) => Object.assign(launched, { running: false, error }));
    child.unref();
    return launched;
  } finally {
    await log.close();
  }
}

// Another program took the port; a start that was killed left a server behind; the backends of a killed server are ending.
const PASSING =
  /could not bind|could not create any TCP\/IP sockets|lock file .* already exists|pre-existing shared memory/;

const SOCKET_REFUSED = /Unix-domain socket|\.s\.PGSQL\./;

/** Called when a started server ended at once: returns with what it said when another try makes sense. */
async function judgeFailure(cluster: Cluster, launched: Launch, starts: number): Promise<string> {
  const said = launched.error?.message ?? (await logTail(cluster.logFile));
  const stopped = /database system is shut down/.test(said) && !/FATAL|PANIC/.test(said);
  // Killed says nothing about the cluster: somebody, or a system short of memory, ended this one process.
  const passing = launched.killed || stopped || PASSING.test(said) || SOCKET_REFUSED.test(said);
  if (starts >= STARTS_MAX || !passing) {
    throw new OperatorError(withRemedy('The embedded Postgres does not start', said));
  }
  await sleep(200);
  return said;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

async function isFree(port: number): Promise<boolean> {
  if (port === 0) return false;
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return free;
}
