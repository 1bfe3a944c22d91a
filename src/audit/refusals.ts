// Refusals for the audit: written by themselves, as nothing else is; bounded, so that no stranger fills it; and never in the way.
import type { Db } from '../db/client.ts';
import { retried } from '../db/transaction.ts';
import type { Log } from '../log.ts';
import { createSemaphore } from '../semaphore.ts';
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

  // One after another, and those of one entry that come meanwhile together: a crowd of them would take all connections, which
  // readers need, only to wait for each other's lock on it.
  const inTurn = createSemaphore(1);
  const waiting = new Map<string, { times: number; written: Promise<void> }>();

  async function write(who: Doer, what: Entry, times: number): Promise<void> {
    try {
      await retried(() => countAudit(db, who, what, times));
    } catch (error) {
      log.warn({ err: error }, 'a refusal could not be written to the audit');
    }
  }

  return (doer, entry) => {
    const own = JSON.stringify([entry, doer.id, doer.origin?.address]);
    const isNamed = hasRoom(own);
    const [key, who, what] = isNamed ? [own, doer, entry] : [entry.action, REST, { action: entry.action }];
    const same = waiting.get(key);
    if (same) {
      same.times += 1;
      return same.written;
    }
    const first = { times: 1, written: Promise.resolve() };
    waiting.set(key, first);
    first.written = inTurn(() => {
      waiting.delete(key);
      return write(who, what, first.times);
    });
    return first.written;
  };
}

const REST: Doer = { id: null, email: null, origin: { address: 'more addresses', requestId: null } };
