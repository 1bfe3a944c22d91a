// Migrations: they bring the database to the present schema, whichever of several processes starts first.
import { fileURLToPath } from 'node:url';
import { getTableName, is, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { PgTable } from 'drizzle-orm/pg-core';
import type { Client } from 'pg';
import { OperatorError } from '../errors.ts';
import type { Executor } from './client.ts';
import { LOCKS } from './locks.ts';
import * as schema from './schema.ts';
import { withSessionLock } from './session-lock.ts';
import { demandRights, demandSuitable } from './suitability.ts';

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));
const TABLES = Object.values(schema).flatMap((one) => (is(one, PgTable) ? [getTableName(one)] : []));

/**
 * Applies what is missing of migrations/, one process at a time (session advisory lock on a connection of its own).
 * @param say hears why this takes long
 * @throws OperatorError when the database is not fit for it
 */
export async function migrate(url: string, say: (line: string) => void = () => {}): Promise<void> {
  const onWait = () => say('Waiting for another process that brings the database to its schema');
  await withSessionLock(url, LOCKS.migrations, { onWait }, async (client) => {
    const facts = await demandSuitable(client);
    if (facts.migrated) await demandKnownSchema(client);
    await applyMigrations(drizzle({ client }), { migrationsFolder });
    await demandRights(client, TABLES, facts);
  });
}

async function demandKnownSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ newest: string | null }>(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  );
  const known = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;
  if (Number(rows[0]?.newest ?? 0) <= known) return;
  throw new OperatorError(
    'DATABASE_URL: a newer version of this program has changed the database: start that version, or restore the backup made before',
  );
}

/** How many of this program's migrations the database lacks. */
export async function pendingMigrations(db: Executor): Promise<number> {
  // Raw: the migrator's own table has no schema here.
  const { rows } = await db.execute<{ applied: number }>(
    sql`select count(*)::int as applied from drizzle.__drizzle_migrations`,
  );
  return Math.max(0, readMigrationFiles({ migrationsFolder }).length - (rows[0]?.applied ?? 0));
}
