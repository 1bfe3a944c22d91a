// Reads one unit: its stored text.
import type { Executor } from '../db/client.ts';
import { NotFound } from '../errors.ts';
import type { UnitRef } from '../addresses.ts';
import { findUnitText } from './saving/unit-store.ts';

/** @throws NotFound */
export async function readUnit(db: Executor, ref: UnitRef): Promise<{ text: string; revision: number }> {
  const unit = await findUnitText(db, ref);
  if (!unit) throw new NotFound('No such unit');
  return unit;
}
