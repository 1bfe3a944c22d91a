// Rows of a statement in pages, through a cursor of the transaction: however many there are, one page of them is in memory.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from './client.ts';

/**
 * Raw: cursors have no builder. It is closed by the end of the transaction, of which whoever stops half-way knows nothing.
 * @param name of the cursor, one of its own within the transaction
 */
export async function* fetched<Row extends Record<string, unknown>>(
  tx: Tx,
  query: SQL,
  { name, page }: { name: string; page: number },
): AsyncIterable<Row[]> {
  const cursor = sql.identifier(name);
  await tx.execute(sql`declare ${cursor} no scroll cursor for ${query}`);
  for (;;) {
    const { rows } = await tx.execute<Row>(sql`fetch ${sql.raw(String(page))} from ${cursor}`);
    if (rows.length > 0) yield rows as Row[];
    if (rows.length < page) return;
  }
}
