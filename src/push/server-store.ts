// SQL of the list of push servers, by the database's clock.
import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { among } from '../db/among.ts';
import type { Db } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { pushServers } from '../db/schema.ts';

/** One process at one address. */
export type ServerId = { address: string; instance: string };

/**
 * Present: it gets all events. Late: so it does again after a gap, in which others may have published without it. Missing:
 * others took it for dead and did. Given up: they do, until it takes events again. Displaced: another process claims its address.
 */
export type Heard = 'present' | 'late' | 'missing' | 'given up' | 'displaced';

// Several times the pause between two heartbeats, and short: a dead server holds the events of all until then.
const STALE_SECONDS = 5;
const FORGOTTEN_SECONDS = 60;

// Raw, because the builder has no intervals.
const olderThan = (seconds: number) =>
  lt(pushServers.seenAt, sql`clock_timestamp() - make_interval(secs => ${seconds})`);
const present = { seenAt: sql`clock_timestamp()` };

/** Enters the server in place of any earlier one at its address. */
export async function addServer(db: Db, server: ServerId): Promise<void> {
  await db.delete(pushServers).where(olderThan(FORGOTTEN_SECONDS));
  await db
    .insert(pushServers)
    .values({ ...server, ...present })
    .onConflictDoUpdate({
      target: pushServers.address,
      set: { instance: server.instance, givenUpAt: null, ...present },
    });
}

/** A heartbeat; a server that is missing is entered again. */
export async function hearServer(db: Db, server: ServerId): Promise<Heard> {
  // Raw, because the builder cannot return what a row was before.
  const { rows } = await db.execute<{ givenUp: boolean; late: boolean }>(sql`
    with before as (
      select seen_at from push_servers
      where address = ${server.address} and instance = ${server.instance} for update
    )
    update push_servers set seen_at = clock_timestamp() from before
    where address = ${server.address} and instance = ${server.instance}
    returning given_up_at is not null as "givenUp",
      before.seen_at < clock_timestamp() - make_interval(secs => ${STALE_SECONDS}) as late`);
  const [heard] = rows;
  if (heard) return heard.givenUp ? 'given up' : heard.late ? 'late' : 'present';
  const entered = await db
    .insert(pushServers)
    .values({ ...server, ...present })
    .onConflictDoNothing();
  return entered.rowCount ? 'missing' : 'displaced';
}

export async function removeServer(db: Db, { address, instance }: ServerId): Promise<void> {
  await db
    .delete(pushServers)
    .where(and(eq(pushServers.address, address), eq(pushServers.instance, instance)));
}

/** Also those whose heartbeat is late: who takes events is there. */
export async function listServers(db: Db): Promise<string[]> {
  return addresses(await servers(db));
}

// Asked for every batch.
const servers = prepared<[], { address: string }>(
  'push_servers',
  'select address from push_servers where given_up_at is null',
);

/** Those that are alive and get no events. Who is not alive either leaves the list. */
export async function listGivenUp(db: Db): Promise<string[]> {
  const givenUp = isNotNull(pushServers.givenUpAt);
  await db.delete(pushServers).where(and(givenUp, olderThan(STALE_SECONDS)));
  return addresses(await db.select({ address: pushServers.address }).from(pushServers).where(givenUp));
}

/** Removes those of the failing servers that have no heartbeat either; the others are left. */
export async function sortOutServers(
  db: Db,
  failing: string[],
): Promise<{ removed: string[]; left: string[] }> {
  const named = among(pushServers.address, failing);
  const removed = await db
    .delete(pushServers)
    .where(and(named, olderThan(STALE_SECONDS)))
    .returning({ address: pushServers.address });
  const left = await db.select({ address: pushServers.address }).from(pushServers).where(named);
  return { removed: addresses(removed), left: addresses(left) };
}

/** From now on events go out without the server; its heartbeat tells it so. */
export async function giveUpServer(db: Db, address: string): Promise<void> {
  await db
    .update(pushServers)
    .set({ givenUpAt: sql`clock_timestamp()` })
    .where(eq(pushServers.address, address));
}

/** What is saved from now on reaches the server again. */
export async function takeServerBack(db: Db, address: string): Promise<void> {
  await db.update(pushServers).set({ givenUpAt: null }).where(eq(pushServers.address, address));
}

function addresses(rows: { address: string }[]): string[] {
  return rows.map(({ address }) => address);
}
