// Renders again, at start, the units that an earlier version of the program rendered. Those whose text changes are saved.
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { lockCompetition } from './store.ts';
import { renderUnitsAgain } from './upload.ts';
import { RENDER_VERSION } from '../units/saving/record.ts';
import { competitionsRenderedBefore } from '../units/saving/units-store.ts';

export async function renderOutdatedUnits(deps: Deps): Promise<void> {
  for (const id of await competitionsRenderedBefore(deps.db, RENDER_VERSION)) {
    await inTransaction(deps.db, async (tx) => {
      const { row } = await lockCompetition(tx, id);
      await renderUnitsAgain(tx, row, 'all', { now: deps.now(), alsoCompetition: false });
    }).catch(unlessDeleted);
    deps.log.info({ competition: id }, 'rendered the units of a competition again');
  }
}

// Another replica may have deleted it meanwhile.
function unlessDeleted(error: unknown): void {
  if (!(error instanceof NotFound)) throw error;
}
