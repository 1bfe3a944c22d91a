// SQL of requests sent twice by a bad network: the first one's answer, kept for a day under its Idempotency-Key.
import { and, eq, lt } from 'drizzle-orm';
import type { Tx } from '../db/client.ts';
import { idempotencyKeys } from '../db/schema.ts';
import { Invalid, type Issue } from '../errors.ts';
import { contentHash } from '../content-hash.ts';
import type { SentTrial } from './schemas.ts';

const KEPT_MS = 24 * 3600 * 1000;

export const OTHER_REQUEST: Issue = {
  loc: ['header', 'idempotency-key'],
  msg: 'This Idempotency-Key was used for another request',
  type: 'value_error',
};

type Claim = { accountId: string; key: string; request: unknown; now: Date };

const isClaim = ({ accountId, key }: Claim) =>
  and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key));

/**
 * Claims the key for this transaction; a second request with it waits here until the first has committed.
 * @returns the attempt that the key stands for, or null when it is new
 * @throws Invalid when the key was used for another request
 */
export async function claimKey(tx: Tx, claim: Claim): Promise<SentTrial | null> {
  const { accountId, key, now } = claim;
  const requestHash = contentHash(JSON.stringify(claim.request));
  await tx.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, new Date(now.getTime() - KEPT_MS)));
  const inserted = await tx
    .insert(idempotencyKeys)
    .values({ accountId, key, requestHash, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: idempotencyKeys.key });
  if (inserted.length > 0) return null;
  const [row] = await tx.select().from(idempotencyKeys).where(isClaim(claim));
  if (row?.requestHash !== requestHash) throw new Invalid([OTHER_REQUEST]);
  return row.answer as SentTrial | null;
}

export async function storeAnswer(tx: Tx, claim: Claim, answer: SentTrial): Promise<void> {
  await tx.update(idempotencyKeys).set({ answer }).where(isClaim(claim));
}

/** Forgets the requests whose answers hold what may no longer be told. */
export async function forgetAnswers(tx: Tx, holds: (answer: unknown) => boolean): Promise<void> {
  const rows = await tx
    .select()
    .from(idempotencyKeys)
    .orderBy(idempotencyKeys.accountId, idempotencyKeys.key);
  for (const { accountId, key, answer } of rows) {
    if (!holds(answer)) continue;
    await tx
      .delete(idempotencyKeys)
      .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
  }
}
