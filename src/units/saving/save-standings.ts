// Standings of a combined event, saved with the one unit of it that changed, in the same transaction.
import type { Executor, Tx } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { isStandings, type Part, STANDINGS } from '../rules/combined-standings.ts';
import { isCombined } from '../rules/disciplines.ts';
import { bibsOf, partsFrom } from './combined-parts.ts';
import { planUnit } from './plan.ts';
import type { CachedUnit } from './unit-cache.ts';
import { type Found, findUnit } from './unit-store.ts';
import type { UnitRef } from '../../addresses.ts';
import { listEvents, loadRecords } from './units-store.ts';
import { scopeOf, writeUnit } from './write-unit.ts';

/** `parts`: of a combined event whose standings the unit is. */
export type FoundWithParts = { found: Found | null; parts?: Part[] };

/** Whether the unit belongs to a combined event, as a part or as its standings. Nothing is asked for most others. */
export async function isOfCombined(db: Executor, found: Found | null): Promise<boolean> {
  if (!found?.held) return false;
  const { row, context } = found.held;
  if (context.event.parent !== null) return true;
  if (!isStandings(row) || !isCombined(context.event.eventCode)) return false;
  return (await listEvents(db, row.competitionId, row.eventId)).length > 0;
}

/** The unit, and if it is the standings of a combined event its parts. The caller holds it. */
export async function findWithParts(
  tx: Tx,
  { ref, bibs }: { ref: UnitRef; bibs: string[] },
): Promise<FoundWithParts> {
  const found = await findUnit(tx, ref, bibs);
  const code = found?.held?.context.event.eventCode ?? '';
  if (!isStandings(ref) || !isCombined(code)) return { found };
  const events = await listEvents(tx, ref.competitionId, ref.eventId);
  if (events.length === 0) return { found };
  const eventIds = events.map(({ eventId }) => eventId);
  const parts = partsFrom(events, await loadRecords(tx, ref.competitionId, eventIds));
  return { found: await findUnit(tx, ref, [...bibs, ...bibsOf(parts)]), parts };
}

/** Renders the standings again that the saved unit counts for. The caller holds both. */
export async function saveStandingsAbove(
  tx: Tx,
  deps: Deps,
  { held: { row, context } }: CachedUnit,
): Promise<void> {
  const { parent, eventId: partId } = context.event;
  if (parent === null || parent === partId) return;
  const ref = { competitionId: row.competitionId, eventId: parent, ...STANDINGS };
  const { found, parts } = await findWithParts(tx, { ref, bibs: [] });
  if (!found?.held || !parts) return;
  const basis = { ...found, held: found.held };
  const { eventId, round, heat, record, sentHash } = basis.held.row;
  const candidate = { eventId, round, heat, record, sentHash, before: basis.held.row, live: false };
  const now = deps.now();
  const plan = planUnit(scopeOf(basis, parts, now), candidate);
  if (plan.change === 'none') return;
  if (!(await writeUnit(tx, plan, basis, now))) throw new Error('Standings changed under their lock');
}
