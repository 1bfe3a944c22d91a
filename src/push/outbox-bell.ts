// The bell that rings when events were left: whoever publishes them hears it, and whoever numbers changes, in this process or
// another. After the commit and beside it: a notification within the transaction would have all those of the installation commit
// one after the other, each waiting for the disk, since Postgres keeps notifications in the order of commits.
import type { Pool } from 'pg';
import type { Db } from '../db/client.ts';
import { tellProcesses } from './outbox-store.ts';

export type OutboxBell = {
  /** After the commit. Who is not reached, for whatever reason, looks within a second. */
  ring: () => void;
  /** For who leads in this process. @returns ends it */
  hear: (onRing: () => void) => () => void;
  /** Before the pool ends: other processes have been told. */
  rung: () => Promise<void>;
};

/** Who publishes, and who numbers. */
const HEARERS = 2;

const bells = new WeakMap<Pool, OutboxBell>();

/** The one of all who save through this pool. */
export function outboxBellOf(db: Db): OutboxBell {
  let bell = bells.get(db.$client);
  if (!bell) bells.set(db.$client, (bell = createOutboxBell(db)));
  return bell;
}

export const ringOutbox = (db: Db): void => outboxBellOf(db).ring();

function createOutboxBell(db: Db): OutboxBell {
  const hearers = new Set<() => void>();
  let telling: Promise<void> | undefined;
  let again = false;
  const tell = async () => {
    do {
      again = false;
      await tellProcesses(db).catch(() => undefined);
    } while (again);
    telling = undefined;
  };
  return {
    ring() {
      if (hearers.size >= HEARERS) for (const onRing of hearers) onRing();
      // One at a time: those that ring meanwhile are told of together.
      else if (telling) again = true;
      else telling = tell();
    },
    hear(onRing) {
      hearers.add(onRing);
      return () => void hearers.delete(onRing);
    },
    rung: async () => telling,
  };
}
