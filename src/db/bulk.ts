// Upserts of many rows in one statement, one array parameter per column: several times faster than a VALUES list, and without
// its limit of 65,535 parameters.
import { setImmediate as turn } from 'node:timers/promises';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from './client.ts';
import { textArray } from './text-array.ts';

const MANY = 200;

export type BulkWriter<Row> = {
  /** Hands the rows to Postgres once it is done with those before; resolves then, not when these are written. */
  write(rows: Row[]): Promise<void>;
  /** Waits for the last of them. */
  end(): Promise<void>;
};

/**
 * Inserts rows, or replaces the sent columns where the primary key exists. All rows have the same properties; a key occurs once.
 * The caller makes the next rows ready while Postgres writes the ones before. json columns are serialised here.
 */
export function bulkWriter<Table extends PgTable>(tx: Tx, table: Table): BulkWriter<Table['$inferInsert']> {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async write(rows) {
      const statement = await packedUpsert(table, rows);
      await writing;
      if (!statement) return;
      writing = Promise.resolve(tx.execute(statement));
      // Awaited in the next turn; a failure before that must not end the process.
      writing.catch(() => {});
    },
    async end() {
      await writing;
    },
  };
}

/** The statement that writes rows so, null without rows: it can be made while Postgres does something else. */
export async function packedUpsert<Table extends PgTable>(
  table: Table,
  rows: Table['$inferInsert'][],
): Promise<SQL | null> {
  const first = rows[0];
  if (!first) return null;
  const all: Record<string, PgColumn> = getTableColumns(table);
  const columns = Object.keys(first).map((property) => ({ property, column: all[property]! }));
  const sent = rows as Record<string, unknown>[];
  const texts: Texts[] = [];
  for (const { property, column } of columns) {
    texts.push(packed(sent.map((row) => textOf(row[property], column))));
    // Other requests are served between the columns of a large upload.
    if (rows.length > MANY) await turn();
  }
  const names = sql.join(
    columns.map(({ column }) => sql.identifier(column.name)),
    sql`, `,
  );
  const types = columns.map(({ column }) => sql.raw(column.getSQLType()));
  // Raw SQL: the builder has no unnest, and expands arrays into one parameter per value.
  return sql`insert into ${table} (${names}) ${selection(texts, types, rows.length)}
    on conflict (${primaryKeyOf(table)}) ${conflictAction(table, columns)}`;
}

function textOf(value: unknown, column: PgColumn): string | null {
  if (value == null) return null;
  if (/^jsonb?$/.test(column.getSQLType())) return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : `${value as string | number | boolean}`;
}

/** A column: one text for all rows, or as many as there are. */
type Texts = { one: string | null } | { each: Buffer };

const packed = (texts: (string | null)[]): Texts =>
  texts.every((text) => text === texts[0]) ? { one: texts[0]! } : { each: textArray(texts) };

function selection(texts: Texts[], types: SQL[], count: number): SQL {
  const arrays: SQL[] = [];
  const values = texts.map((column, index) => {
    if ('one' in column) return sql`${column.one}::text::${types[index]}`;
    arrays.push(sql`${column.each}::text[]`);
    return sql`${sql.raw(`c${arrays.length}`)}::${types[index]}`;
  });
  const selected = sql`select ${sql.join(values, sql`, `)}`;
  // Rows that are all the same, where the database makes their key.
  if (arrays.length === 0) return sql`${selected} from generate_series(1, ${count}::int)`;
  const names = arrays.map((_, index) => sql.raw(`c${index + 1}`));
  return sql`${selected} from unnest(${sql.join(arrays, sql`, `)}) as row (${sql.join(names, sql`, `)})`;
}

const keyColumns = (table: PgTable): PgColumn[] => {
  const { primaryKeys, columns } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter((column) => column.primary);
};

const primaryKeyOf = (table: PgTable) =>
  sql.join(
    keyColumns(table).map((column) => sql.identifier(column.name)),
    sql`, `,
  );

function conflictAction(table: PgTable, columns: { column: PgColumn }[]) {
  const keys = new Set(keyColumns(table).map((column) => column.name));
  const others = columns.filter(({ column }) => !keys.has(column.name));
  if (others.length === 0) return sql`do nothing`;
  const assignments = others.map(
    ({ column }) => sql`${sql.identifier(column.name)} = excluded.${sql.identifier(column.name)}`,
  );
  return sql`do update set ${sql.join(assignments, sql`, `)}`;
}
