// Every row of every table, as its place and the transaction that wrote it: equal snapshots mean that nothing was written
// in between. But for the audit, which tells of refusals and of what is gone.
import type { Db } from '../../src/db/client.ts';

type Named = { name: string };

export async function snapshot(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.$client.query<Named>(
    `select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'audit' order by 1`,
  );
  // Not the contents: rows that nobody wrote are not read, let alone sent and compared.
  const selects = tables.rows.map(
    ({ name }) => `select '${name}' as name, xmin::text || ' ' || ctid::text as row from "${name}"`,
  );
  const { rows } = await db.$client.query<Named & { row: string }>(
    `${selects.join(' union all ')} order by 1, 2`,
  );
  const found: Record<string, string[]> = Object.fromEntries(tables.rows.map(({ name }) => [name, []]));
  for (const { name, row } of rows) found[name]!.push(row);
  return found;
}
