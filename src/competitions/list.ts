// The calendar list as JSON: at once when it is short, else page by page, as fast as its reader takes it.
import { type Actor, administered } from '../accounts/permissions.ts';
import { coveredBy } from '../countries.ts';
import type { Executor } from '../db/client.ts';
import { createSemaphore } from '../semaphore.ts';
import {
  countRecords,
  listIds,
  listRecords,
  type ListFilter,
  type Reader,
  recordsWithIds,
} from './list-store.ts';
import type { ListQuery } from './schemas.ts';

/** How many there are in all, and those asked for as a JSON array; in pieces when they are many. */
export type CompetitionList = { total: number; json: Buffer | AsyncIterable<Buffer> };

/** Records of this many are held in memory for one reader, some 1 MB. */
export const PAGE_RECORDS = 1000;
// Of all connections for reads, long lists take these. One is held for a page, never while a reader takes it.
const PAGES_AT_A_TIME = 2;

/**
 * Lists the competitions that overlap the days asked for; GBR includes the home nations. Each with all its fields for those
 * who may edit it, else with the public ones.
 *
 * A long list is of the competitions that there are when it begins, each as it is when its page is read: one that is deleted
 * meanwhile is missing, none is there twice.
 */
export function createLister(db: Executor) {
  const inTurn = createSemaphore(PAGES_AT_A_TIME);

  return async (actor: Actor, query: ListQuery): Promise<CompetitionList> => {
    const { limit, offset } = query;
    const filter = filterOf(query);
    const reader: Reader = { accountId: actor.id, countryIds: administered(actor) };
    const isWhole = limit === undefined && !offset;
    const records = await listRecords(db, filter, { limit, offset, atMost: PAGE_RECORDS + 1, reader });
    if (records.length <= PAGE_RECORDS) {
      const total = isWhole ? records.length : await countRecords(db, filter);
      return { json: inBytes('[', records, ']'), total };
    }
    const ids = await inTurn(() => listIds(db, filter, { limit, offset }));
    const total = isWhole ? Math.ceil(ids.length / ID_LENGTH) : await countRecords(db, filter);
    return { json: inPages(ids, (some) => inTurn(() => recordsWithIds(db, some, reader))), total };
  };
}

const filterOf = ({ country, from_date, to_date, updated_since }: ListQuery): ListFilter => ({
  countryIds: country === undefined ? undefined : coveredBy(country),
  from: from_date,
  to: to_date,
  updatedSince: updated_since === undefined ? undefined : new Date(updated_since),
});

/** Each record is copied once. A text of them all would be put together first, and then encoded. */
function inBytes(before: string, records: string[], after = ''): Buffer {
  const texts = [before, ...records.flatMap((record) => [',', record]).slice(1), after];
  const bytes = Buffer.allocUnsafe(texts.reduce((size, text) => size + Buffer.byteLength(text), 0));
  let length = 0;
  for (const text of texts) length += bytes.write(text, length);
  return bytes;
}

// A UUID and the comma behind it.
const ID_LENGTH = 37;

async function* inPages(ids: string, read: (ids: string) => Promise<string[]>): AsyncIterable<Buffer> {
  let separator = '[';
  for (let from = 0; from < ids.length; from += PAGE_RECORDS * ID_LENGTH) {
    const records = await read(ids.slice(from, from + PAGE_RECORDS * ID_LENGTH - 1));
    if (records.length === 0) continue;
    yield inBytes(separator, records);
    separator = ',';
  }
  yield Buffer.from(separator === '[' ? '[]' : ']');
}
