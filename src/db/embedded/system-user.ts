// The user that Postgres runs as when we are root, since it refuses to be root itself; and what that user can reach.
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { ProgramFailed, run, type SystemUser } from './processes.ts';

/** Undefined unless we are root. A cluster that exists keeps its owner. */
export async function unprivilegedUser(clusterData: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await lstat(clusterData).catch(() => undefined);
  if (owner && owner.uid !== 0) return { name: `of id ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const user = (await lookUp('postgres')) ?? (await createUser()) ?? (await lookUp('nobody'));
  if (user && user.uid !== 0) return user;
  throw new OperatorError(
    'Postgres does not run as root and no user "postgres" could be created: create one (useradd --system postgres), start as another user, or set DATABASE_URL',
  );
}

/** The first folder on the way to `path` that `user` cannot enter. */
export async function closedFolder(path: string, user: SystemUser): Promise<string | undefined> {
  const folders = [path];
  while (dirname(folders[0] ?? '/') !== folders[0]) folders.unshift(dirname(folders[0] ?? '/'));
  // Asking as that user counts in what mode bits do not tell (access lists, mount options).
  const script = 'for f; do test -x "$f" || { printf %s "$f"; exit; }; done';
  return (await run('/bin/sh', ['-c', script, 'sh', ...folders], user)) || undefined;
}

async function lookUp(name: string): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = [await run('id', ['-u', name]), await run('id', ['-g', name])];
    return { name, uid: Number(uid), gid: Number(gid) };
  } catch (error) {
    if (error instanceof ProgramFailed) return undefined;
    throw error;
  }
}

async function createUser(): Promise<SystemUser | undefined> {
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']],
    ['adduser', ['-S', '-D', '-H', 'postgres']],
  ];
  for (const [program, args] of ways) await run(program, args).catch(() => undefined);
  return await lookUp('postgres');
}
