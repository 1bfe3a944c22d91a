// A real PgBouncer between the program and Postgres: refused at start, in one line that says what to do.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { unprivilegedUser } from '../../src/db/embedded/system-user.ts';
import { createEmptyDatabase } from '../helpers/db.ts';
import { freePort } from '../helpers/free-port.ts';
import { launch } from '../helpers/server.ts';
import { runSql } from '../helpers/sql.ts';
import { makeTestFolder } from '../helpers/temporary.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', 'pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);
const skipped = PROGRAM ? '' : ' (skipped: pgbouncer is not installed)';

/** @param tolerant ignores the settings of a connection, as operators set it for drivers that send some */
async function pooler(databaseUrl: string, mode: string, tolerant: boolean): Promise<string> {
  const folder = await makeTestFolder();
  const [port, target] = [await freePort(), new URL(databaseUrl)];
  const name = target.pathname.slice(1);
  const password = decodeURIComponent(target.password);
  // The embedded Postgres is asked over its socket, in a folder that another user may not enter; it listens here as well.
  const host = target.hostname.startsWith('%2F') ? '127.0.0.1' : target.hostname;
  const to = `host=${host} port=${target.port} user=${target.username} password=${password}`;
  const ignored =
    'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options,extra_float_digits';
  const settings = [
    `[databases]\n${name} = ${to}\n[pgbouncer]`,
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any`,
    `pool_mode = ${mode}`,
    ...(tolerant ? [`ignore_startup_parameters = ${ignored}`] : []),
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  await chmod(file, 0o644);
  const user = await unprivilegedUser(file);
  const child = spawn(PROGRAM!, ['--quiet', file], {
    stdio: 'ignore',
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await gone;
    await rm(folder, { recursive: true, force: true });
  });
  await vi.waitFor(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  }, 10_000);
  return `postgres://anna@127.0.0.1:${port}/${name}`;
}

describe.skipIf(!PROGRAM)(`PgBouncer${skipped}`, () => {
  it.each([
    ['transaction', false],
    ['transaction', true],
    ['session', false],
    ['session', true],
  ])('in %s mode, ignoring settings: %s', async (mode, tolerant) => {
    const database = await createEmptyDatabase();
    onTestFinished(database.drop);
    const url = await pooler(database.url, mode, tolerant);
    const program = launch('src/main.ts', { JWT_SECRET: 'x'.repeat(32), DATABASE_URL: url, PORT: '0' });
    expect(await program.ended).toBe(1);
    const lines = program.written.stderr.trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/DATABASE_URL: a pooler such as PgBouncer.*name the address of Postgres itself/),
    ]);
    // Nothing was made in it.
    expect(
      await runSql(database.url, `select from pg_tables where schemaname in ('public', 'drizzle')`),
    ).toEqual([]);
  });
});
