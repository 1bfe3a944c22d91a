// A Postgres of the system beside the embedded one: an external server with the tools of its own version, pg_dump among them.
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { unprivilegedUser } from '../../src/db/embedded/system-user.ts';
import { run } from '../../src/db/embedded/processes.ts';
import { freePort } from './free-port.ts';
import { makeTestFolder } from './temporary.ts';

const ROOT = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'];
const versions = existsSync(ROOT) ? readdirSync(ROOT).toSorted() : [];

/** Where its programs are; undefined when none is installed. */
export const INSTALLED = versions
  .map((version) => join(ROOT, version, 'bin'))
  .findLast((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))));

/** For the titles of tests that need it. */
export const skippedWithoutPostgres = INSTALLED
  ? ''
  : ` (skipped: no Postgres with ${PROGRAMS.join(', ')} in ${ROOT}/*/bin)`;

export type InstalledPostgres = {
  /** Of a database on this server, for a role that needs no password. */
  url: (database: string, role?: string) => string;
  /** Runs one of its programs. */
  run: (program: string, ...args: string[]) => Promise<string>;
  /** Where its programs may write. */
  folder: string;
};

const OWNER = 'owner';

/** A cluster of its own, gone after the test. */
export async function startInstalledPostgres(bin = INSTALLED!): Promise<InstalledPostgres> {
  const parent = await makeTestFolder();
  const folder = join(parent, 'installed');
  await mkdir(folder);
  const user = await unprivilegedUser(join(folder, 'data'));
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  const program = (name: string, ...args: string[]) => run(join(bin, name), args, user);
  const data = ['-D', join(folder, 'data')];
  onTestFinished(async () => {
    await program('pg_ctl', ...data, '-m', 'immediate', 'stop').catch(() => {});
    await rm(parent, { recursive: true, force: true });
  });
  const port = await freePort();
  await program('initdb', ...data, '-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync');
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  await program('pg_ctl', ...data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start');
  return {
    url: (database, role = OWNER) => `postgres://${role}@127.0.0.1:${port}/${database}`,
    run: program,
    folder,
  };
}
