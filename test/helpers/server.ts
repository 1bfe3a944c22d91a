// The real programs as processes of their own, for tests that stop and kill them. Whatever runs ends with the test, or with those that share it.
import { rm } from 'node:fs/promises';
import { createAccount } from '../../src/accounts/create-account.ts';
import { connect } from '../../src/db/client.ts';
import { createTestDatabase } from './db.ts';
import { BUILT, built, type Environment, type Program, startCommand } from './program.ts';
import { whenOver } from './shared.ts';
import { makeTestFolder } from './temporary.ts';

export type Server = Program & { baseUrl: string };
export type Account = { email: string; password: string };

type Start = { args?: string[]; cwd?: string };

/** Starts a program by its source, as it is built; where no .env lies, unless told where. */
export function launch(script: string, env: Environment, { args = [], cwd = BUILT }: Start = {}): Program {
  const program = startCommand({ command: process.execPath, args: [built(script), ...args], env, cwd });
  whenOver(() => program.kill('SIGKILL'));
  return program;
}

export async function startServerProcess(env: Environment, start: Start = {}): Promise<Server> {
  const program = launch('src/main.ts', { PORT: '0', ...env }, start);
  const [, baseUrl] = await program.until(/Ready at (http:\/\/[^\s"]+)/);
  return { ...program, baseUrl: baseUrl! };
}

/** Environment of a server on a database of its own, on the Postgres of the test run. */
export async function databaseEnvironment(): Promise<
  Environment & Record<'DATABASE_URL' | 'DATABASE_MIGRATION_URL' | 'DATA_DIR', string>
> {
  const database = await createTestDatabase();
  const folder = await makeTestFolder();
  whenOver(async () => {
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });
  return {
    DATABASE_URL: database.serviceUrl,
    DATABASE_MIGRATION_URL: database.url,
    DATA_DIR: folder,
    JWT_SECRET: 'a secret of the end-to-end tests',
  };
}

/** Runs the operations program to its end. */
export async function cli(env: Environment, ...args: string[]) {
  const program = launch('src/cli.ts', env, { args });
  return { code: await program.ended, out: program.written.stdout, err: program.written.stderr };
}

let accounts = 0;

/** Makes an account by the same verb as the command line, without another process. */
export async function makeAccount(databaseUrl: string, ...groups: string[]): Promise<Account> {
  const account = { email: `e2e${++accounts}@example.org`, password: 'correct horse' };
  const db = connect(databaseUrl, () => {}, 1);
  await createAccount({ db }, { ...account, groups });
  await db.$client.end();
  return account;
}
