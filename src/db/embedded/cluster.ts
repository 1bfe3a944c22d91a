// One Postgres cluster on disk: its folder, how it is made, and what its files tell about a running server.
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { findPrograms, type Programs } from './binaries.ts';
import { closedFolder, unprivilegedUser } from './system-user.ts';
import { codeOf, commandOf, isAlive, ProgramFailed, run, type SystemUser } from './processes.ts';
import { withRemedy } from './server-log.ts';
import { socketFolder } from './socket.ts';
import type { Address } from './presence.ts';

export const SUPERUSER = 'athletics';
/** What the program is once it runs: without rights but to the rows of its tables. */
export const SERVICE_ROLE = 'athletics_service';

export type Cluster = {
  /** holds everything below; belongs to us */
  folder: string;
  /** belongs to the user Postgres runs as */
  data: string;
  logFile: string;
  programs: Programs;
  user: SystemUser | undefined;
  /** for clusters nobody will miss: no waiting for the disk, no care */
  disposable: boolean;
};

/** The cluster of this data folder; makes the folders around it, not yet the cluster. */
export async function openCluster(dataDir: string, disposable: boolean): Promise<Cluster> {
  await makeFolders(join(dataDir, 'postgres'));
  const folder = await realpath(join(dataDir, 'postgres'));
  const data = join(folder, 'data');
  const user = await unprivilegedUser(data);
  const closed = user && (await closedFolder(folder, user));
  if (closed) {
    throw new OperatorError(
      `DATA_DIR: Postgres does not run as root, and the user ${user.name} cannot enter ${closed}; set DATA_DIR to a folder outside it, for example /var/lib/athletics`,
    );
  }
  const programs = await findPrograms(user);
  return { folder, data, logFile: join(folder, 'postgres.log'), programs, user, disposable };
}

// As root another user has to pass through to its own folder; the secrets in them are closed by their own mode.
async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  for (let path = folder; path !== dirname(first); path = dirname(path)) await chmod(path, mode);
}

/** Makes the cluster unless it exists, and returns its password. Inside the start lock. */
export async function ensureCluster(cluster: Cluster): Promise<string> {
  const owner = await lstat(cluster.data).catch(() => undefined);
  if (!owner) return await createCluster(cluster);
  // A backup restored as root.
  const { user } = cluster;
  if (user && owner.uid === 0) await run('chown', ['-hR', `${user.uid}:${user.gid}`, cluster.data]);
  try {
    return await readFile(passwordFile(cluster), 'utf8');
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
    throw new OperatorError(`${passwordFile(cluster)} is missing: restore it from a backup of DATA_DIR`, {
      cause,
    });
  }
}

// Made beside its place and moved there whole: a start that was killed half-way leaves nothing that looks like a cluster.
async function createCluster(cluster: Cluster): Promise<string> {
  for (const name of await readdir(cluster.folder)) {
    if (name.startsWith('new-'))
      await rm(join(cluster.folder, name), { recursive: true, force: true }).catch(() => {});
  }
  const password = newPassword();
  const nursery = await mkdtemp(join(cluster.folder, 'new-'));
  try {
    await writeSecret(join(nursery, 'password'), password);
    if (cluster.user) await handOver(nursery, cluster.user);
    await initialise(cluster, nursery);
    await rm(passwordFile(cluster), { force: true });
    await writeSecret(passwordFile(cluster), password);
    await rename(join(nursery, 'data'), cluster.data);
    return password;
  } finally {
    await rm(nursery, { recursive: true, force: true });
  }
}

async function handOver(nursery: string, { uid, gid }: SystemUser): Promise<void> {
  await chown(join(nursery, 'password'), uid, gid);
  await chown(nursery, uid, gid);
}

async function initialise(cluster: Cluster, nursery: string): Promise<void> {
  // The built-in locale sorts and folds the same on every machine.
  const args = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  args.push(`--username=${SUPERUSER}`, `--pwfile=${join(nursery, 'password')}`, '--auth=scram-sha-256');
  // Otherwise a power cut soon after could take the new cluster with the rows committed to it.
  // Nor need the passwords of a disposable one withstand anybody: each connection pays for that.
  if (cluster.disposable) args.push('--no-sync', '--set', 'scram_iterations=1');
  for (const setting of DEFAULTS) args.push('--set', setting);
  try {
    await run(cluster.programs.initdb, ['-D', join(nursery, 'data'), ...args], cluster.user);
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    throw new OperatorError(withRemedy('Cannot make the embedded database', error.output), { cause: error });
  }
}

// Written to postgresql.conf, where the operator may change them. The log tells of the server, not of refused statements
// (the program reports those), so it stays small without rotation.
const DEFAULTS = [
  'max_connections=100',
  'shared_buffers=128MB',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_messages=log',
  'log_checkpoints=off',
];

/** The password of the service's role; made when there is none, as in a folder of an earlier version. Inside the start lock. */
export async function ensureServicePassword(cluster: Cluster): Promise<string> {
  const path = join(cluster.folder, 'service-password');
  const present = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (present) return present;
  const password = newPassword();
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeSecret(draft, password);
  // A command that root runs must not shut the service out.
  const { uid, gid } = await stat(passwordFile(cluster));
  if (process.getuid?.() === 0) await chown(draft, uid, gid);
  await rename(draft, path);
  return password;
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

function passwordFile(cluster: Cluster): string {
  return join(cluster.folder, 'password');
}

async function writeSecret(path: string, secret: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
}

export type Server = { pid: number; address?: Address };

/** The server that runs on this cluster, as far as its files tell; without an address while it is starting or stopping. */
export async function runningServer(cluster: Cluster): Promise<Server | undefined> {
  const lines = (await readFile(pidFile(cluster), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!pid || !isAlive(pid) || (await isForeign(cluster, pid))) return undefined;
  if (lines[7]?.trim() !== 'ready') return { pid };
  // A server that an earlier version started has no socket, or one that was started by hand has it elsewhere.
  const hasSocket = lines[4] === socketFolder(cluster.folder);
  return { pid, address: { port: Number(lines[3]), ...(hasSocket && { socketFolder: lines[4] }) } };
}

/**
 * Postgres starts over a stale postmaster.pid by itself, but not when the number in it was given to another process of
 * the same user since. Inside the start lock, and only when runningServer found nothing.
 */
export async function removeStalePidFile(cluster: Cluster): Promise<void> {
  const pid = Number.parseInt(await readFile(pidFile(cluster), 'utf8').catch(() => ''), 10);
  if (pid && isAlive(pid) && (await isForeign(cluster, pid))) await rm(pidFile(cluster), { force: true });
}

// Only plain proof counts: a foreign process taken for ours costs a wait, ours taken for foreign could start a second server.
async function isForeign(cluster: Cluster, pid: number): Promise<boolean> {
  const command = await commandOf(pid);
  if (command === undefined) return false;
  // Elsewhere ps may spell the path differently.
  return !command.includes(process.platform === 'linux' ? `-D ${cluster.data} ` : 'postgres');
}

function pidFile(cluster: Cluster): string {
  return join(cluster.data, 'postmaster.pid');
}
