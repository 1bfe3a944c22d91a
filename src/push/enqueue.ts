// Events become rows in the transaction of the save that caused them, so that neither exists without the other.
import { sql } from 'drizzle-orm';
import type { Tx } from '../db/client.ts';
import { LOCKS } from '../db/locks.ts';
import { changeHints } from '../db/schema.ts';
import { textArray } from '../db/text-array.ts';
import { afterCommit } from '../db/transaction.ts';
import type { PushedEvent } from './events.ts';
import { ringOutbox } from './outbox-bell.ts';

export type OutboxEvent = {
  competitionId: string;
  channel: string;
  event: PushedEvent['event'];
  /** The bytes to publish, JSON text. */
  data: string;
  /** True for unit snapshots: a newer one of the same channel makes this one superfluous. */
  coalesce: boolean;
};

/**
 * The next `count` revisions. The savers of one competition wait for each other here until they commit: revisions, and the
 * ids of the events written after this, are then in commit order, which a sequence alone does not give. It is the last lock
 * of a transaction.
 */
export async function takeRevisions(tx: Tx, competitionId: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  // One statement: the lock is taken before the sequence is read, without a round trip between.
  const { rows } = await tx.execute<{ revision: number }>(sql`
    with locked as materialized (
      select pg_advisory_xact_lock(${LOCKS.push}::int, hashtext(${competitionId}::uuid::text))
    )
    select nextval('revisions') as revision from locked, generate_series(1, ${count}::int)`);
  return rows.map(({ revision }) => revision);
}

/** Has the feed of changes look at this competition: something of it has a new revision. */
export async function tellFeed(tx: Tx, competitionId: string): Promise<void> {
  await tx.insert(changeHints).values({ competitionId });
}

/** Writes the events in the order given; the bell rings when the transaction is committed. The caller has taken revisions. */
export async function enqueue(tx: Tx, events: OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  const columns = eventColumns(events);
  // Raw: the builder has no unnest.
  await tx.execute(sql`
    insert into outbox (competition_id, channel, event, data, "coalesce")
    select competition_id::uuid, channel, event, data, snapshot::boolean
    from unnest(
      ${columns.competitionIds}::text[], ${columns.channels}::text[], ${columns.events}::text[],
      ${columns.data}::text[], ${columns.snapshots}::text[]
    ) with ordinality as row (competition_id, channel, event, data, snapshot, position)
    order by position`);
  afterCommit(tx, ringOutbox);
}

/** A text[] for each property of the events. An upload queues thousands: the builder would make a parameter of every value. */
export function eventColumns(events: (Omit<OutboxEvent, 'data'> & { data: string | null })[]) {
  const column = (pick: (event: (typeof events)[number]) => string | null) => textArray(events.map(pick));
  return {
    competitionIds: column(({ competitionId }) => competitionId),
    channels: column(({ channel }) => channel),
    events: column(({ event }) => event),
    data: column(({ data }) => data),
    snapshots: column(({ coalesce }) => String(coalesce)),
  };
}
