// Statements that run with every request: their text is built once, and not from its parts each time, which costs more than
// everything else that a save does here.
import { Placeholder, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Executor } from './client.ts';

type Compiled = { text: string; names: string[] };

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
    const { text, names } = (compiled ??= compile(build((name) => sql`${sql.placeholder(name)}`)));
    const { rows } = await executor.$client.query({ text, values: names.map((name) => values[name]) });
    return rows as Row[];
  };
}

/** A part of a statement, left out unless the value is given. */
export type Given<Values> = (name: keyof Values & string, part: (value: SQL) => SQL) => SQL;

/** As `statement`, where some values may be undefined: every combination has a text of its own. */
export function statementOfGiven<Values extends Record<string, unknown>, Row extends object>(
  build: (given: Given<Values>) => SQL,
): (executor: Executor, values: Values) => Promise<Row[]> {
  const statements = new Map<string, (executor: Executor, values: Values) => Promise<Row[]>>();
  return (executor, values) => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined);
    const key = names.join();
    const ask =
      statements.get(key) ??
      statement<Values, Row>((value) =>
        build((name, part) => (names.includes(name) ? part(value(name)) : sql``)),
      );
    statements.set(key, ask);
    return ask(executor, values);
  };
}

function compile(built: SQL): Compiled {
  const query = new PgDialect().sqlToQuery(built);
  const names = query.params.map((param) => {
    if (!(param instanceof Placeholder))
      throw new Error(`A constant has become a parameter: ${String(param)}`);
    return param.name as string;
  });
  return { text: query.sql, names };
}
