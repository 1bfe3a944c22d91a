// Numbers the events that were stored before events had numbers, when a photo-finish program first asks for them.
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { takeRevisions, tellFeed } from '../push/enqueue.ts';
import { eventNumbers, LAST_EVENT_NO, type Numbered } from './event-numbers.ts';
import { readEventNumbers } from './event-numbers-store.ts';
import { EVENTS, mergeSection } from './merge-sections.ts';
import { lockCompetition, updateCompetitionRow } from './store.ts';

/** Sees to it that the events of a competition have their numbers. @throws NotFound */
export async function numberEvents(deps: Pick<Deps, 'db'>, id: string): Promise<void> {
  if (unnumbered(await readEventNumbers(deps.db, id)).length === 0) return;
  await inTransaction(
    deps.db,
    async (tx) => {
      await lockCompetition(tx, id);
      const stored = await readEventNumbers(tx, id);
      const missing = unnumbered(stored).map(({ eventId }) => ({ event_id: eventId }));
      const numbered = missing.map(eventNumbers(stored, missing).completed);
      const changed = await mergeSection(tx, EVENTS, id, numbered);
      const [revision] = await takeRevisions(tx, id, changed.length > 0 ? 1 : 0);
      if (revision === undefined) return;
      await updateCompetitionRow(tx, id, { revision });
      await tellFeed(tx, id);
    },
    id,
  );
}

/** Those that can still get a number. */
function unnumbered(stored: Numbered[]): Numbered[] {
  const without = stored.filter(({ no }) => no === null);
  return without.slice(0, LAST_EVENT_NO - (stored.length - without.length));
}
