// SQL of webhooks: the receivers, each an account's own.
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import type { Executor, Tx } from '../db/client.ts';
import { accounts, changeFeed, webhooks } from '../db/schema.ts';

export type Webhook = typeof webhooks.$inferSelect;
export type DisabledReason = NonNullable<Webhook['disabledReason']>;

/** Those of an account, oldest first. */
export async function listWebhooks(db: Executor, accountId: string): Promise<Webhook[]> {
  return db
    .select()
    .from(webhooks)
    .where(eq(webhooks.accountId, accountId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id));
}

/** Those of everybody, with the address of their account. */
export async function listAllWebhooks(db: Executor) {
  return db
    .select({ webhook: webhooks, account: accounts.email })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .orderBy(asc(accounts.email), asc(webhooks.createdAt), asc(webhooks.id));
}

export async function findWebhook(db: Executor, id: string): Promise<Webhook | null> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.id, id));
  return row ?? null;
}

/** Held against other writers. */
export async function lockWebhook(tx: Tx, id: string): Promise<Webhook | null> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update');
  return row ?? null;
}

/** How many the account has; nobody adds one before the transaction ends. */
export async function countOwn(tx: Tx, accountId: string): Promise<number> {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('update');
  const [row] = await tx.select({ count: count() }).from(webhooks).where(eq(webhooks.accountId, accountId));
  return row!.count;
}

/** Where the feed ends. */
export async function endOfFeed(db: Executor): Promise<{ epoch: string; cursor: number }> {
  const [feed] = await db.select({ epoch: changeFeed.epoch, cursor: changeFeed.last }).from(changeFeed);
  return feed!;
}

export async function insertWebhook(tx: Tx, values: typeof webhooks.$inferInsert): Promise<Webhook> {
  const [row] = await tx.insert(webhooks).values(values).returning();
  return row!;
}

export async function updateWebhook(
  tx: Tx,
  id: string,
  values: Partial<typeof webhooks.$inferInsert>,
): Promise<Webhook> {
  const [row] = await tx.update(webhooks).set(values).where(eq(webhooks.id, id)).returning();
  return row!;
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.id, id));
}

/** A receiver that is served, held against other writers; null of one that is disabled, as is that of a disabled account. */
export async function lockServed(tx: Tx, id: string): Promise<Webhook | null> {
  const [row] = await tx
    .select({ webhook: webhooks })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(and(eq(webhooks.id, id), isNull(webhooks.disabledAt), eq(accounts.disabled, false)))
    .for('update', { of: webhooks });
  return row?.webhook ?? null;
}

/** Those for whom there may be something new in the feed, and who have room for it. */
export async function behindFeed(db: Executor, waitingMax: number): Promise<string[]> {
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .innerJoin(changeFeed, sql`true`)
    .where(
      // Raw: a comparison of rows, and a count that ends where it is enough.
      sql`${webhooks.disabledAt} is null and not ${accounts.disabled}
        and (${webhooks.cursor} < ${changeFeed.last} or ${webhooks.epoch} <> ${changeFeed.epoch})
        and (select count(*) from (
          select from webhook_deliveries waiting where waiting.webhook_id = ${webhooks.id} and state = 'waiting'
          limit ${waitingMax}
        ) counted) < ${waitingMax}`,
    );
  return rows.map(({ id }) => id);
}

export type WebhookCounts = Record<'active' | 'failing' | 'disabled' | 'waiting', number>;

/** How many are served, of these how many do not take what is sent, how many are not served; and how many deliveries wait. */
export async function countWebhooks(db: Executor): Promise<WebhookCounts> {
  const disabled = sql`(${webhooks.disabledAt} is not null or ${accounts.disabled})`;
  const [row] = await db
    .select({
      // Raw: the builder knows no filter of an aggregate.
      active: sql<number>`count(*) filter (where not ${disabled} and ${webhooks.failingSince} is null)`,
      failing: sql<number>`count(*) filter (where not ${disabled} and ${webhooks.failingSince} is not null)`,
      disabled: sql<number>`count(*) filter (where ${disabled})`,
      waiting: sql<number>`(select count(*) from webhook_deliveries where state = 'waiting')`,
    })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId));
  return row!;
}
