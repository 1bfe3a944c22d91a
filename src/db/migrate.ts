// Migrations: they bring the database to the present schema, whichever of several processes starts first.
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import type { Executor } from './client.ts';
import { LOCKS } from './locks.ts';
import { withSessionLock } from './session-lock.ts';

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Applies what is missing of migrations/, one process at a time (session advisory lock on a connection of its own). */
export async function migrate(url: string): Promise<void> {
  await withSessionLock(url, LOCKS.migrations, (client) =>
    applyMigrations(drizzle({ client }), { migrationsFolder }),
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
