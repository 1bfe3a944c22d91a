// The write of one planned unit, if nobody has changed what it was planned from.
import type { Executor } from '../../db/client.ts';
import type { Part } from '../rules/combined-standings.ts';
import type { Plan, Scope } from './plan.ts';
import { unitText, unitTextAround } from './record.ts';
import type { CachedUnit } from './unit-cache.ts';
import { type UnitRow, writeQuiet, writeShown } from './unit-store.ts';

/** What one unit is rendered from; `parts` when it is of a combined event. */
export const scopeOf = (
  { competition, held: { row, context } }: CachedUnit,
  parts: Part[],
  now: Date,
): Scope => ({
  competition,
  events: new Map([[row.eventId, context.event]]),
  unitsOf: () => context.units,
  names: context.names,
  partsOf: () => parts,
  now,
});

/** What the save leaves, for the next one to be made from; null when somebody was faster. */
export async function writeUnit(
  db: Executor,
  plan: Exclude<Plan, { change: 'none' }>,
  basis: CachedUnit,
  now: Date,
): Promise<CachedUnit | null> {
  const { versions, held } = basis;
  const left = (row: UnitRow, version: string): CachedUnit => ({
    ...basis,
    held: { ...held, row },
    versions: { ...versions, unit: version },
  });
  if (plan.change === 'quiet') {
    const written = await writeQuiet(db, plan.row, versions);
    return written && left({ ...plan.row, record: written.record }, written.version);
  }
  const { columns, body, events } = plan;
  const text = unitTextAround(body, now);
  const written = await writeShown(db, columns, versions, { text, updatedAt: now, events });
  if (!written) return null;
  const { revision, version, record } = written;
  const row = { ...columns, record, text: unitText(body, revision, now), revision, updatedAt: now };
  return left(row, version);
}
