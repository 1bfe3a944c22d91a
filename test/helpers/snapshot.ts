// Every row of every table with the transaction that wrote it: equal snapshots mean that nothing was written in between.
// But for the audit, which tells of refusals and of what is gone.
import type { Db } from '../../src/db/client.ts';

export async function snapshot(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.$client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'audit' order by 1`,
  );
  const entries = tables.rows.map(async ({ name }) => {
    const { rows } = await db.$client.query<{ row: string }>(
      `select xmin::text || ' ' || ctid::text || ' ' || row_to_json(t)::text as row from "${name}" t order by 1`,
    );
    return [name, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
