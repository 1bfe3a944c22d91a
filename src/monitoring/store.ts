// SQL of the health check: a small write, and some room on the disk, since a database that has become read-only or is full
// still answers questions.
import { sql } from 'drizzle-orm';
import type { Db } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import { serviceSecrets } from '../db/schema.ts';

const NAME = 'health';

/** Fails when the database cannot be written. It is always the same row: nothing grows. */
export async function writeSomething(db: Db, now: Date): Promise<void> {
  const value = now.toISOString();
  await db
    .insert(serviceSecrets)
    .values({ name: NAME, value })
    // Of several processes at the same moment one is enough; waiting for each other's row is no fault.
    .onConflictDoUpdate({ target: serviceSecrets.name, set: { value: sql`excluded.value` } });
}

/** Fails when the disk has no room left: the write above finds some in its own page for ever. */
export async function useSomeRoom(db: Db): Promise<void> {
  await inSnapshot(db, async (tx) => {
    // Raw: settings have no builder, nor have series. What does not fit into the memory goes to a file, gone afterwards.
    await tx.execute(sql`set local work_mem = '64kB'`);
    await tx.execute(sql`select count(*) from generate_series(1, 10000)`);
  });
}
