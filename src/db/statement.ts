// Statements that run with every request: their text is built once, and not from its parts each time, which costs more than
// everything else that a save does here.
import { Placeholder, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Executor } from './client.ts';

type Compiled = { name: string; text: string; names: string[] };

let made = 0;

/**
 * @param build the statement, in which `value('name')` stands for the value of that name; called once, and for every use in a
 * larger transaction
 */
export function statement<Values extends Record<string, unknown>, Row extends object>(
  build: (value: (name: keyof Values & string) => SQL) => SQL,
): (executor: Executor, values: Values) => Promise<Row[]> {
  let compiled: Compiled | undefined;
  return async (executor, values) => {
    if (!('$client' in executor)) {
      const { rows } = await executor.execute(build((name) => sql`${sql.param(values[name])}`));
      return rows as Row[];
    }
    const { name, text, names } = (compiled ??= compile(build((name) => sql`${sql.placeholder(name)}`)));
    const { rows } = await executor.$client.query({
      name,
      text,
      values: names.map((value) => values[value]),
    });
    return rows as Row[];
  };
}

function compile(built: SQL): Compiled {
  const query = new PgDialect().sqlToQuery(built);
  const names = query.params.map((param) => {
    if (!(param instanceof Placeholder))
      throw new Error(`A constant has become a parameter: ${String(param)}`);
    return param.name as string;
  });
  made += 1;
  return { name: `statement_${made}`, text: query.sql, names };
}
