// Rights of the role that the service runs as, where that is not the owner of the tables: what it needs, and no more.
import { getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { type Client, escapeIdentifier } from 'pg';
import type { Executor } from './client.ts';
import * as schema from './schema.ts';

export const TABLES = Object.values(schema).flatMap((one) => (is(one, PgTable) ? [getTableName(one)] : []));
export const SEQUENCE = schema.revisions.seqName!;

type Difference = { kind: 'table' | 'sequence' | 'schema' | 'database'; name: string; wanted: string[] };

// What is granted to the role itself is compared with what is wanted, so that a start which finds all as it should be writes
// nothing. What belongs to the role is left alone: its owner has granted it to itself.
const DIFFERENCES = `
  with role as (select oid from pg_roles where rolname = $1),
  tables as (
    select oid from pg_class where relkind in ('r', 'p') and relname = any($2) and relnamespace = current_schema()::regnamespace
  ),
  things as (
    select 'table' as kind, format('%I.%I', nspname, relname) as name, relowner as owner, relacl as acl,
      case when nspname = 'drizzle' then array['SELECT'] else array['DELETE', 'INSERT', 'SELECT', 'UPDATE'] end as wanted
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where pg_class.oid in (select oid from tables) or (nspname = 'drizzle' and relname = '__drizzle_migrations')
    union all
    select 'sequence', format('%I.%I', nspname, relname), relowner, relacl, array['USAGE']
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'S' and ((nspname = 'public' and relname = $3) or pg_class.oid in (
      select objid from pg_depend where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass
        and refobjid in (select oid from tables)))
    union all
    select 'schema', format('%I', nspname), nspowner, nspacl, array['USAGE']
    from pg_namespace where nspname in (current_schema(), 'public', 'drizzle')
    union all
    select 'database', format('%I', datname), datdba, datacl, array['CONNECT']
    from pg_database where datname = current_database()
  )
  select kind, name, wanted from things, role
  where owner <> role.oid and wanted is distinct from
    array(select privilege_type from aclexplode(acl) where grantee = role.oid order by privilege_type collate "C")`;

/** Gives a role what the service needs of tables that `owner` owns, those of later versions too, and takes from it what is more. */
export async function grantService(owner: Client, role: string): Promise<void> {
  const { rows } = await owner.query<Difference>(DIFFERENCES, [role, TABLES, SEQUENCE]);
  if (rows.length === 0) return;
  const name = escapeIdentifier(role);
  const statements = rows.flatMap((one) => [
    `revoke all on ${one.kind} ${one.name} from ${name}`,
    `grant ${one.wanted.join(', ')} on ${one.kind} ${one.name} to ${name}`,
  ]);
  const [current] = (await owner.query<{ name: string }>('select quote_ident(current_schema()) as name'))
    .rows;
  const later = `alter default privileges in schema ${current!.name} grant`;
  statements.push(`${later} select, insert, update, delete on tables to ${name}`);
  statements.push(`${later} usage on sequences to ${name}`);
  // One query of many statements is one transaction: nobody is without rights in between.
  await owner.query(statements.join(';\n'));
}

export type Power = { role: string; superuser: boolean; owner: boolean };

/** What the role of a connection is to the tables. */
export async function powerOf(db: Executor): Promise<Power> {
  // Raw: the catalogue has no schema here.
  const { rows } = await db.execute<Power>(sql`select current_user as role,
    (select rolsuper from pg_roles where rolname = current_user) as superuser,
    exists (select from pg_class where relkind in ('r', 'p') and relname in ${TABLES} and pg_table_is_visible(oid)
      and pg_has_role(relowner, 'usage')) as owner`);
  return rows[0]!;
}
