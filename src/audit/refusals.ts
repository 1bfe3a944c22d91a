// Refusals for the audit: written by themselves, as nothing else is; bounded, so that no stranger fills it; and never in the way.
import type { Db } from '../db/client.ts';
import { retried } from '../db/transaction.ts';
import type { Log } from '../log.ts';
import type { Doer, Entry } from './entry.ts';
import { countAudit } from './store.ts';

export type NoteRefusal = (doer: Doer, entry: Entry) => Promise<void>;

const WINDOW_MS = 60_000;
// Entries in a minute of one process. Beyond them one more counts the rest, whoever and wherever they are.
const ENTRIES = 30;

type Deps = { db: Db; log: Pick<Log, 'warn'>; now: () => Date };

export function createRefusals({ db, log, now }: Deps, entriesMax = ENTRIES): NoteRefusal {
  let seen = new Set<string>();
  let minute = 0;

  function hasRoom(key: string): boolean {
    const present = Math.floor(now().getTime() / WINDOW_MS);
    if (present !== minute) [seen, minute] = [new Set(), present];
    if (seen.size < entriesMax) seen.add(key);
    return seen.has(key);
  }

  return async (doer, entry) => {
    const key = JSON.stringify([entry, doer.id, doer.origin?.address]);
    const [who, what] = hasRoom(key) ? [doer, entry] : [REST, { action: entry.action }];
    try {
      await retried(() => countAudit(db, who, what));
    } catch (error) {
      log.warn({ err: error }, 'a refusal could not be written to the audit');
    }
  };
}

const REST: Doer = { id: null, email: null, origin: { address: 'more addresses', requestId: null } };
