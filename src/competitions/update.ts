// Changes a competition: any subset of its fields, and uploads to what is nested in it. One transaction, all or nothing.
import { type Actor, adminOf, mayEdit } from '../accounts/permissions.ts';
import type { Tx } from '../db/client.ts';
import { inRehearsal, inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Forbidden } from '../errors.ts';
import { auditUpload } from './audit-upload.ts';
import { nameClash, slugTaken } from './create.ts';
import { mergedCompetition } from './merge.ts';
import { freeSlug } from './names.ts';
import { type CompetitionRecord, toRecord } from './record.ts';
import { requireBorn } from './rules.ts';
import type { CompetitionUpdate } from './schemas.ts';
import {
  type CompetitionRow,
  lockCompetition,
  recordFormerAddress,
  takenSlugs,
  updateCompetitionRow,
} from './store.ts';
import { countParts, type OnStored, uploadNested } from './upload.ts';

type UpdateDeps = Pick<Deps, 'db' | 'now'>;
type UpdateOptions = {
  onStored?: OnStored | undefined;
  /** Everything is done, and nothing stored. */
  rehearsal?: boolean;
};

/**
 * @returns the updated record
 * @throws NotFound; Forbidden; Invalid when the merged fields contradict each other; Conflict for a taken slug
 */
export async function updateCompetition(
  deps: UpdateDeps,
  actor: Actor,
  id: string,
  sent: CompetitionUpdate,
  { onStored, rehearsal = false }: UpdateOptions = {},
): Promise<CompetitionRecord> {
  const run = rehearsal ? inRehearsal : inTransaction;
  try {
    return await run(deps.db, (tx) => update(tx, deps, actor, { id, sent, onStored }), id);
  } catch (error) {
    throw nameClash(error) ?? error;
  }
}

async function update(
  tx: Tx,
  deps: UpdateDeps,
  actor: Actor,
  { id, sent, onStored: heard }: { id: string; sent: CompetitionUpdate; onStored: OnStored | undefined },
): Promise<CompetitionRecord> {
  const { row, access } = await lockCompetition(tx, id);
  authorizeUpdate(actor, access, sent.country_id);
  const now = deps.now();
  requireBorn(sent, now);
  const merged = mergedCompetition(row, sent);
  const moved = await moveAddress(tx, row, merged);
  const recordChanged = merged.recordText !== row.recordText || merged.privateText !== row.privateText;
  const { changed, onStored } = countParts(heard);
  onStored('record', recordChanged ? 1 : 0);
  const revision = await uploadNested(tx, merged, sent, { recordChanged, moved, now, onStored });
  if (revision !== null) {
    const changes = recordChanged ? { ...merged, updatedAt: now } : {};
    await updateCompetitionRow(tx, id, { ...changes, revision });
  }
  await auditUpload(tx, actor, { id, isNew: false }, changed);
  return toRecord(merged);
}

/** @throws Forbidden unless the actor may edit the competition and, when it moves, administers the new country too */
export function authorizeUpdate(
  actor: Actor,
  access: { countryId: string; directorIds: string[] },
  newCountryId: string | null | undefined,
): void {
  if (!mayEdit(actor, access)) {
    throw new Forbidden(
      `Changing this competition needs ADMIN_${access.countryId} or being one of its directors`,
    );
  }
  if (newCountryId && newCountryId !== access.countryId && !adminOf(actor, newCountryId)) {
    throw new Forbidden(`Moving this competition needs ADMIN_${newCountryId}`);
  }
}

async function moveAddress(tx: Tx, row: CompetitionRow, merged: CompetitionRow): Promise<boolean> {
  const { countryId, year, slug } = row;
  if (merged.countryId === countryId && merged.year === year && merged.slug === slug) return false;
  const free = freeSlug(merged.slug, await takenSlugs(tx, merged, row.id));
  if (free !== merged.slug) throw slugTaken(merged.slug, free);
  await recordFormerAddress(tx, row.id, { countryId, year, slug });
  return true;
}
