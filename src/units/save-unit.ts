// Saves one unit: what a judge or a timing bridge changes, many times a minute. Uploads of whole competitions go elsewhere.
import { isDeepStrictEqual } from 'node:util';
import { type Actor, mayEdit } from '../accounts/permissions.ts';
import { shareCompetition } from '../competitions/store.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Forbidden, NotFound, Stale } from '../errors.ts';
import { mergedUnit, resultsOf, storableUnit, trialsOf } from './record.ts';
import { renderUnits, saveUnits, type Scope } from './save-units.ts';
import type { UnitUpdate } from './schemas.ts';
import { loadUnitContext, lockUnit, type UnitRef, type UnitRow } from './store.ts';

/** The unit JSON after a save, with the revision it has. */
export type SavedUnit = { text: string; revision: number };

type Context = Awaited<ReturnType<typeof loadUnitContext>>;
/** A unit under its lock: its row, its event, and the names of those in it (and of `bibs` besides). */
export type HeldUnit = { row: UnitRow; context: Context };

/**
 * @param expected revisions of which the unit must have one (If-Match); null for any
 * @throws NotFound, Forbidden, Stale
 */
export async function updateUnit(
  deps: Deps,
  actor: Actor,
  { ref, sent, expected }: { ref: UnitRef; sent: UnitUpdate; expected: number[] | null },
): Promise<SavedUnit> {
  return inTransaction(deps.db, async (tx) => {
    const bibs = [...(sent.results ?? []), ...(sent.trials ?? [])].map(({ bib }) => bib);
    return saveUnit(tx, deps, actor, { ref, bibs, live: false }, ({ row, context }) => {
      if (expected && !expected.includes(row.revision)) {
        throw new Stale(`The unit has revision ${row.revision} by now`, row.revision);
      }
      return mergedUnit(row.record, storableUnit(sent), context.event.eventCode);
    });
  });
}

/** The one way a single unit is saved: authorise, lock, change its record, and let saveUnits do the rest. */
export async function saveUnit(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { ref, bibs, live }: { ref: UnitRef; bibs: string[]; live: boolean },
  change: (held: HeldUnit) => Record<string, unknown>,
): Promise<SavedUnit> {
  const competition = await shareCompetition(tx, ref.competitionId);
  if (!competition) throw new NotFound(`No competition ${ref.competitionId}`);
  if (!mayEdit(actor, competition)) {
    throw new Forbidden(`Saving needs ADMIN_${competition.countryId} or being a director of the competition`);
  }
  const row = await lockUnit(tx, ref);
  if (!row) throw new NotFound('No such unit: an upload creates units, a save does not');
  const shown = [...resultsOf(row.record), ...trialsOf(row.record)].map(({ bib }) => bib);
  const context = await loadUnitContext(tx, ref.competitionId, ref.eventId, [
    ...new Set([...shown, ...bibs]),
  ]);
  const record = change({ row, context });
  if (isDeepStrictEqual(record, row.record)) return row;
  const scope: Scope = {
    competition,
    events: new Map([[ref.eventId, context.event]]),
    unitsOf: () => context.units,
    names: context.names,
    now: deps.now(),
  };
  const { eventId, round, heat } = ref;
  const candidate = { eventId, round, heat, record, sentHash: null, before: row, live };
  const [saved] = await saveUnits(tx, scope, await renderUnits(scope, [candidate]));
  return saved ?? row;
}
