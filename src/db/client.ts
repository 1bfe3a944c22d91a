// Connections to Postgres: the pools, the query builder over them, and the types that tell a transaction from a pool.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg';
import { Unavailable } from '../errors.ts';

export type Db = NodePgDatabase & { $client: Pool };
/** What a write takes: passing the pool does not compile. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** What a read takes. */
export type Executor = Db | Tx;

/** Where the database is; a function where that may change: the embedded Postgres may come back on another port. */
export type DatabaseUrl = string | (() => string);
export const urlNow = (url: DatabaseUrl): string => (typeof url === 'string' ? url : url());

// bigint columns here are revisions and ids, far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

/**
 * How long what may last. Postgres ends what is late and says why; `queryMs` is for a network that has swallowed that, and
 * therefore longer. 0 is without end.
 */
export type Patience = { statementMs: number; lockMs: number; queryMs: number };

/** For writes. The longest statement is that of a 64 MB upload on a slow disk, which takes some seconds. */
export const WRITES: Patience = { statementMs: 60_000, lockMs: 12_000, queryMs: 70_000 };
/** For reads, which wait for no row locks. */
export const READS: Patience = { statementMs: 30_000, lockMs: 5000, queryMs: 35_000 };
/** For a session whose one statement may be as long as it needs: a migration, which rewrites tables. */
export const UNHURRIED: Patience = { statementMs: 0, lockMs: 0, queryMs: 0 };

// A process that hangs in the midst of a transaction, frozen or gone with its machine, loses its locks after so long. An
// upload computes for a second or two between its statements. Shorter than the wait for a lock: who waits then gets it.
export const IDLE_IN_TRANSACTION_MS = 10_000;
// Within some 11 seconds both sides know that the other's machine is gone, not after two hours; and one that is there, but
// reads no more, is given up by Postgres after 10: what blocks it in the midst of an answer is no statement's time-out.
// Over a Unix socket they say nothing: there is no network to lose, and one machine.
const KEEPALIVES = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
};
export const CONNECT_MS = 10_000;

/**
 * Everything about a connection but who owns it. The limits travel in the start-up message: a pooler between, which would
 * hand the connection on to others, has to refuse them aloud.
 */
export function connectionSettings(
  url: DatabaseUrl,
  name: string,
  { statementMs, lockMs, queryMs }: Patience,
): ClientConfig {
  const options = Object.entries(KEEPALIVES).map(([key, value]) => `-c ${key}=${value}`);
  const { connectionString, own } = withoutOptions(urlNow(url));
  return {
    connectionString,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5000,
    ...(statementMs > 0 && { statement_timeout: statementMs }),
    ...(lockMs > 0 && { lock_timeout: lockMs }),
    ...(queryMs > 0 && { query_timeout: queryMs }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: [...options, ...own].join(' '),
  };
}

// Those of the address would replace ours instead of joining them.
function withoutOptions(text: string): { connectionString: string; own: string[] } {
  if (!text.includes('options=') || !URL.canParse(text)) return { connectionString: text, own: [] };
  const url = new URL(text);
  const own = url.searchParams.getAll('options');
  url.searchParams.delete('options');
  return { connectionString: url.href, own };
}

/** Opens a pool for writes. `onError` hears of idle connections that broke; the pool replaces them by itself. */
export function connect(url: DatabaseUrl, onError: (error: Error) => void, max = 10): Db {
  return open(url, onError, { name: 'athletics-data-service', max, patience: WRITES });
}

/** Opens a pool that no save can fill: for reads, signing in and what looks after the service. */
export function connectReads(url: DatabaseUrl, onError: (error: Error) => void, max = 10): Db {
  return open(url, onError, { name: 'athletics-data-service reads', max, patience: READS });
}

const UPLOADS_AT_ONCE = 2;

/** Opens the small pool of the upload thread, which does one thing at a time. */
export function connectUploads(url: DatabaseUrl, onError: (error: Error) => void): Db {
  const name = 'athletics-data-service uploads';
  return open(url, onError, { name, max: UPLOADS_AT_ONCE, patience: WRITES });
}

// What goes over it takes milliseconds and is worth nothing when it comes seconds late.
const BESIDE_MS = 3000;

/** One connection beside the pools, for what must neither queue behind requests nor wait for a network that is gone. */
export function connectBeside(url: DatabaseUrl, onError: (error: Error) => void): Db {
  const patience = { statementMs: BESIDE_MS, lockMs: BESIDE_MS, queryMs: BESIDE_MS };
  const name = 'athletics-data-service heartbeat';
  return open(url, onError, { name, max: 1, patience, connectMs: BESIDE_MS });
}

type PoolOptions = { name: string; max: number; patience: Patience; connectMs?: number };

function open(url: DatabaseUrl, onError: (error: Error) => void, options: PoolOptions): Db {
  const { name, max, patience, connectMs = CONNECT_MS } = options;
  // Not named after pools: the query builder goes by the name, and would take it for one.
  class OwnedClient extends Client {
    constructor() {
      // Asked anew for each connection.
      super(connectionSettings(url, name, patience));
      // One that is lost while somebody uses it fails that one's next query; without a listener it would end the process.
      this.on('error', () => {});
    }
  }
  const pool = new Pool({ Client: OwnedClient, max, connectionTimeoutMillis: connectMs });
  pool.on('error', onError);
  return drizzle({ client: pool });
}

/** A connection of the pool, to be released. @throws Unavailable: nothing has been asked of the database yet */
export async function checkOut(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new Unavailable('The database cannot be reached', { cause: error });
  }
}
