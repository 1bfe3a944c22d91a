// Statements that run with every request: written out as SQL, planned once per connection, and not built from parts each time.
import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from './client.ts';

/**
 * A statement with `$1`, `$2` … for its values, each cast where its type does not follow. On the pool it is prepared under its
 * name, once per connection; the names are those written in the source, so there is a bounded number of them. Inside a
 * transaction, where such a statement runs but once, it is not prepared.
 */
export function prepared<Values extends readonly unknown[], Row extends object>(
  name: string,
  text: string,
): (executor: Executor, ...values: Values) => Promise<Row[]> {
  return async (executor, ...values) => {
    const { rows } =
      '$client' in executor
        ? await executor.$client.query({ name, text, values: [...values] })
        : await executor.execute(withValues(text, values));
    return rows as Row[];
  };
}

// Raw: a transaction of the query builder takes only its own kind of statement.
function withValues(text: string, values: readonly unknown[]): SQL {
  const parts = text.split(/\$(\d+)/);
  return sql.join(
    parts.map((part, index) =>
      index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`,
    ),
  );
}
