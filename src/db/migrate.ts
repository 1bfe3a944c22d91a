// Migrations: they bring the database to the present schema, whichever of several processes starts first.
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { OperatorError } from '../errors.ts';
import { connectionSettings, type Executor, READS } from './client.ts';
import { LOCKS } from './locks.ts';
import { grantService } from './roles.ts';
import { withSessionLock } from './session-lock.ts';
import {
  demandOwner,
  demandOwnership,
  demandRights,
  demandSuitable,
  type Facts,
  type Key,
  roleInDatabaseOf,
} from './suitability.ts';

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

type Explain = (error: unknown, url: string, key: Key) => unknown;

type Options = {
  /** Where the service connects to, when another role than the owner does: that one is granted what it needs. */
  serviceUrl?: string;
  /** Hears why this takes long. */
  say?: (line: string) => void;
  /** Makes of a failure on one of the connections the one to throw. */
  explain?: Explain;
};

/**
 * Applies what is missing of migrations/, one process at a time (session advisory lock on a connection of its own).
 * @param url the owner's
 * @throws OperatorError when the database is not fit for it, or a role lacks rights
 */
export async function migrate(
  url: string,
  { serviceUrl = url, say = () => {}, explain = (error) => error }: Options = {},
): Promise<void> {
  const onWait = () => say('Waiting for another process that brings the database to its schema');
  const key: Key = serviceUrl === url ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL';
  const migrated = withSessionLock(url, LOCKS.migrations, { onWait }, async (owner) => {
    const facts = await demandSuitable(owner, key);
    if (await isBehind(owner, facts)) {
      await demandOwner(owner, key, facts);
      await applyMigrations(drizzle({ client: owner }), { migrationsFolder });
    }
    if (serviceUrl === url) await demandRights(owner, facts);
    else await admitService(owner, facts, (work) => asService(serviceUrl, explain, work));
  });
  await migrated.catch((error: unknown) => {
    throw explain(error, url, key);
  });
}

async function isBehind(client: Client, { mayReadVersion }: Facts): Promise<boolean> {
  if (mayReadVersion === null) return true;
  const { rows } = await client.query<{ newest: string | null }>(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  );
  const newest = Number(rows[0]?.newest ?? 0);
  const known = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;
  if (newest <= known) return newest < known;
  throw new OperatorError(
    'DATABASE_URL: a newer version of this program has changed the database: start that version, or restore the backup made before',
  );
}

type AsService = <Result>(work: (service: Client) => Promise<Result>) => Promise<Result>;

/** Who the service is, its own connection tells: the name in its address may be anything. */
async function admitService(owner: Client, facts: Facts, onService: AsService): Promise<void> {
  const role = await onService((service) => roleInDatabaseOf(service, facts));
  if (role !== facts.role) {
    await demandOwnership(owner, 'DATABASE_MIGRATION_URL', facts.role);
    await grantService(owner, role);
  }
  await onService(async (service) => demandRights(service, await demandSuitable(service, 'DATABASE_URL')));
}

async function asService<Result>(
  url: string,
  explain: Explain,
  work: (service: Client) => Promise<Result>,
): Promise<Result> {
  const service = new Client(connectionSettings(url, 'athletics-data-service start', READS));
  service.on('error', () => {});
  try {
    await service.connect();
    return await work(service);
  } catch (error) {
    throw explain(error, url, 'DATABASE_URL');
  } finally {
    await service.end();
  }
}

/** How many of this program's migrations the database lacks. */
export async function pendingMigrations(db: Executor): Promise<number> {
  // Raw: the migrator's own table has no schema here.
  const { rows } = await db.execute<{ applied: number }>(
    sql`select count(*)::int as applied from drizzle.__drizzle_migrations`,
  );
  return Math.max(0, readMigrationFiles({ migrationsFolder }).length - (rows[0]?.applied ?? 0));
}
