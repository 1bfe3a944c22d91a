// A database as the first release left it, to be brought to the present schema.
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { expect, onTestFinished } from 'vitest';
import { createEmptyDatabase } from './db.ts';
import { makeTestFolder } from './temporary.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const FIXTURE = fileURLToPath(new URL('../fixtures/first-release.sql', import.meta.url));
const FIRST_RELEASE = '0001_outbox_autovacuum';

/** The migrations up to the first release, as that release carried them. */
async function firstMigrations(): Promise<string> {
  const folder = await makeTestFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(MIGRATIONS, folder, { recursive: true });
  const path = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] };
  const last = journal.entries.findIndex(({ tag }) => tag === FIRST_RELEASE);
  expect(last).toBeGreaterThanOrEqual(0);
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }));
  return folder;
}

/** A database of the first release with data in it, before any later migration. */
export async function firstReleaseDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await applyMigrations(drizzle({ client }), { migrationsFolder: await firstMigrations() });
  await client.query(await readFile(FIXTURE, 'utf8'));
  await client.end();
  return database.url;
}
