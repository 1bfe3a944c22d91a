// One Postgres for the whole run, the server of TEST_DATABASE_URL or an embedded one that is gone afterwards, and the
// programs as they are built. The schema is made once, in a template that every test database is a copy of.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/db/embedded/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { buildPrograms } from './build-programs.ts';
import { asRole, onDatabase, runSql } from './sql.ts';
import { makeTestFolder, sweepTestFolders } from './temporary.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** a database to send "create database" to */
    adminUrl: string;
    /** the migrated database to copy; names of copies start with it */
    template: string;
    /** the role that the service runs as in every copy; its password is its name */
    serviceRole: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPrograms();
  const server = process.env['TEST_DATABASE_URL']
    ? external(process.env['TEST_DATABASE_URL'])
    : await embedded();
  const template = `athletics_test_${randomBytes(4).toString('hex')}`;
  const serviceRole = `${template}_service`;
  const removeAll = async () => {
    await dropDatabases(server.url, template);
    await runSql(server.url, `drop role if exists ${serviceRole}`);
    await server.stop();
  };
  try {
    await runSql(server.url, `create database ${template}`);
    await runSql(server.url, `create role ${serviceRole} login password '${serviceRole}'`);
    const owner = onDatabase(server.url, template);
    await migrate(owner, { serviceUrl: asRole(owner, serviceRole) });
  } catch (error) {
    await removeAll();
    throw error;
  }
  project.provide('adminUrl', server.url);
  project.provide('template', template);
  project.provide('serviceRole', serviceRole);
  return removeAll;
}

type Server = { url: string; stop: () => Promise<void> };

function external(url: string): Server {
  return { url, stop: async () => {} };
}

async function embedded(): Promise<Server> {
  await sweepTestFolders();
  const folder = await makeTestFolder();
  // Ctrl-C skips the tear-down. A Postgres whose files are gone ends by itself within a minute.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const log = pino({ level: 'warn' }, process.stderr);
  const server = await startEmbeddedPostgres({ dataDir: folder, log, disposable: true });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.ownerUrl, stop };
}

async function dropDatabases(adminUrl: string, template: string): Promise<void> {
  const rows = await runSql(adminUrl, 'select datname from pg_database where starts_with(datname, $1)', [
    template,
  ]);
  for (const { datname } of rows) await runSql(adminUrl, `drop database if exists ${datname} with (force)`);
}
