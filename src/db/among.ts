// Condition that a column has one of many values: one array parameter, however many there are. The builder's `inArray` makes a
// parameter of each, and a statement may have 65,535.
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { textArray } from './text-array.ts';

/** Values of text, numbers or ids; false when there are none. */
export function among(column: PgColumn, values: (string | number)[]): SQL {
  const texts = textArray(values.map(String));
  // Raw: the builder has no arrays. Postgres reads each value as the column's own kind.
  return sql`${column} = any(${texts}::text[]::${sql.raw(column.getSQLType())}[])`;
}
