// Statements that run with every request: written out as SQL, so that none is built from parts each time.
import { type SQL, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { checkOut, type Executor } from './client.ts';

type Statement<Values extends unknown[], Row> = (executor: Executor, ...values: Values) => Promise<Row[]>;

/**
 * A statement with `$1`, `$2` … for its values, each cast where its type does not follow. On the pool it is planned once per
 * connection, under this name, which no other statement has. A transaction runs it once, and has it planned for that.
 */
export function prepared<Values extends unknown[], Row extends object>(
  name: string,
  text: string,
): Statement<Values, Row> {
  return (executor, ...values) => run(executor, { name, text, values });
}

/**
 * A statement as above, planned at each use for the values that it gets. For conditions that null turns off: a plan that is
 * good for all values can use no index for them.
 */
export function unprepared<Values extends unknown[], Row extends object>(
  text: string,
): Statement<Values, Row> {
  return (executor, ...values) => run(executor, { text, values });
}

/**
 * The value of a prepared statement that is an array, of any length. Read once more, so that a plan for any of them costs no more
 * than one for this one: without statistics, which a small table never gets, it would be planned anew each time.
 */
export const anyArray = (place: number, type: string): string => `array(select unnest($${place}::${type}[]))`;

async function run<Row>(executor: Executor, statement: Text): Promise<Row[]> {
  const { rows } =
    '$client' in executor
      ? await onConnection(executor.$client, statement)
      : await executor.execute(withValues(statement.text, statement.values));
  return rows as Row[];
}

type Text = { name?: string; text: string; values: unknown[] };

// Longer than the locks of a save may take one after the other; without an answer by then the network is gone.
const ANSWER_MS = 30_000;

/** As the pool's own, but telling that no connection could be had from one that was lost. */
async function onConnection(pool: Pool, statement: Text): Promise<{ rows: unknown[] }> {
  const client = await checkOut(pool);
  try {
    const result = await client.query({ ...statement, query_timeout: ANSWER_MS } as Text);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

// Raw: a transaction of the query builder takes only its own kind of statement.
function withValues(text: string, values: unknown[]): SQL {
  const parts = text.split(/\$(\d+)/);
  return sql.join(
    parts.map((part, index) =>
      index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`,
    ),
  );
}
