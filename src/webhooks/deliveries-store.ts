// SQL of the deliveries of webhooks.
import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { Db, Executor, Tx } from '../db/client.ts';
import { retried } from '../db/transaction.ts';
import { accounts, webhookDeliveries, webhooks } from '../db/schema.ts';
import { CHANGES_NOTIFICATION } from '../changes/numbering-store.ts';
import type { Message } from './messages.ts';
import { among } from '../db/among.ts';

export type Delivery = typeof webhookDeliveries.$inferSelect;

const isOf = (webhookId: string) => eq(webhookDeliveries.webhookId, webhookId);
const isWaiting = eq(webhookDeliveries.state, 'waiting');

/** The newest first, and how many there are in all. */
export async function listDeliveries(
  db: Executor,
  webhookId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; deliveries: Delivery[] }> {
  const deliveries = await db
    .select()
    .from(webhookDeliveries)
    .where(isOf(webhookId))
    .orderBy(desc(webhookDeliveries.position))
    .limit(limit)
    .offset(offset);
  const [row] = await db.select({ total: count() }).from(webhookDeliveries).where(isOf(webhookId));
  return { deliveries, total: row!.total };
}

export async function countWaiting(tx: Tx, webhookId: string): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(webhookDeliveries)
    .where(and(isOf(webhookId), isWaiting));
  return row!.count;
}

/**
 * Puts messages behind those that wait, due at once. What waits for the same object and was never sent becomes the newer message;
 * what may have arrived already is given up for it, since a receiver may know its id.
 */
export async function queueMessages(
  tx: Tx,
  webhookId: string,
  messages: Message[],
  now: Date,
): Promise<void> {
  if (messages.length === 0) return;
  const at = now.toISOString();
  const sent = JSON.stringify(messages.map((message, nr) => ({ ...message, nr })));
  // Raw: one statement for many rows; its parts all see what was there before it.
  await tx.execute(sql`
    with sent as (
      select * from jsonb_to_recordset(${sent}::jsonb)
        as one (type text, object text, body text, nr bigint)
    ), replaced as (
      update webhook_deliveries waiting set type = sent.type, body = sent.body
      from sent
      where webhook_id = ${webhookId} and state = 'waiting' and waiting.object = sent.object and last_attempt_at is null
      returning waiting.object
    ), given_up as (
      update webhook_deliveries waiting set state = 'superseded'
      from sent
      where webhook_id = ${webhookId} and state = 'waiting' and waiting.object = sent.object
        and last_attempt_at is not null
    )
    insert into webhook_deliveries (webhook_id, type, object, body, next_attempt_at, created_at)
    select ${webhookId}::uuid, type, object, body, ${at}::timestamptz, ${at}::timestamptz from sent
    where not exists (select from replaced where replaced.object = sent.object) order by nr`);
}

export async function insertDelivery(
  tx: Tx,
  webhookId: string,
  message: Message,
  now: Date,
): Promise<Delivery> {
  const values = { ...message, webhookId, nextAttemptAt: now, createdAt: now };
  const [row] = await tx.insert(webhookDeliveries).values(values).returning();
  return row!;
}

/** Null where there is none of that id. */
export async function sendAgain(
  tx: Tx,
  webhookId: string,
  deliveryId: string,
  now: Date,
): Promise<Delivery | null> {
  const [row] = await tx
    .update(webhookDeliveries)
    // It stays what it is: the receiver may know its id.
    .set({ state: 'waiting', attempts: 0, object: null, nextAttemptAt: now, deliveredAt: null })
    .where(and(isOf(webhookId), eq(webhookDeliveries.id, deliveryId)))
    .returning();
  return row ?? null;
}

/** All that waits is due, with all its retries before it. */
export async function beginAgain(tx: Tx, webhookId: string, now: Date): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ attempts: 0, nextAttemptAt: now })
    .where(and(isOf(webhookId), isWaiting));
}

/** All that waits is due. */
export async function bringForward(tx: Tx, webhookId: string, now: Date): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ nextAttemptAt: now })
    .where(and(isOf(webhookId), isWaiting));
}

/** Has whoever sends look, in whichever process. */
export async function tellSender(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANGES_NOTIFICATION}, '')`);
}

/** What is sent, and where. */
export type Due = { delivery: Delivery; webhook: typeof webhooks.$inferSelect };

type DueOptions = { now: Date; perWebhook: number; underWay: string[] };

/** What is due, of each receiver up to so many, those that have waited longest first. */
export async function dueDeliveries(db: Db, { now, perWebhook, underWay }: DueOptions): Promise<Due[]> {
  const at = now.toISOString();
  const due = db
    .select()
    .from(webhookDeliveries)
    .where(
      // Raw: the list of those under way is one parameter, however long.
      sql`${webhookDeliveries.webhookId} = ${webhooks.id} and ${isWaiting}
        and ${webhookDeliveries.nextAttemptAt} <= ${at}::timestamptz
        and not ${among(webhookDeliveries.id, underWay)}`,
    )
    .orderBy(webhookDeliveries.nextAttemptAt, webhookDeliveries.position)
    .limit(perWebhook)
    .as('due');
  const rows = await db
    .select()
    .from(webhooks)
    .innerJoin(accounts, and(eq(accounts.id, webhooks.accountId), eq(accounts.disabled, false)))
    .innerJoinLateral(due, sql`true`)
    .where(
      sql`${webhooks.disabledAt} is null and (${webhooks.notBefore} is null or ${webhooks.notBefore} <= ${at}::timestamptz)`,
    );
  return rows.map(({ webhooks: webhook, due: delivery }) => ({ webhook, delivery }));
}

/** Notes that they are sent from here on. @returns the ids of those that still wait */
export async function markSent(db: Db, ids: string[], now: Date): Promise<Set<string>> {
  const rows = await retried(() =>
    db
      .update(webhookDeliveries)
      .set({ lastAttemptAt: now })
      .where(and(among(webhookDeliveries.id, ids), isWaiting))
      .returning({ id: webhookDeliveries.id }),
  );
  return new Set(rows.map(({ id }) => id));
}

export type Outcome = Partial<
  Pick<Delivery, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptAt' | 'deliveredAt'>
>;

/** Writes what came of an attempt. */
export async function noteAttempt(tx: Tx, { id, attempts }: Delivery, outcome: Outcome): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ ...outcome, attempts: attempts + 1 })
    .where(eq(webhookDeliveries.id, id));
}

/** Forgets what is neither waiting nor among the newest `kept` of its receiver, and what is older than `before`. @returns how many */
export async function purgeDeliveries(db: Db, before: Date, kept: number): Promise<number> {
  const { rowCount } = await retried(() =>
    // Raw: rows are numbered within their receiver.
    db.execute(sql`
      delete from webhook_deliveries
      where id in (
        select id from (
          select id, state, created_at, row_number() over (partition by webhook_id order by position desc) as nr
          from webhook_deliveries
        ) numbered
        where state <> 'waiting' and (nr > ${kept} or created_at < ${before.toISOString()}::timestamptz)
      )`),
  );
  return rowCount ?? 0;
}
