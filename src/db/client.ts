// Connections to Postgres: the pool, the query builder over it, and the types that tell a transaction from a pool.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Client, Pool, type QueryConfig, types } from 'pg';

export type Db = NodePgDatabase & { $client: Pool };
/** What a write takes: passing the pool does not compile. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** What a read takes. */
export type Executor = Db | Tx;

// bigint columns here are revisions and ids, far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

const SEEN_BEFORE_PREPARED = 3;
const MAX_PREPARED = 100;
const MAX_TEXT = 10_000;

/**
 * Prepares statements that come again, so that Postgres plans each once per connection: planning was most of its work in the
 * save of a unit. Their number is bounded: texts made for one occasion, with a parameter per value, stay unnamed.
 */
function createNaming(): (text: string) => string | undefined {
  const seen = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || text.length > MAX_TEXT || names.size === MAX_PREPARED) return known;
    const times = (seen.get(text) ?? 0) + 1;
    if (seen.size > MAX_PREPARED * SEEN_BEFORE_PREPARED) seen.clear();
    seen.set(text, times);
    if (times < SEEN_BEFORE_PREPARED) return undefined;
    seen.delete(text);
    names.set(text, `s${names.size + 1}`);
    return names.get(text);
  };
}

const nameOf = createNaming();

class PreparingClient extends Client {
  // The library has a signature for each way of calling it; the query builder uses but one of them.
  override query(...call: unknown[]): never {
    const [config, values] = call as [QueryConfig | string, unknown];
    const parameters = Array.isArray(values) ? values : (config as QueryConfig).values;
    if (typeof config === 'object' && parameters?.length && config.name === undefined) {
      const name = nameOf(config.text);
      if (name !== undefined) call[0] = { ...config, name };
    }
    return (super.query as (...call: unknown[]) => never)(...call);
  }
}

/** Opens a pool. `onError` hears of idle connections that broke; the pool replaces them by itself. */
export function connect(url: string, onError: (error: Error) => void, max = 10): Db {
  const pool = new Pool({
    Client: PreparingClient,
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
