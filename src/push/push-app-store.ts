// SQL of the push application that the service makes up for itself.
import { randomBytes, randomInt } from 'node:crypto';
import type { PushApp } from '../config.ts';
import type { Db } from '../db/client.ts';
import { serviceSecrets } from '../db/schema.ts';

/** The push application of this database: every replica and every later start gets the same. */
export async function generatedPushApp(db: Db): Promise<PushApp> {
  const drafts = [
    { name: 'push_app_id', value: String(randomInt(100_000, 10_000_000)) },
    { name: 'push_app_key', value: randomBytes(10).toString('hex') },
    { name: 'push_app_secret', value: randomBytes(20).toString('hex') },
  ];
  await db.insert(serviceSecrets).values(drafts).onConflictDoNothing();
  const stored = new Map((await db.select().from(serviceSecrets)).map(({ name, value }) => [name, value]));
  const [id, key, secret] = drafts.map(({ name }) => stored.get(name)!);
  return { id: id!, key: key!, secret: secret! };
}
