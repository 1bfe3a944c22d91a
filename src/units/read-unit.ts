// Reads one unit for an account: whole for those who may edit it, else as the public sees it.
import { type Actor, mayEdit } from '../accounts/permissions.ts';
import type { UnitRef } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { NotFound } from '../errors.ts';
import { textForEditors } from '../privacy/public-view.ts';
import type { SavedUnit } from './saving/save-unit.ts';
import { findReadableUnit } from './saving/unit-store.ts';

/** @throws NotFound */
export async function readUnit(db: Executor, actor: Actor, ref: UnitRef): Promise<SavedUnit> {
  const found = await findReadableUnit(db, ref);
  if (!found) throw new NotFound('No such unit');
  const text = mayEdit(actor, found) ? textForEditors(found, found.year) : found.text;
  return { text, revision: found.revision };
}
