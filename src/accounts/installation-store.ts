// SQL of the name that tokens of this installation carry: made once, kept in the database, the same for all replicas.
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '../db/client.ts';
import { serviceSecrets } from '../db/schema.ts';

const NAME = 'installation_id';

/** Issuer and audience of our tokens. Not the public address, which may change while tokens are about. */
export async function installationId(db: Db): Promise<string> {
  const draft = { name: NAME, value: `urn:uuid:${randomUUID()}` };
  await db.insert(serviceSecrets).values(draft).onConflictDoNothing();
  const [stored] = await db.select().from(serviceSecrets).where(eq(serviceSecrets.name, NAME));
  return stored!.value;
}
