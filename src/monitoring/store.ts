// SQL of the health check: a small write, since a database that has become read-only or is full still answers questions.
import { sql } from 'drizzle-orm';
import type { Db } from '../db/client.ts';
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
