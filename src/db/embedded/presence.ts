// A process's presence among the users of a cluster: one connection that holds a shared lock for as long as the process
// lives. The kernel ends it with the process, so it cannot go stale.
import { resolve } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { OperatorError } from '../../errors.ts';
import { SUPERUSER } from './cluster.ts';
import { LOCKS } from '../locks.ts';

export type Joined = { presence: Client; port: number; password: string };

const DATABASE = 'athletics';

/** Connects to the cluster's server on this port and joins its users; undefined when it is not (or no longer) ready. */
export async function join(data: string, password: string, port: number): Promise<Joined | undefined> {
  const presence = new Client({
    connectionString: urlOf({ password, port }, 'postgres'),
    application_name: 'athletics-data-service presence',
    connectionTimeoutMillis: 5000,
  });
  // A lost connection also ends whatever awaits it; without a listener it would end the process.
  presence.on('error', () => {});
  try {
    await presence.connect();
    const { rows } = await presence.query<{ data: string }>(
      `select current_setting('data_directory') as data`,
    );
    if (resolve(rows[0]?.data ?? '') !== data) throw new Error('another cluster answers on this port');
    // Waits while the last user before us stops the server; then the connection ends and the caller starts it again.
    await presence.query('select pg_advisory_lock_shared($1, 0)', [LOCKS.presence]);
    await ensureDatabase(presence);
    return { presence, port, password };
  } catch (error) {
    await presence.end().catch(() => {});
    if (!isRefused(error)) return undefined;
    throw new OperatorError(
      'The embedded Postgres refuses its password: restore DATA_DIR/postgres/password',
      {
        cause: error,
      },
    );
  }
}

/** Leaves the cluster's users. True when there is no other: nobody can join before the connection ends. */
export async function leave(presence: Client): Promise<boolean> {
  await presence.query('select pg_advisory_unlock_shared($1, 0)', [LOCKS.presence]);
  const { rows } = await presence.query<{ last: boolean }>('select pg_try_advisory_lock($1, 0) as last', [
    LOCKS.presence,
  ]);
  return rows[0]?.last === true;
}

export function urlOf(server: Pick<Joined, 'password' | 'port'>, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${server.password}@127.0.0.1:${server.port}/${database}?sslmode=disable`;
}

// Inside the start lock, so nobody else makes it meanwhile.
async function ensureDatabase(presence: Client): Promise<void> {
  const { rowCount } = await presence.query('select from pg_database where datname = $1', [DATABASE]);
  if (!rowCount) await presence.query(`create database ${DATABASE}`);
}

function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code?.startsWith('28') ?? false);
}
