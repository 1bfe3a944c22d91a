// Demands on a database and on the roles that use it, looked at before anything is changed: each refusal in one line with its
// remedy. The owner has to be able to change the tables, the service to write them.
import type { Client } from 'pg';
import { OperatorError } from '../errors.ts';
import { IDLE_IN_TRANSACTION_MS } from './client.ts';
import { LOCKS } from './locks.ts';
import { SEQUENCE, TABLES } from './roles.ts';

/** The setting that names the connection, for who has to correct it. */
export type Key = 'DATABASE_URL' | 'DATABASE_MIGRATION_URL';

export type Facts = {
  database: string;
  role: string;
  pid: number;
  version: string;
  versionNumber: number;
  encoding: string;
  datestyle: string;
  readOnly: boolean;
  idleMs: number;
  mayCreate: boolean;
  /** null before the first migration */
  mayReadVersion: boolean | null;
};

const FACTS = `select current_database() as database, current_user as role, pg_backend_pid() as pid,
  current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
  current_setting('server_encoding') as encoding, current_setting('DateStyle') as datestyle,
  current_setting('transaction_read_only')::boolean as "readOnly",
  (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "idleMs",
  has_database_privilege(current_database(), 'create')
    and coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
  (select has_schema_privilege(relnamespace, 'usage') and has_table_privilege(pg_class.oid, 'select')
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'drizzle' and relname = '__drizzle_migrations') as "mayReadVersion"`;

/** @throws OperatorError when this database cannot hold the data, or a connection does not lead to Postgres itself */
export async function demandSuitable(client: Client, key: Key): Promise<Facts> {
  const facts = (await client.query<Facts>(FACTS)).rows[0]!;
  const problem = problemOf(facts);
  if (problem) throw new OperatorError(`${key}: ${problem}`);
  return facts;
}

function problemOf(facts: Facts): string | undefined {
  const { database, role, encoding, datestyle } = facts;
  if (facts.versionNumber < 150_000) return `Postgres ${facts.version} is too old: upgrade it to 15 or newer`;
  if (facts.idleMs !== IDLE_IN_TRANSACTION_MS) return POOLER;
  if (encoding !== 'UTF8')
    return `the database ${database} is in ${encoding}: create one for all names with createdb -T template0 -E UTF8`;
  if (!datestyle.startsWith('ISO'))
    return `dates come as ${datestyle}: alter database ${database} set datestyle = 'ISO, MDY' (or alter role ${role} …)`;
  if (facts.readOnly)
    return `the database ${database} is read-only (a standby?): name the one that is written to`;
  if (facts.mayReadVersion === false)
    return `the role ${role} may not read drizzle.__drizzle_migrations: ${grantingRemedy(role)}`;
  return undefined;
}

/** Said where a connection's settings do not arrive. */
export const POOLER =
  'a pooler such as PgBouncer stands between, which breaks session locks and LISTEN: name the address of Postgres itself';

const grantingRemedy = (role: string) =>
  `name the owner of the tables in DATABASE_MIGRATION_URL, which grants it (or make ${role} the owner: reassign owned by … to ${role})`;

/** What DATABASE_URL lacks when it is to do both can also be somebody else's. */
const ownerRemedy = (key: Key, remedy: string) =>
  key === 'DATABASE_URL'
    ? `name the owner in DATABASE_MIGRATION_URL, or ${remedy}`
    : `name the owner, or ${remedy}`;

const FOREIGN = `select format('%I.%I', nspname, relname) as name, rolname as owner
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_roles on pg_roles.oid = relowner
  where relkind in ('r', 'p') and not pg_has_role(relowner, 'usage')
    and ((relname = any($1) and nspname = current_schema()) or (nspname = 'drizzle' and relname = '__drizzle_migrations'))
  order by name limit 1`;

/** @throws OperatorError when this role cannot make tables, or not change those that are there */
export async function demandOwner(
  client: Client,
  key: Key,
  { role, database, mayCreate }: Facts,
): Promise<void> {
  if (!mayCreate)
    throw new OperatorError(
      `${key}: the role ${role} may not create tables in ${database}: ${ownerRemedy(key, `make it the owner (alter database ${database} owner to ${role})`)}`,
    );
  await demandOwnership(client, key, role);
}

/** @throws OperatorError when a table belongs to another role: this one can neither change it nor grant it */
export async function demandOwnership(client: Client, key: Key, role: string): Promise<void> {
  const [table] = (await client.query<{ name: string; owner: string }>(FOREIGN, [TABLES])).rows;
  if (!table) return;
  throw new OperatorError(
    `${key}: the table ${table.name} belongs to ${table.owner}, not to the role ${role}: ${ownerRemedy(key, `make it the owner (reassign owned by ${table.owner} to ${role})`)}`,
  );
}

const LACKING = `select name, pg_class.oid is not null as visible
  from unnest($1::text[]) as name
  left join pg_class on relname = name and relkind in ('r', 'p', 'S') and pg_table_is_visible(pg_class.oid)
  where pg_class.oid is null or not case relkind
    when 'S' then has_sequence_privilege(pg_class.oid, 'usage')
    else has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'insert')
      and has_table_privilege(pg_class.oid, 'update') and has_table_privilege(pg_class.oid, 'delete')
    end
  order by name limit 1`;

/** @throws OperatorError when there is a table that the service could not write */
export async function demandRights(client: Client, { role }: Facts): Promise<void> {
  const [lacking] = (await client.query<{ name: string; visible: boolean }>(LACKING, [[...TABLES, SEQUENCE]]))
    .rows;
  if (!lacking) return;
  const what = lacking.name === SEQUENCE ? `use the sequence ${SEQUENCE}` : `write the table ${lacking.name}`;
  throw new OperatorError(
    lacking.visible
      ? `DATABASE_URL: the role ${role} may not ${what}: ${grantingRemedy(role)}`
      : `DATABASE_URL: the role ${role} does not find ${lacking.name}: give it the schema and the search_path of the owner`,
  );
}

const ROLE = `select current_user as role, exists (
    select from pg_locks where locktype = 'advisory' and classid = ${LOCKS.migrations} and pid = $1
      and database = (select oid from pg_database where datname = current_database())) as same`;

/**
 * The role of the service's connection.
 * @throws OperatorError unless it sees the lock that the owner's connection holds: in another database that is not there
 */
export async function roleInDatabaseOf(service: Client, owner: Facts): Promise<string> {
  const [found] = (await service.query<{ role: string; same: boolean }>(ROLE, [owner.pid])).rows;
  if (found!.same) return found!.role;
  throw new OperatorError(
    `DATABASE_MIGRATION_URL: it leads to another database than DATABASE_URL: name ${owner.database} on one server in both`,
  );
}
