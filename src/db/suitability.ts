// Demands on a database, looked at before anything is changed in it: each refusal in one line with its remedy.
import type { Client } from 'pg';
import { OperatorError } from '../errors.ts';
import { IDLE_IN_TRANSACTION_MS } from './client.ts';

type Facts = {
  database: string;
  role: string;
  version: string;
  versionNumber: number;
  encoding: string;
  datestyle: string;
  readOnly: boolean;
  idleMs: number;
  mayCreate: boolean;
  migrated: boolean;
};

const FACTS = `select current_database() as database, current_user as role,
  current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
  current_setting('server_encoding') as encoding, current_setting('DateStyle') as datestyle,
  current_setting('transaction_read_only')::boolean as "readOnly",
  (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "idleMs",
  has_database_privilege(current_database(), 'create')
    and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
  to_regclass('drizzle.__drizzle_migrations') is not null as migrated`;

/** @throws OperatorError when this database cannot hold the data, or this role not write it */
export async function demandSuitable(client: Client): Promise<Facts> {
  const facts = (await client.query<Facts>(FACTS)).rows[0]!;
  const problem = problemOf(facts);
  if (problem) throw new OperatorError(problem);
  return facts;
}

function problemOf(facts: Facts): string | undefined {
  const { database, role, encoding, datestyle } = facts;
  if (facts.versionNumber < 150_000)
    return `DATABASE_URL: Postgres ${facts.version} is too old: upgrade it to 15 or newer`;
  if (facts.idleMs !== IDLE_IN_TRANSACTION_MS) return `DATABASE_URL: ${POOLER}`;
  if (encoding !== 'UTF8')
    return `DATABASE_URL: the database ${database} is in ${encoding}: create one for all names with createdb -T template0 -E UTF8`;
  if (!datestyle.startsWith('ISO'))
    return `DATABASE_URL: dates come as ${datestyle}: alter database ${database} set datestyle = 'ISO, MDY' (or alter role ${role} …)`;
  if (facts.readOnly)
    return `DATABASE_URL: the database ${database} is read-only (a standby?): name the one that is written to`;
  if (!facts.mayCreate)
    return `DATABASE_URL: the role ${role} may not create tables in ${database}: make it the owner (alter database ${database} owner to ${role})`;
  return undefined;
}

/** Said where a connection's settings do not arrive. */
export const POOLER =
  'a pooler such as PgBouncer stands between, which breaks session locks and LISTEN: name the address of Postgres itself';

const WITHOUT_RIGHTS = `select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relname = any($1) and not (
    has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
    and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
  order by relname limit 1`;

/** @throws OperatorError when a table belongs to somebody who has not let this role write it */
export async function demandRights(client: Client, tables: string[], { role }: Facts): Promise<void> {
  const [table] = (await client.query<{ name: string }>(WITHOUT_RIGHTS, [tables])).rows;
  if (!table) return;
  throw new OperatorError(
    `DATABASE_URL: the role ${role} may not write the table ${table.name}: make it the owner (reassign owned by … to ${role})`,
  );
}
