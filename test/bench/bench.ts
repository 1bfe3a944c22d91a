// What rows are measured on: Postgres with stock settings, real servers on free ports. All of it is gone afterwards.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createAccount } from '../../src/accounts/create-account.ts';
import { connect } from '../../src/db/client.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded.ts';
import { type ApiClient, signedIn } from '../helpers/http-client.ts';
import { type Environment, type Program, startProgram } from '../helpers/program.ts';
import { onDatabase, runSql } from '../helpers/sql.ts';
import { makeTestFolder, sweepTestFolders } from '../helpers/temporary.ts';

export type Bench = {
  /** A server on an empty database of its own, and an API client that may do everything in GBR. */
  server(env?: Environment): Promise<Program & { baseUrl: string; databaseUrl: string; api: ApiClient }>;
  /** A program that is ready when it prints this. */
  program(script: string, env: Environment, ready: RegExp): Promise<Program & { match: RegExpExecArray }>;
  /** Runs when the row is done, last come first. */
  afterwards(work: () => unknown): void;
  stop(): Promise<void>;
};

const ACCOUNT = { email: 'bench@example.org', password: 'correct horse' };

export async function startBench(): Promise<Bench> {
  const works: (() => unknown)[] = [];
  const afterwards = (work: () => unknown) => void works.push(work);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= runAll(works.toReversed()));
  const interrupted = () => void stop().then(() => process.exit(130));
  // Not once: tsx passes the signal of a Ctrl-C on, which so comes twice.
  process.on('SIGINT', interrupted);
  afterwards(() => process.off('SIGINT', interrupted));
  const adminUrl = process.env['TEST_DATABASE_URL'] ?? (await startPostgres(afterwards));
  const program: Bench['program'] = async (script, env, ready) => {
    const started = startProgram(script, env);
    afterwards(() => started.kill('SIGKILL'));
    return { ...started, match: await started.until(ready) };
  };
  return {
    afterwards,
    stop,
    program,
    async server(env = {}) {
      const databaseUrl = await createDatabase(adminUrl, afterwards);
      const own = { DATABASE_URL: databaseUrl, JWT_SECRET: randomBytes(32).toString('hex'), PORT: '0' };
      const unlimited = { RATE_LIMIT_WRITE: '0' };
      const started = await program(
        'src/main.ts',
        { ...own, ...unlimited, ...env },
        /Ready at (http:[^\s"]+)/,
      );
      const baseUrl = started.match[1]!;
      await makeAccount(databaseUrl);
      return { ...started, baseUrl, databaseUrl, api: await signedIn(baseUrl, ACCOUNT) };
    },
  };
}

async function runAll(works: (() => unknown)[]): Promise<void> {
  for (const work of works) await work();
}

async function startPostgres(afterwards: Bench['afterwards']): Promise<string> {
  await sweepTestFolders();
  const folder = await makeTestFolder();
  afterwards(() => rm(folder, { recursive: true, force: true }));
  const log = { info: () => {}, warn: (message: string) => process.stderr.write(`${message}\n`) };
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  afterwards(() => postgres.stop());
  return postgres.url;
}

async function createDatabase(adminUrl: string, afterwards: Bench['afterwards']): Promise<string> {
  const name = `athletics_bench_${randomBytes(4).toString('hex')}`;
  await runSql(adminUrl, `create database ${name}`);
  afterwards(() => runSql(adminUrl, `drop database if exists ${name} with (force)`));
  return onDatabase(adminUrl, name);
}

async function makeAccount(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, () => {}, 1);
  await createAccount({ db }, { ...ACCOUNT, groups: ['ADMIN_GBR'] });
  await db.$client.end();
}
