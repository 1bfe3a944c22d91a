// Saves one unit: what a judge or a timing bridge changes, many times a minute. Uploads of whole competitions go elsewhere.
import { isDeepStrictEqual } from 'node:util';
import { type Actor, mayEdit } from '../accounts/permissions.ts';
import type { Executor, Tx } from '../db/client.ts';
import { inTransaction, retried } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Forbidden, NotFound, Stale } from '../errors.ts';
import { mergedUnit, storableUnit, unitText } from './record.ts';
import { saveIfUnchanged } from './save-if-unchanged.ts';
import { recordChanges, renderCandidate, type Scope, textChanges } from './save-units.ts';
import type { UnitUpdate } from './schemas.ts';
import { type Found, findUnit, type HeldUnit, holdUnit, type UnitRef } from './unit-store.ts';

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
  deps: Deps,
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
 * from. Where many save the same unit, they wait for each other instead.
 */
export async function saveUnit(deps: Deps, actor: Actor, save: UnitSave): Promise<SavedUnit> {
  for (let tries = 0; tries < TRIES_WITHOUT_LOCK; tries += 1) {
    const saved = await retried(() => trySave(deps.db, deps, actor, save));
    if (saved) return saved;
  }
  return inTransaction(deps.db, (tx) => saveHeldUnit(tx, deps, actor, save));
}

/** The same under locks, as part of a transaction. */
export async function saveHeldUnit(tx: Tx, deps: Deps, actor: Actor, save: UnitSave): Promise<SavedUnit> {
  await holdUnit(tx, save.ref);
  return (await trySave(tx, deps, actor, save))!;
}

/** @returns null when somebody else changed the unit, or what it shows, between the read and the write */
async function trySave(db: Executor, deps: Deps, actor: Actor, save: UnitSave): Promise<SavedUnit | null> {
  const { ref, bibs, live, change } = save;
  const found = await findUnit(db, ref, bibs);
  const { row, context } = authorized(actor, ref, found);
  const { competition, versions } = found!;
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
  const unit = renderCandidate(scope, candidate);
  if (!textChanges(unit) && !recordChanges(unit)) return row;
  const revision = await saveIfUnchanged(db, scope, unit, versions);
  if (revision === null) return null;
  return { revision, text: textChanges(unit) ? unitText(unit.body, revision, scope.now) : row.text };
}

function authorized(actor: Actor, { competitionId }: UnitRef, found: Found | null): HeldUnit {
  if (!found) throw new NotFound(`No competition ${competitionId}`);
  const { competition, held } = found;
  if (!mayEdit(actor, competition)) {
    throw new Forbidden(`Saving needs ADMIN_${competition.countryId} or being a director of the competition`);
  }
  if (!held) throw new NotFound('No such unit: an upload creates units, a save does not');
  return held;
}
