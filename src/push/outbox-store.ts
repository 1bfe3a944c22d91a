// SQL of the outbox, as the relay reads and empties it. The relay's statements run on the connection that holds its lock:
// whoever loses the lock can neither read nor delete any more.
import { desc, eq, sql } from 'drizzle-orm';
import type { ClientBase } from 'pg';
import type { Executor, Tx } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { outbox } from '../db/schema.ts';
import { OWN_BATCH_EVENTS_MAX } from './server/publish-requests.ts';

export type OutboxRow = { id: number; channel: string; event: string; data: string };
/** `isLast`: nothing waits behind it. */
export type OutboxPage = { rows: OutboxRow[]; stale: number; isLast: boolean };
export type OutboxStatus = { rows: number; oldestSeconds: number; dead: number };
export type Failure = { id: number; channel: string; event: string; error: string };

/** The Postgres channel on which those of other processes hear of new rows. */
export const OUTBOX_NOTIFICATION = 'outbox';

// As many as go to our own push servers at once.
const PAGE_SIZE = OWN_BATCH_EVENTS_MAX;

// A snapshot is stale when a newer one of its channel waits too: the newest goes out in its place. In its own place it might
// never come to its turn, where a unit is saved again before the queue is through.
const TAKE_PAGE = `
  with page as materialized (
    select id as place, channel, "coalesce" as snapshot, case when not "coalesce" then id else (
      select max(newer.id) from outbox newer
      where newer.channel = oldest.channel and newer."coalesce" and not newer.dead
    ) end as id
    from outbox oldest where not dead order by oldest.id limit ${PAGE_SIZE}
  ), turns as (
    select id, channel, snapshot, min(place) as place from page group by id, channel, snapshot
  ), dropped as (
    delete from outbox older using turns
    where turns.snapshot and older.channel = turns.channel and older.id < turns.id
      and older."coalesce" and not older.dead
    returning older.id
  )
  select outbox.id, outbox.channel, event, data, (select count(*)::int from dropped) as stale,
    (select count(*) < ${PAGE_SIZE} from page) as "isLast"
  from turns join outbox using (id) order by place`;

/** The oldest events in the order they must be published. Stale snapshots of their channels are deleted and counted. */
export async function takePage(client: ClientBase): Promise<OutboxPage> {
  const { rows } = await client.query<OutboxRow & Omit<OutboxPage, 'rows'>>(TAKE_PAGE);
  const [{ stale, isLast } = { stale: 0, isLast: true }] = rows;
  return { rows, stale, isLast };
}

export async function removePublished(client: ClientBase, ids: number[]): Promise<void> {
  await client.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

export async function noteFailure(client: ClientBase, ids: number[], error: string): Promise<void> {
  await client.query(
    'update outbox set attempts = attempts + 1, last_error = $2 where id = any($1::bigint[])',
    [ids, error],
  );
}

/** Sets aside an event that the push service will never accept; those behind it go on. */
export async function bury(client: ClientBase, id: number, error: string): Promise<void> {
  await client.query(
    'update outbox set attempts = attempts + 1, last_error = $2, dead = true where id = $1::bigint',
    [id, error],
  );
}

/** Wakes whoever publishes or numbers, in all processes. */
export const tellProcesses = prepared<[], object>(
  'ring_outbox',
  `select pg_notify('${OUTBOX_NOTIFICATION}', '')`,
);

/** Number and age of the events that wait, and the number of those given up. */
export async function outboxStatus(executor: Executor): Promise<OutboxStatus> {
  // Raw, because the builder has no aggregate filters.
  const result = await executor.execute<OutboxStatus>(sql`
    select count(*) filter (where not dead)::int as "rows",
      coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where not dead)), 0)::float8 as "oldestSeconds",
      count(*) filter (where dead)::int as "dead"
    from outbox`);
  return result.rows[0] ?? { rows: 0, oldestSeconds: 0, dead: 0 };
}

/** The errors of the oldest event that waits, and of the newest given up. */
export async function outboxFailures(
  executor: Executor,
  deadMax: number,
): Promise<{ waiting: Failure | undefined; dead: Failure[] }> {
  const failure = { id: outbox.id, channel: outbox.channel, event: outbox.event, error: outbox.lastError };
  const from = (dead: boolean) =>
    executor.select(failure).from(outbox).where(eq(outbox.dead, dead)).$dynamic();
  const [head] = await from(false).orderBy(outbox.id).limit(1);
  const dead = await from(true).orderBy(desc(outbox.id)).limit(deadMax);
  const known = (row: typeof head) => (row?.error == null ? [] : [{ ...row, error: row.error }]);
  return { waiting: known(head)[0], dead: dead.flatMap(known) };
}

/** Lets what was given up wait again, at its old place. Returns how many rows. */
export async function retryDead(executor: Executor): Promise<number> {
  // Raw, so that the relay is told in the same statement.
  const result = await executor.execute<{ retried: number }>(sql`
    with retried as (
      update outbox set dead = false, attempts = 0 where dead returning id
    )
    select count(*)::int as retried, pg_notify(${OUTBOX_NOTIFICATION}, '') from retried`);
  return result.rows[0]?.retried ?? 0;
}

/** Puts other texts in the place of those of a competition that wait, or were given up. */
export async function rewriteWaiting(
  tx: Tx,
  competitionId: string,
  rewrite: (row: { event: string; data: string }) => string,
): Promise<void> {
  const rows = await tx
    .select({ id: outbox.id, event: outbox.event, data: outbox.data })
    .from(outbox)
    .where(eq(outbox.competitionId, competitionId))
    .orderBy(outbox.id);
  for (const row of rows) {
    const data = rewrite(row);
    if (data !== row.data) await tx.update(outbox).set({ data }).where(eq(outbox.id, row.id));
  }
}
