// SQL of counted sign-ins: how many in the present window, who waits out a pause, and where accounts signed in from lately.
import { and, desc, eq, gt, lt, lte, notInArray, or, sql } from 'drizzle-orm';
import type { Db, Executor, Tx } from '../db/client.ts';
import { retried } from '../db/transaction.ts';
import { accounts, signInAddresses, signInGuesses } from '../db/schema.ts';
import { normalizeEmail } from './store.ts';

/** A counted call, for taking it out of the count again. */
export type Counted = { key: string; endsAt: Date };

type Window = { key: string; max: number; now: Date; endsAt: Date };

/** Counts a call in the window of this key, if there is room; else says when the window ends. */
export async function countGuess(
  tx: Tx,
  { key, max, now, endsAt }: Window,
): Promise<{ counted: Counted } | { fullUntil: Date }> {
  const { count, endsAt: end } = signInGuesses;
  const isOver = lte(end, now);
  // Raw: one statement for both cases, so that calls at the same moment are counted one by one.
  const [row] = await tx
    .insert(signInGuesses)
    .values({ key, count: 1, endsAt })
    .onConflictDoUpdate({
      target: signInGuesses.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${count} + 1 end`,
        endsAt: sql`case when ${isOver} then excluded.ends_at else ${end} end`,
      },
      setWhere: or(isOver, lt(count, max))!,
    })
    .returning({ endsAt: end });
  if (row) return { counted: { key, endsAt: row.endsAt } };
  const [full] = await tx.select({ end }).from(signInGuesses).where(eq(signInGuesses.key, key));
  return { fullUntil: full?.end ?? endsAt };
}

/** Takes calls out of their windows again, those that still run. */
export async function giveBack(tx: Tx, counted: Counted[]): Promise<void> {
  for (const { key, endsAt } of counted) {
    await tx
      .update(signInGuesses)
      .set({ count: sql`${signInGuesses.count} - 1` })
      .where(and(eq(signInGuesses.key, key), eq(signInGuesses.endsAt, endsAt), gt(signInGuesses.count, 0)));
  }
}

/** Begins a pause, unless one has begun already; when it will be over. */
export async function beginPause(
  tx: Tx,
  pause: { key: string; now: Date; readyAt: Date; endsAt: Date },
): Promise<Date> {
  const { key, now, readyAt, endsAt } = pause;
  await tx
    .insert(signInGuesses)
    .values({ key, count: 0, readyAt, endsAt })
    .onConflictDoUpdate({
      target: signInGuesses.key,
      set: { readyAt, endsAt },
      setWhere: lte(signInGuesses.endsAt, now),
    });
  const [row] = await tx
    .select({ readyAt: signInGuesses.readyAt })
    .from(signInGuesses)
    .where(eq(signInGuesses.key, key));
  return row?.readyAt ?? readyAt;
}

/** Whether a pause under this key is over; it counts once. */
export async function endPause(tx: Tx, key: string, now: Date): Promise<boolean> {
  const ended = await tx
    .delete(signInGuesses)
    .where(and(eq(signInGuesses.key, key), lte(signInGuesses.readyAt, now), gt(signInGuesses.endsAt, now)))
    .returning({ key: signInGuesses.key });
  return ended.length > 0;
}

/** Forgets what is over; of the rest, what ends first beyond `rows` rows. */
export async function purgeGuesses(db: Db, { now, since, rows }: { now: Date; since: Date; rows: number }) {
  const beyond = db
    .select({ key: signInGuesses.key })
    .from(signInGuesses)
    .orderBy(desc(signInGuesses.endsAt))
    .offset(rows);
  await retried(async () => {
    await db.delete(signInGuesses).where(lte(signInGuesses.endsAt, now));
    await db.delete(signInGuesses).where(sql`${signInGuesses.key} in ${beyond}`);
    await db.delete(signInAddresses).where(lt(signInAddresses.seenAt, since));
  });
}

/** Whether the account of this name signed in from there. */
export async function hasSignedIn(
  db: Executor,
  { name, address, since }: { name: string; address: string; since: Date },
): Promise<boolean> {
  const found = await db
    .select({ address: signInAddresses.address })
    .from(signInAddresses)
    .innerJoin(accounts, eq(accounts.id, signInAddresses.accountId))
    .where(
      and(
        eq(accounts.email, normalizeEmail(name)),
        eq(signInAddresses.address, address),
        gt(signInAddresses.seenAt, since),
      ),
    );
  return found.length > 0;
}

/** Remembers where the account signed in; of many addresses the `kept` latest. */
export async function rememberAddress(
  tx: Tx,
  { accountId, address, now, kept }: { accountId: string; address: string; now: Date; kept: number },
): Promise<void> {
  const ofAccount = eq(signInAddresses.accountId, accountId);
  await tx
    .insert(signInAddresses)
    .values({ accountId, address, seenAt: now })
    .onConflictDoUpdate({
      target: [signInAddresses.accountId, signInAddresses.address],
      set: { seenAt: now },
    });
  const latest = tx
    .select({ address: signInAddresses.address })
    .from(signInAddresses)
    .where(ofAccount)
    .orderBy(desc(signInAddresses.seenAt))
    .limit(kept);
  await tx.delete(signInAddresses).where(and(ofAccount, notInArray(signInAddresses.address, latest)));
}
