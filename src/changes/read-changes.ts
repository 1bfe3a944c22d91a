// The read of the change feed, for everybody who follows it: readers who poll, streams, and what else is built upon it.
import type { Executor } from '../db/client.ts';
import { Gone } from '../errors.ts';
import type { ChangeFilter, ChangeRow } from './change.ts';
import { type Cursor, lostSince } from './cursor.ts';
import { readFeed } from './store.ts';

export type Reading = {
  /** Null begins anew, with everything that there is. */
  after: Cursor | null;
  limit: number;
  filter: ChangeFilter;
};

/** `begun` is that of the cursors of these rows. */
export type ChangesPage = { rows: ChangeRow[]; begun: number; next: Cursor; more: boolean };

/**
 * The newest states of up to `limit` objects that changed after a cursor, each once, in the order in which they changed.
 * A page may hold fewer, even none, while there are more.
 * @throws Gone when what has happened since is not known any more
 */
export async function readChanges(db: Executor, { after, limit, filter }: Reading): Promise<ChangesPage> {
  const page = await readFeed(db, { after: after?.number ?? 0, limit, filter });
  const lost = after && lostSince(after, page);
  if (lost) throw new Gone(lost);
  const begun = after?.begun ?? page.last;
  // A reader who is at the end misses nothing that was forgotten before.
  const next = { epoch: page.epoch, number: page.upTo, begun: page.more ? begun : page.upTo };
  return { rows: page.rows, begun, next, more: page.more };
}
