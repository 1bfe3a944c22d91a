// Connections to Postgres: the pool, the query builder over it, and the types that tell a transaction from a pool.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Pool, types } from 'pg';

export type Db = NodePgDatabase & { $client: Pool };
/** What a write takes: passing the pool does not compile. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** What a read takes. */
export type Executor = Db | Tx;

// bigint columns here are revisions and ids, far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

/** Opens a pool. `onError` hears of idle connections that broke; the pool replaces them by itself. */
export function connect(url: string, onError: (error: Error) => void, max = 10): Db {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: 'athletics-data-service',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  pool.on('error', onError);
  return drizzle({ client: pool });
}

// What goes over it takes milliseconds and is worth nothing when it comes seconds late.
const BESIDE_MS = 3000;

/** One connection beside the pool, for what must neither queue behind requests nor wait for a network that is gone. */
export function connectBeside(url: string, onError: (error: Error) => void): Db {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: 'athletics-data-service heartbeat',
    connectionTimeoutMillis: BESIDE_MS,
    query_timeout: BESIDE_MS,
    keepAlive: true,
  });
  pool.on('error', onError);
  return drizzle({ client: pool });
}

/** Fails when the database does not answer. */
export async function pingDatabase(db: Executor): Promise<void> {
  await db.execute('select 1');
}
