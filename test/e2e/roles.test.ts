// Two roles: the owner migrates and grants, the service runs as one that may change rows, and no table.
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { purgeAudit } from '../../src/audit/store.ts';
import { loadConfig } from '../../src/config.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDeps } from '../../src/deps.ts';
import { createLog } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { commandAnswer } from '../helpers/cli.ts';
import { createEmptyDatabase, createTestDatabase } from '../helpers/db.ts';
import { dataFolder, embeddedUrl, usedFolder } from '../helpers/embedded-process.ts';
import { firstReleaseDatabase } from '../helpers/first-release.ts';
import { get, signIn, withToken } from '../helpers/http-client.ts';
import { INSTALLED, skippedWithoutPostgres, startInstalledPostgres } from '../helpers/installed-postgres.ts';
import { ROOT, startCommand } from '../helpers/program.ts';
import { serve } from '../helpers/running-server.ts';
import { databaseEnvironment, makeAccount } from '../helpers/server.ts';
import { asRole, runSql } from '../helpers/sql.ts';
import { MEETING_PAGE, storeWholeMeeting } from '../helpers/whole-meeting.ts';

const FORBIDDEN = [
  'create table mine (id int)',
  'create schema mine',
  'create role mine superuser',
  'create database mine',
  'drop table audit',
  'drop function audit_append_only cascade',
  `create or replace function audit_append_only() returns trigger language plpgsql as 'begin return old; end'`,
  'alter table audit disable trigger all',
  'alter table units add column mine text',
  'alter table units owner to current_user',
  'drop trigger audit_append_only on audit',
  'create trigger mine before insert on units for each row execute function audit_append_only()',
  'set session_replication_role = replica',
  'truncate audit',
  'truncate units',
  `select setval('revisions', 1)`,
  `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 1)`,
  `copy audit to program 'true'`,
  `alter role current_user superuser`,
];
const DENIED = /permission denied|must be (the )?owner|must be superuser|Only roles with/i;

const ATTRIBUTES = `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as powerful
  from pg_roles where rolname = current_user`;

async function expectPlain(url: string): Promise<void> {
  expect(await runSql(url, ATTRIBUTES)).toEqual([{ powerful: false }]);
  for (const statement of FORBIDDEN) await expect(runSql(url, statement)).rejects.toThrow(DENIED);
  // The rows are its business, those of the audit within what the trigger allows.
  await runSql(url, `insert into audit (action) values ('sign-in')`);
  await expect(runSql(url, 'delete from audit')).rejects.toThrow('the audit is append only');
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const sessionsOf = (role: string) =>
  `select application_name from pg_stat_activity where backend_type = 'client backend' and usename = '${role}' and pid <> pg_backend_pid()`;

/** What the log of a start says of the role. */
async function told(databaseUrl: string): Promise<[level: number, message: string][]> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: await dataFolder(), JWT_SECRET: 'x'.repeat(32) };
  const server = await startServer(loadConfig({ ...env, PORT: '0' }), log);
  await server.close();
  const entries = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  return entries.filter(({ msg }) => msg.includes('runs as')).map(({ level, msg }) => [level, msg]);
}

describe('a single address', () => {
  it('is served as before, and the log says that its role is an owner, and warns of a superuser', async () => {
    const database = await createEmptyDatabase();
    const role = `owner_${process.pid}`;
    await runSql(inject('adminUrl'), `create role ${role} login password '${role}'`);
    onTestFinished(async () => {
      await database.drop();
      await runSql(inject('adminUrl'), `drop role ${role}`);
    });
    await runSql(database.url, `alter database ${new URL(database.url).pathname.slice(1)} owner to ${role}`);
    expect(await told(asRole(database.url, role))).toEqual([
      [30, expect.stringMatching(`runs as ${role}, the owner of its tables: DATABASE_MIGRATION_URL`)],
    ]);
    expect(await told(database.url)).toEqual([
      [40, expect.stringContaining('a superuser of Postgres: DATABASE_MIGRATION_URL')],
    ]);
    await migrate(asRole(database.url, role), { serviceUrl: asRole(database.url, inject('serviceRole')) });
    expect(await told(asRole(database.url, inject('serviceRole')))).toEqual([]);
  });
});

describe.skipIf(!INSTALLED)(`the image of Postgres${skippedWithoutPostgres}`, () => {
  it('makes the role of the service, in a database that is there too, and keeps it plain', async () => {
    const postgres = await startInstalledPostgres();
    const { hostname, port } = new URL(postgres.url('postgres'));
    await runSql(postgres.url('postgres'), 'create database owner');
    const script = join(ROOT, 'deploy/service-role.sh');
    const env = {
      PATH: `${INSTALLED}:${process.env['PATH']}`,
      PGHOST: hostname,
      PGPORT: port,
      POSTGRES_USER: 'owner',
      SERVICE_PASSWORD: "it's secret",
    };
    for (const turn of ['first', 'again']) {
      const program = startCommand({ command: script, args: [], env });
      expect([turn, await program.ended, program.written.stderr]).toEqual([turn, 0, '']);
      const serviceUrl = postgres.url('owner', 'athletics_service');
      await migrate(postgres.url('owner'), { serviceUrl });
      await expectPlain(serviceUrl);
      await runSql(postgres.url('owner'), 'alter role athletics_service createdb');
    }
  }, 60_000);
});

describe('the embedded Postgres', () => {
  it('has a server that runs as a plain role with a password of its own, and nobody stays connected as superuser', async () => {
    const folder = await dataFolder();
    const first = await serve({ DATA_DIR: folder });
    await expectPlain(first.databaseUrl);
    await expect(runSql(first.databaseUrl, 'create temporary table mine (id int)')).rejects.toThrow(DENIED);
    expect((await stat(join(folder, 'postgres/service-password'))).mode & 0o777).toBe(0o600);
    // Another process joins the first one, and both go on.
    const second = await serve({ DATA_DIR: folder });
    expect(second.databaseUrl).toBe(first.databaseUrl);
    const url = await embeddedUrl(folder);
    // Those of the start say goodbye and are gone a moment later.
    await expect.poll(() => runSql(url, sessionsOf('athletics'))).toEqual([]);
    await first.stop();
    expect((await get(`${second.baseUrl}/readyz`)).status).toBe(200);
  }, 60_000);

  it('of a version that knew one role gets the second at its next start, and a lost password is made anew', async () => {
    const folder = await usedFolder();
    const before = await serve({ DATA_DIR: folder });
    const { email } = await makeAccount(before.databaseUrl, 'ADMIN_GBR');
    await before.stop();
    await asBefore(folder);
    for (const lose of [async () => {}, () => rm(join(folder, 'postgres/service-password'))]) {
      await lose();
      const { databaseUrl, baseUrl, stop } = await serve({ DATA_DIR: folder });
      await expectPlain(databaseUrl);
      expect(await runSql(databaseUrl, 'select email from accounts')).toEqual([{ email }]);
      expect((await get(`${baseUrl}/readyz`)).body.checks.migrations).toEqual({ status: 'ok', pending: 0 });
      await stop();
    }
  }, 60_000);
});

/** Takes from a data folder what earlier versions did not put there. */
async function asBefore(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: quiet });
  await runSql(postgres.ownerUrl, 'drop owned by athletics_service');
  await runSql(postgres.ownerUrl, 'drop role athletics_service');
  await postgres.stop();
  await rm(join(folder, 'postgres/service-password'));
}

describe('a Postgres of one’s own', () => {
  it('serves a meeting from its creation to its erasure under the plain role', async () => {
    const env = await databaseEnvironment();
    await expectPlain(env.DATABASE_URL);
    const { baseUrl } = await serve(env);
    const account = await makeAccount(env.DATABASE_URL, 'ADMIN_GBR');
    const director = await makeAccount(env.DATABASE_URL);
    const token = await signIn(baseUrl, account);
    const api = withToken(baseUrl, token);
    const path = await storeWholeMeeting(api, director.email);
    const unit = `${path}/events/F1/units/1/1`;
    expect((await api('PATCH', unit, { results_status: 'official' })).status).toBe(200);
    await runSql(
      env.DATABASE_MIGRATION_URL,
      `insert into idempotency_keys (account_id, key, request_hash, answer, created_at)
       select id, 'old', 'x', '{}', now() - interval '2 days' from accounts where email = '${account.email}'`,
    );
    const attempt = { bib: '101', round: 2, result: '6.20' };
    const sent = await fetch(`${baseUrl}/api/v1${unit}/attempts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: JSON.stringify(attempt),
    });
    expect(sent.status).toBe(201);
    expect(await runSql(env.DATABASE_URL, 'select key from idempotency_keys')).toEqual([{ key: 'k' }]);
    const waiting = 'select id from outbox';
    const patience = { timeout: 20_000 };
    await vi.waitFor(async () => expect(await runSql(env.DATABASE_URL, waiting)).toEqual([]), patience);

    const { deps, close } = await createDeps(loadConfig(env), createLog('silent'));
    onTestFinished(close);
    expect((await commandAnswer(deps, 'calendar', 'build')).files).toBeGreaterThan(0);
    await commandAnswer(deps, 'person', 'erase', '--name', 'Maren Okafor', '--all');
    expect((await get(baseUrl + MEETING_PAGE)).text).not.toContain('Okafor');
    await commandAnswer(deps, 'account', 'erase', '--email', director.email);
    await runSql(
      env.DATABASE_MIGRATION_URL,
      `insert into audit (at, action) values (now() - interval '401 days', 'sign-in')`,
    );
    expect(await purgeAudit(deps.db)).toBe(1);
    expect((await api('DELETE', path)).status).toBe(204);
    const actions = (await commandAnswer(deps, 'audit')).map(({ action }: { action: string }) => action);
    expect(actions).toContain('competition.delete');
  }, 60_000);

  it('grants the role what it needs and no more, on the tables of later versions too, whatever its name', async () => {
    const database = await createEmptyDatabase();
    const role = `dienst "${process.pid}"; drop table x`;
    const quoted = `"${role.replaceAll('"', '""')}"`;
    await runSql(inject('adminUrl'), `create role ${quoted} login password '${role}'`);
    onTestFinished(async () => {
      await database.drop();
      await runSql(inject('adminUrl'), `drop role ${quoted}`);
    });
    const serviceUrl = asRole(database.url, role);
    await Promise.all([migrate(database.url, { serviceUrl }), migrate(database.url, { serviceUrl })]);
    await expectPlain(serviceUrl);
    await runSql(database.url, 'create table later (id int generated always as identity, name text)');
    await runSql(serviceUrl, `insert into later (name) values ('x')`);
    await runSql(serviceUrl, `select nextval('later_id_seq')`);
    await expect(runSql(serviceUrl, 'drop table later')).rejects.toThrow(DENIED);

    // What somebody else has given it, or taken, is put right at the next start; a start that finds all right writes nothing.
    await runSql(database.url, `grant all on all tables in schema public to ${quoted}`);
    await runSql(database.url, `revoke usage on sequence revisions from ${quoted}`);
    await migrate(database.url, { serviceUrl });
    await expectPlain(serviceUrl);
    const versions = `select relname, xmin::text from pg_class where relnamespace = 'public'::regnamespace order by 1`;
    const before = await runSql(database.url, versions);
    await migrate(database.url, { serviceUrl });
    expect(await runSql(database.url, versions)).toEqual(before);
  });

  it('that the first release filled is divided among two roles with the next migration', async () => {
    const url = await firstReleaseDatabase();
    const env = { DATABASE_MIGRATION_URL: url, DATABASE_URL: asRole(url, inject('serviceRole')) };
    const folder = await dataFolder();
    const { baseUrl } = await serve({ ...env, DATA_DIR: folder, JWT_SECRET: 'x'.repeat(32) });
    await expectPlain(env.DATABASE_URL);
    expect((await get(baseUrl + MEETING_PAGE)).body.full_name).toBe('Harbour Night of Athletics');
  });

  it('that is up to date is served without the owner; one that is not says who is missing', async () => {
    const ready = await createTestDatabase();
    onTestFinished(ready.drop);
    await migrate(ready.serviceUrl);
    await runSql(
      ready.url,
      'delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)',
    );
    await expect(migrate(ready.serviceUrl)).rejects.toThrow(
      /^DATABASE_URL: the role \w+ may not create tables in \w+: name the owner in DATABASE_MIGRATION_URL, or make/,
    );
  });

  it('refuses two addresses that lead to different databases, and an owner who owns nothing, in one line', async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    onTestFinished(async () => void (await Promise.all([one.drop(), other.drop()])));
    await expect(migrate(one.url, { serviceUrl: other.serviceUrl })).rejects.toThrow(
      /^DATABASE_MIGRATION_URL: it leads to another database than DATABASE_URL[^\n]*$/,
    );
    await expect(migrate(one.serviceUrl, { serviceUrl: one.url })).rejects.toThrow(
      /^DATABASE_MIGRATION_URL: the table [^\n]* belongs to \w+, not to the role \w+: name the owner, or[^\n]*$/,
    );
  });
});
