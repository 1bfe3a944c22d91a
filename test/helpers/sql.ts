import { Client } from 'pg';

/** Runs one statement on a connection of its own. */
export async function runSql(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}

/** Takes a session lock that processes of the program compete for. @returns what gives it back */
export async function holdLock(url: string, lock: number, key = 0): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('select pg_advisory_lock($1, $2)', [lock, key]);
  return () => client.end();
}

/** Begins a transaction with one statement and leaves it open. @returns what ends it, and what commits it before */
export async function startTransaction(
  url: string,
  text: string,
): Promise<{ end: () => Promise<void>; commit: () => Promise<void> }> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query(text);
  const commit = async () => {
    await client.query('commit');
    await client.end();
  };
  return { end: () => client.end(), commit };
}

/** The same server, another database. */
export function onDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** The same database, as another role, whose password is its name. */
export function asRole(url: string, role: string): string {
  const other = new URL(url);
  Object.assign(other, { username: role, password: role });
  return other.href;
}
