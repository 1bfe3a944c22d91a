// Deletes one part of a competition. What showed it is rendered again, in the same transaction.
import type { Actor } from '../accounts/permissions.ts';
import { writeAudit } from '../audit/store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { deleteRows, type Part } from './delete-part-store.ts';
import { lockCompetition, updateCompetitionRow } from './store.ts';
import { authorizeUpdate } from './update.ts';
import { renderUnitsAgain } from './upload.ts';

/** @throws NotFound, Forbidden */
export async function deletePart(deps: Deps, actor: Actor, id: string, part: Part): Promise<void> {
  await inTransaction(
    deps.db,
    async (tx) => {
      const { row, access } = await lockCompetition(tx, id);
      authorizeUpdate(actor, access, null);
      if (!(await deleteRows(tx, id, part))) throw new NotFound(`No such ${part.kind}`);
      const shownBy = part.kind === 'unit' ? { eventId: part.eventId } : 'all';
      const revision = await renderUnitsAgain(tx, row, shownBy, { now: deps.now(), alsoCompetition: true });
      await updateCompetitionRow(tx, id, { revision: revision! });
      const { kind, ...key } = part;
      const target = [kind, ...Object.values(key)].join(' ');
      await writeAudit(tx, actor, { action: 'competition.delete-part', competitionId: id, target });
    },
    id,
  );
}
