// Reads one unit: its stored text.
import type { Executor } from '../db/client.ts';
import { NotFound } from '../errors.ts';
import { findUnitText, type UnitRef } from './unit-store.ts';

/** @throws NotFound */
export async function readUnit(db: Executor, ref: UnitRef): Promise<{ text: string; revision: number }> {
  const unit = await findUnitText(db, ref);
  if (!unit) throw new NotFound('No such unit');
  return unit;
}
