// SQL of the duplicate check on create, and of the override tokens that get a second competition of one name and date past it.
import { createHash, randomBytes } from 'node:crypto';
import { eq, lt, sql } from 'drizzle-orm';
import type { Tx } from '../db/client.ts';
import { LOCKS } from '../db/locks.ts';
import { overrideTokens } from '../db/schema.ts';

const TOKEN_LIFETIME_MS = 3 * 24 * 3600 * 1000;

export type Identity = { nameKey: string; date: string };

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Lets only one create of this name and date decide at a time. */
export async function lockIdentity(tx: Tx, { nameKey, date }: Identity): Promise<void> {
  // Raw: the builder has no advisory locks.
  await tx.execute(
    sql`select pg_advisory_xact_lock(${LOCKS.duplicates}::int, hashtext(${`${date} ${nameKey}`}))`,
  );
}

/** Issues a token for this name and date; only its hash is stored. Expired ones are swept on the way. */
export async function issueOverrideToken(tx: Tx, identity: Identity, now: Date): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await tx
    .delete(overrideTokens)
    .where(lt(overrideTokens.expiresAt, new Date(now.getTime() - TOKEN_LIFETIME_MS)));
  await tx.insert(overrideTokens).values({
    tokenHash: hashOf(token),
    nameKey: identity.nameKey,
    date: identity.date,
    expiresAt: new Date(now.getTime() + TOKEN_LIFETIME_MS),
  });
  return token;
}

/** Uses a token up. @returns null when it was good, else why it is refused */
export async function redeemOverrideToken(
  tx: Tx,
  token: string,
  identity: Identity,
  now: Date,
): Promise<string | null> {
  const ofToken = eq(overrideTokens.tokenHash, hashOf(token));
  const [row] = await tx.select().from(overrideTokens).where(ofToken).for('update');
  if (!row) return 'The override token is not known';
  if (row.nameKey !== identity.nameKey || row.date !== identity.date) {
    return 'The override token was issued for another name or date';
  }
  if (row.usedAt) return 'The override token has been used already';
  if (row.expiresAt <= now) return 'The override token has expired';
  await tx.update(overrideTokens).set({ usedAt: now }).where(ofToken);
  return null;
}
