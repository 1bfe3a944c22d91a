// A process's presence among the users of a cluster: one connection that holds a shared lock for as long as the process
// lives. The kernel ends it with the process, so it cannot go stale.
import { resolve } from 'node:path';
import { Client, DatabaseError, escapeLiteral } from 'pg';
import { OperatorError } from '../../errors.ts';
import { SERVICE_ROLE, SUPERUSER } from './cluster.ts';
import { LOCKS } from '../locks.ts';
import { trySessionLock } from '../session-lock.ts';

export type Passwords = { owner: string; service: string };
/** Every server listens on this port of the loopback as well, for pg_dump and whoever else is told to look there. */
export type Address = { port: number; socketFolder?: string };
export type Joined = { presence: Client; address: Address; passwords: Passwords };
type Who = keyof Passwords;

const DATABASE = 'athletics';
const ROLES = { owner: SUPERUSER, service: SERVICE_ROLE };

/** Connects to the cluster's server and joins its users; undefined when it is not (or no longer) ready. */
export async function join(
  data: string,
  passwords: Passwords,
  address: Address,
): Promise<Joined | undefined> {
  const { port, socketFolder } = address;
  // Somebody may have tidied the socket away.
  const bySocket = socketFolder === undefined ? undefined : await joinAt(data, passwords, address);
  return bySocket ?? (await joinAt(data, passwords, { port }));
}

async function joinAt(data: string, passwords: Passwords, address: Address): Promise<Joined | undefined> {
  // The superuser's connection is there for this alone: the one that stays is of the role that the service runs as.
  const owner = connectionOf('owner', { passwords, address });
  const presence = connectionOf('service', { passwords, address });
  try {
    await owner.connect();
    const { rows } = await owner.query<{ data: string }>(`select current_setting('data_directory') as data`);
    if (resolve(rows[0]?.data ?? '') !== data) throw new Error('another cluster answers at this address');
    await ensureServiceRole(owner, passwords.service);
    await presence.connect();
    // Waits while the last user before us stops the server; then the connection ends and the caller starts it again.
    await presence.query('select pg_advisory_lock_shared($1, 0)', [LOCKS.presence]);
    await ensureDatabase(owner);
    return { presence, address, passwords };
  } catch (error) {
    await presence.end().catch(() => {});
    if (!isRefused(error)) return undefined;
    throw new OperatorError(
      'The embedded Postgres refuses its password: restore DATA_DIR/postgres/password',
      {
        cause: error,
      },
    );
  } finally {
    await owner.end().catch(() => {});
  }
}

type Server = Pick<Joined, 'passwords' | 'address'>;

function connectionOf(who: Who, server: Server): Client {
  const client = new Client({
    connectionString: urlOf(server, who, 'postgres'),
    application_name: 'athletics-data-service presence',
    connectionTimeoutMillis: 5000,
  });
  // A lost connection also ends whatever awaits it; without a listener it would end the process.
  client.on('error', () => {});
  return client;
}

/** Leaves the cluster's users. True when there is no other: nobody can join before the connection ends. */
export async function leave(presence: Client): Promise<boolean> {
  await presence.query('select pg_advisory_unlock_shared($1, 0)', [LOCKS.presence]);
  return trySessionLock(presence, LOCKS.presence);
}

export function urlOf({ passwords, address }: Server, who: Who, database = DATABASE): string {
  const { port, socketFolder } = address;
  // A folder in the place of the host, as libpq has it too; written so, it is an URL for everybody else.
  const host = socketFolder === undefined ? '127.0.0.1' : encodeURIComponent(socketFolder);
  return `postgres://${ROLES[who]}:${passwords[who]}@${host}:${port}/${database}?sslmode=disable`;
}

// Inside the start lock, so nobody else makes it meanwhile. Set anew each time: its file may have been lost, or its rights changed.
async function ensureServiceRole(owner: Client, password: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [SERVICE_ROLE]);
  const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  await owner.query(
    `${rowCount ? 'alter' : 'create'} role ${SERVICE_ROLE} with ${attributes} password ${escapeLiteral(password)}`,
  );
}

async function ensureDatabase(owner: Client): Promise<void> {
  const found = `select has_database_privilege('public', oid, 'temporary') as open from pg_database where datname = $1`;
  const [database] = (await owner.query<{ open: boolean }>(found, [DATABASE])).rows;
  if (!database) await owner.query(`create database ${DATABASE}`);
  // Nobody else has business in it.
  if (database?.open !== false) await owner.query(`revoke temporary on database ${DATABASE} from public`);
}

function isRefused(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code?.startsWith('28') ?? false);
}
