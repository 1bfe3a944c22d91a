// Secrets that the service makes for itself, once: in a file that only its user can read, or in the database for all replicas.
import { randomBytes, randomInt } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Db } from './db/client.ts';
import { serviceSecrets } from './db/schema.ts';
import type { PushApp } from './deps.ts';

/** The secret in this file; made when there is none. Processes that start together agree on one. */
export async function secretFile(path: string): Promise<string> {
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present.trim()) return present.trim();
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  // A link appears whole or not at all, and the first one wins.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
}

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
