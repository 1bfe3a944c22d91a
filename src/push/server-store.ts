// SQL of the list of push servers, by the database's clock.
import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/client.ts';
import { pushServers } from '../db/schema.ts';

/** One process at one address. */
export type ServerId = { address: string; instance: string };

/** Missing: others took the server for dead and published without it. Displaced: another process claims its address. */
export type Heard = 'present' | 'missing' | 'displaced';

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
    .onConflictDoUpdate({ target: pushServers.address, set: { instance: server.instance, ...present } });
}

/** A heartbeat; a server that is missing is entered again. */
export async function hearServer(db: Db, server: ServerId): Promise<Heard> {
  const mine = and(eq(pushServers.address, server.address), eq(pushServers.instance, server.instance));
  const { rowCount } = await db.update(pushServers).set(present).where(mine);
  if (rowCount) return 'present';
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
  const rows = await db.select({ address: pushServers.address }).from(pushServers);
  return rows.map(({ address }) => address);
}

/** Removes those of the failing servers that have no heartbeat either; the others are left. */
export async function sortOutServers(
  db: Db,
  failing: string[],
): Promise<{ removed: string[]; left: string[] }> {
  const named = inArray(pushServers.address, failing);
  const removed = await db
    .delete(pushServers)
    .where(and(named, olderThan(STALE_SECONDS)))
    .returning({ address: pushServers.address });
  const left = await db.select({ address: pushServers.address }).from(pushServers).where(named);
  return { removed: removed.map(({ address }) => address), left: left.map(({ address }) => address) };
}
