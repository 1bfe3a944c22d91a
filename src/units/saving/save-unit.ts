// Saves one unit: what a judge or a timing bridge changes, many times a minute. Uploads of whole competitions go elsewhere.
import { isDeepStrictEqual } from 'node:util';
import { type Actor, mayEdit } from '../../accounts/permissions.ts';
import type { Executor, Tx } from '../../db/client.ts';
import { inTransaction, retried } from '../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { AppError, Forbidden, NotFound, Stale } from '../../errors.ts';
import { mergedUnit, storableUnit } from './record.ts';
import type { Remembered, UnitMemory } from './unit-cache.ts';
import { saveIfUnchanged } from './save-if-unchanged.ts';
import { recordChanges, renderCandidate, type Scope, textChanges } from './save-units.ts';
import type { UnitUpdate } from '../schemas.ts';
import type { UnitRef } from '../../addresses.ts';
import { type Found, findUnit, type HeldUnit, holdUnit } from './unit-store.ts';

/** What saves are handed besides what everything is. */
export type SaveDeps = Deps & { remembered: UnitMemory };

/** The unit JSON after a save, with the revision it has. */
export type SavedUnit = { text: string; revision: number };

/** A save of one unit. `change` makes the record from what is stored; it may be asked several times. */
export type UnitSave = {
  ref: UnitRef;
  /** Whose names `change` and the unit may need besides those in the unit. */
  bibs: string[];
  /** Whether these are attempts recorded one by one. */
  live: boolean;
  change: (held: HeldUnit) => Record<string, unknown>;
};

/**
 * @param expected revisions of which the unit must have one (If-Match); null for any
 * @throws NotFound, Forbidden, Stale
 */
export async function updateUnit(
  deps: SaveDeps,
  actor: Actor,
  { ref, sent, expected }: { ref: UnitRef; sent: UnitUpdate; expected: number[] | null },
): Promise<SavedUnit> {
  const bibs = [...(sent.results ?? []), ...(sent.trials ?? [])].map(({ bib }) => bib);
  return saveUnit(deps, actor, {
    ref,
    bibs: [...new Set(bibs)],
    live: false,
    change({ row, context }) {
      if (expected && !expected.includes(row.revision)) {
        throw new Stale(`The unit has revision ${row.revision} by now`, row.revision);
      }
      return mergedUnit(row.record, storableUnit(sent), context.event.eventCode);
    },
  });
}

const TRIES_WITHOUT_LOCK = 2;

/**
 * The one way a single unit is saved: authorise, change its record, write it if nobody else has changed what it was made
 * from. First from what the last save left; then from what is stored. Where many save the same unit, they wait for each
 * other instead.
 */
export async function saveUnit(deps: SaveDeps, actor: Actor, save: UnitSave): Promise<SavedUnit> {
  const { db, remembered } = deps;
  const known = remembered.recall(save.ref, save.bibs);
  const fromMemory =
    known && (await retried(() => saveFrom(db, deps, actor, save, known)).catch(unlessRefused));
  if (fromMemory?.left) return remember(deps, save, fromMemory);
  for (let tries = 0; tries < TRIES_WITHOUT_LOCK; tries += 1) {
    const saved = await retried(() => trySave(db, deps, actor, save));
    if (saved) return remember(deps, save, saved);
  }
  return inTransaction(db, (tx) => saveHeldUnit(tx, deps, actor, save));
}

/** The same under locks, as part of a transaction. */
export async function saveHeldUnit(tx: Tx, deps: SaveDeps, actor: Actor, save: UnitSave): Promise<SavedUnit> {
  deps.remembered.forget(save.ref);
  await holdUnit(tx, save.ref);
  return (await trySave(tx, deps, actor, save))!.unit;
}

// A refusal, or that nothing changes, may rest on what is no longer so: both are judged by what is stored.
function unlessRefused(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

function remember({ remembered }: SaveDeps, { ref }: UnitSave, { unit, left }: Outcome): SavedUnit {
  if (left) remembered.remember(ref, left);
  return unit;
}

/** The unit, and what a save left of it: null when there was nothing to save. */
type Outcome = { unit: SavedUnit; left: Remembered | null };

async function trySave(db: Executor, deps: SaveDeps, actor: Actor, save: UnitSave): Promise<Outcome | null> {
  return saveFrom(db, deps, actor, save, await findUnit(db, save.ref, save.bibs));
}

/** @returns null when what was found is so no longer */
async function saveFrom(
  db: Executor,
  deps: SaveDeps,
  actor: Actor,
  { ref, live, change }: UnitSave,
  found: Found | null,
): Promise<Outcome | null> {
  const { competition, versions, held } = authorized(actor, ref, found);
  const { row, context } = held;
  const record = change(held);
  if (isDeepStrictEqual(record, row.record)) return { unit: row, left: null };
  const scope: Scope = {
    competition,
    events: new Map([[ref.eventId, context.event]]),
    unitsOf: () => context.units,
    names: context.names,
    now: deps.now(),
  };
  const { eventId, round, heat } = ref;
  const candidate = { eventId, round, heat, record, sentHash: null, before: row, live };
  const unit = renderCandidate(scope, candidate);
  if (!textChanges(unit) && !recordChanges(unit)) return { unit: row, left: null };
  const saved = await saveIfUnchanged(db, scope, unit, versions);
  if (!saved) return null;
  const left = {
    competition,
    held: { row: saved.row, context },
    versions: { ...versions, unit: saved.version },
  };
  return { unit: saved.row, left };
}

function authorized(actor: Actor, { competitionId }: UnitRef, found: Found | null): Remembered {
  if (!found) throw new NotFound(`No competition ${competitionId}`);
  const { competition, held } = found;
  if (!mayEdit(actor, competition)) {
    throw new Forbidden(`Saving needs ADMIN_${competition.countryId} or being a director of the competition`);
  }
  if (!held) throw new NotFound('No such unit: an upload creates units, a save does not');
  return { ...found, held };
}
