// Starts on a database that cannot hold the data: one line that names the remedy, and the end.
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../helpers/db.ts';
import { startInstalledPostgres } from '../helpers/installed-postgres.ts';
import { refusalOf } from '../helpers/running-server.ts';
import { launch } from '../helpers/server.ts';
import { holdLock, onDatabase, runSql } from '../helpers/sql.ts';
import { LOCKS } from '../../src/db/locks.ts';

const PASSWORD = 'geheim';
const ROLE = `visitor_${process.pid}`;
let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
  await runSql(database.url, `create role ${ROLE} login password '${PASSWORD}'`);
});
afterAll(async () => {
  await database.drop();
  await runSql(inject('adminUrl'), `drop role ${ROLE}`);
});

const refusal = (url: string) =>
  migrate(url).then(
    () => 'none',
    (error: Error) => `${error.name}: ${error.message}`,
  );
const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function withSetting(setting: string, work: () => Promise<void>): Promise<void> {
  await runSql(inject('adminUrl'), `alter database ${nameOf(database.url)} set ${setting}`);
  await work();
  await runSql(inject('adminUrl'), `alter database ${nameOf(database.url)} reset all`);
}

const LINE = /^OperatorError: [^\n]*DATABASE_URL[^\n]*$/;

it('dates in another style', () =>
  withSetting(`datestyle = 'German, DMY'`, async () => {
    const said = await refusal(database.url);
    expect(said).toMatch(LINE);
    expect(said).toMatch(/German.*set datestyle/);
  }));

it('a database that is read-only', () =>
  withSetting('default_transaction_read_only = on', async () => {
    expect(await refusal(database.url)).toMatch(/^OperatorError: .*DATABASE_URL.*read-only/);
  }));

it('another encoding', async () => {
  const name = `${inject('template')}_latin1`;
  await runSql(
    inject('adminUrl'),
    `create database ${name} template template0 encoding 'LATIN1' locale 'C' locale_provider libc`,
  );
  onTestFinished(async () => void (await runSql(inject('adminUrl'), `drop database ${name} with (force)`)));
  expect(await refusal(onDatabase(database.url, name))).toMatch(/^OperatorError: .*LATIN1.*UTF8/);
});

it('a role without rights, in a new database and in one that somebody else has filled', async () => {
  const as = (url: string) => {
    const other = new URL(url);
    Object.assign(other, { username: ROLE, password: PASSWORD });
    return other.href;
  };
  expect(await refusal(as(database.url))).toMatch(/^OperatorError: .*may not create tables.*owner/);
  const filled = await createTestDatabase();
  onTestFinished(filled.drop);
  await runSql(filled.url, `grant create on database ${nameOf(filled.url)} to ${ROLE}`);
  await runSql(filled.url, `grant create on schema public to ${ROLE}`);
  await runSql(filled.url, `grant usage, create on schema drizzle to ${ROLE}`);
  await runSql(filled.url, `grant select on drizzle.__drizzle_migrations to ${ROLE}`);
  expect(await refusal(as(filled.url))).toMatch(/^OperatorError: .*may not write the table account_groups/);
  await runSql(filled.url, `drop owned by ${ROLE}`);
});

it('a schema of a newer version', async () => {
  const newer = await createTestDatabase();
  onTestFinished(newer.drop);
  await runSql(
    newer.url,
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 99999999999999)`,
  );
  expect(await refusal(newer.url)).toMatch(/^OperatorError: .*newer version.*restore the backup/);
});

/** Answers the start-up message as PgBouncer does. */
async function pooler(): Promise<number> {
  const message = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(message.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, message])));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function start(env: Record<string, string>) {
  const program = launch('src/main.ts', { JWT_SECRET: 'x'.repeat(32), ...env });
  return { code: await program.ended, err: program.written.stderr };
}

it.each([
  [
    'a pooler between',
    async () => ({ DATABASE_URL: `postgres://anna@127.0.0.1:${await pooler()}/x` }),
    /DATABASE_URL.*PgBouncer.*unsupported startup parameter/,
  ],
  [
    'no TLS where it is asked for',
    async () => ({ DATABASE_URL: `${database.url.split('?')[0]}?sslmode=require` }),
    /has no TLS.*sslmode/,
  ],
  [
    'proxies that are no addresses',
    async () => ({ DATABASE_URL: database.url, TRUST_PROXY: 'maybe' }),
    /TRUST_PROXY: must be/,
  ],
  [
    'a folder that cannot be made',
    async () => ({ DATA_DIR: '/dev/null/data', JWT_SECRET: '' }),
    /DATA_DIR: .*file is in the way/,
  ],
] as const)('%s: one line, no stack', async (_what, env, reason) => {
  const line = await refusalOf({ JWT_SECRET: 'x'.repeat(32), ...(await env()) });
  expect(line).toMatch(reason);
  expect(line).not.toContain('\n');
});

const OLD = process.env['OLD_POSTGRES_BIN'];
const skippedWithoutOld = OLD ? '' : ' (skipped: OLD_POSTGRES_BIN names no folder)';

it.skipIf(!OLD)(`a Postgres before 15: one line, no stack${skippedWithoutOld}`, async () => {
  const old = await startInstalledPostgres(OLD);
  const { code, err } = await start({ DATABASE_URL: old.url('postgres') });
  expect(code).toBe(1);
  expect(err).toMatch(/^DATABASE_URL: Postgres \S+ is too old: upgrade it to 15 or newer\n$/);
});

it('who waits for another process to migrate says so', async () => {
  const giveBack = await holdLock(database.url, LOCKS.migrations);
  const program = launch('src/main.ts', {
    JWT_SECRET: 'x'.repeat(32),
    DATABASE_URL: database.url,
    PORT: '0',
  });
  await program.until(/Waiting for another process/);
  await giveBack();
  expect(await program.until(/Ready at/)).not.toBeNull();
});
