// Deletes a competition with everything in it.
import { type Actor, mayDelete } from '../accounts/permissions.ts';
import { writeAudit } from '../audit/store.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Forbidden } from '../errors.ts';
import { deleteCompetition, lockCompetition } from './store.ts';

/** @throws NotFound; Forbidden: directors may change a competition, not delete it */
export async function removeCompetition(deps: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(
    deps.db,
    async (tx) => {
      const { row, access } = await lockCompetition(tx, id);
      authorizeRemoval(actor, access);
      await deleteCompetition(tx, row);
      const target = `${row.year}/${row.countryId}/${row.slug}`;
      await writeAudit(tx, actor, { action: 'competition.delete', competitionId: id, target });
    },
    id,
  );
}

export function authorizeRemoval(actor: Actor, access: { countryId: string }): void {
  if (!mayDelete(actor, access))
    throw new Forbidden(`Deleting this competition needs ADMIN_${access.countryId}`);
}
