// The giving of numbers to what has changed, by one process at a time, after the commit: so numbers are in an order in which
// everything became visible, a save writes one hint and waits for nothing, and a transaction that stays open, here or elsewhere
// in the cluster, holds nobody back. (Transaction ids read below pg_snapshot_xmin would wait for the oldest writer of the whole
// cluster, stand in six tables, and mean nothing after a restore.)
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import type { Deps } from '../deps.ts';
import {
  beginNumbering,
  createFeedClient,
  databaseIdentity,
  differingCompetitions,
  endNumbering,
  numberAll,
  numberUnits,
  purgeDeletions,
  settleEpoch,
  takeHints,
} from './numbering-store.ts';

type FeedDeps = Pick<Deps, 'config' | 'databaseUrl' | 'log'>;
type PurgeDeps = Pick<Deps, 'config' | 'log' | 'now'>;

// Of a database that has no feed yet: so much at a time that nobody waits long for the row that is locked meanwhile.
const COMPETITIONS_AT_ONCE = 20;
const DAY_MS = 24 * 3600 * 1000;

/** Numbers all that has none, at start: the first answer of this process is complete. */
export async function prepareFeed(deps: FeedDeps): Promise<void> {
  const client = createFeedClient(deps.databaseUrl);
  client.on('error', () => {});
  try {
    await client.connect();
    await settleFeed(deps, client);
    await numberUnhinted(client);
  } finally {
    await client.end();
  }
}

/** Sees to it that the epoch is of this database, and not of one that it was copied from. */
export async function settleFeed({ config, log }: FeedDeps, client: Client): Promise<void> {
  const identity = (await databaseIdentity(client)) + (await folderIdentity(config));
  const epoch = randomBytes(6).toString('hex');
  if (await settleEpoch(client, identity, epoch))
    log.info({ epoch }, 'the feed of changes begins a new epoch');
}

// A copy of the embedded Postgres' folder is the same database in every other respect.
async function folderIdentity({ DATABASE_URL, DATA_DIR }: FeedDeps['config']): Promise<string> {
  if (DATABASE_URL) return '';
  const { ino } = await stat(join(DATA_DIR, 'postgres', 'data', 'PG_VERSION'), { bigint: true });
  return `/${ino}`;
}

/** Numbers what hints lead to. */
export async function numberHinted(client: Client): Promise<void> {
  await numbering(client, async () => {
    const hinted = await takeHints(client);
    await numberUnits(
      client,
      hinted.filter(({ unitsOnly }) => unitsOnly).map(({ id }) => id),
    );
    await numberAll(
      client,
      hinted.filter(({ unitsOnly }) => !unitsOnly).map(({ id }) => id),
    );
  });
}

/** Looks everywhere, and numbers what no hint leads to. */
export async function numberUnhinted(client: Client): Promise<void> {
  const ids = await differingCompetitions(client);
  for (let from = 0; from < ids.length; from += COMPETITIONS_AT_ONCE) {
    const some = ids.slice(from, from + COMPETITIONS_AT_ONCE);
    await numbering(client, () => numberAll(client, some));
  }
}

/** Forgets deletions that are too old to be told of. */
export async function forgetDeletions(client: Client, { config, log, now }: PurgeDeps): Promise<void> {
  const before = new Date(now().getTime() - config.CHANGES_RETENTION_DAYS * DAY_MS);
  await numbering(client, async () => {
    const deletions = await purgeDeletions(client, before);
    if (deletions > 0) log.info({ deletions }, 'the feed of changes forgot deletions');
  });
}

async function numbering(client: Client, work: () => Promise<void>): Promise<void> {
  await beginNumbering(client);
  try {
    await work();
  } catch (error) {
    // A connection that is lost has rolled back by itself.
    await endNumbering(client, 'rollback').catch(() => undefined);
    throw error;
  }
  await endNumbering(client, 'commit');
}
