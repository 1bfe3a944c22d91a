// Saves one unit: what a judge or a timing bridge changes, many times a minute. Many at once: save-units.ts.
import { isDeepStrictEqual } from 'node:util';
import { type Actor, mayEdit } from '../../accounts/permissions.ts';
import type { UnitRef } from '../../addresses.ts';
import type { Executor, Tx } from '../../db/client.ts';
import { inTransaction, retried } from '../../db/transaction.ts';
import { inTurn } from '../../db/turns.ts';
import type { Deps } from '../../deps.ts';
import { AppError, Forbidden, type Issue, NotFound, Stale } from '../../errors.ts';
import { textForEditors } from '../../privacy/public-view.ts';
import { implausibleMarks, requirePoints } from '../rules/marks-of-unit.ts';
import type { UnitUpdate } from '../schemas.ts';
import { mergedUnit, storableUnit } from './merged-unit.ts';
import { planUnit } from './plan.ts';
import { findWithParts, type FoundWithParts, isOfCombined, saveStandingsAbove } from './save-standings.ts';
import { type CachedUnit, keyOfUnit, type UnitCache } from './unit-cache.ts';
import {
  type Found,
  type FoundCompetition,
  findUnit,
  type HeldUnit,
  holdUnit,
  type UnitRow,
} from './unit-store.ts';
import { scopeOf, writeUnit } from './write-unit.ts';

/** What saves are handed besides what everything is. */
export type SaveDeps = Deps & { unitCache: UnitCache };

/** The unit JSON as those who may edit it read it, with the revision that it has. */
export type SavedUnit = { text: string; revision: number };

const savedUnit = (row: UnitRow, { year }: { year: number }): SavedUnit => ({
  text: textForEditors(row, year),
  revision: row.revision,
});

/** A save of one unit. `change` makes the record from what is stored; it may be asked several times, and has no effects. */
export type UnitSave<Result> = {
  ref: UnitRef;
  /** Whose names `change` and the unit may need besides those in the unit. */
  bibs: string[];
  /** Whether these are attempts recorded one by one. */
  live: boolean;
  change: (held: HeldUnit) => { record: Record<string, unknown>; result: Result };
};

/** A unit after a save, and what else the save's `change` came to. */
export type UnitSaved<Result> = { unit: SavedUnit; result: Result };

/**
 * @param expected revisions of which the unit must have one (If-Match); null for any
 * @returns the unit, and the warnings about what was sent
 * @throws NotFound, Forbidden, Stale; Invalid for marks that cannot be of this event
 */
export async function updateUnit(
  deps: SaveDeps,
  actor: Actor,
  { ref, sent, expected }: { ref: UnitRef; sent: UnitUpdate; expected: number[] | null },
): Promise<UnitSaved<Issue[]>> {
  const bibs = [...(sent.results ?? []), ...(sent.trials ?? [])].map(({ bib }) => bib);
  return saveUnit(deps, actor, {
    ref,
    bibs: [...new Set(bibs)],
    live: false,
    change({ row, context }) {
      const marks = { unit: sent, eventCode: context.event.eventCode, loc: ['body'] };
      requirePoints([marks]);
      if (expected && !expected.includes(row.revision)) {
        throw new Stale(`The unit has revision ${row.revision} by now`, row.revision);
      }
      const record = mergedUnit(row, storableUnit(sent), context.event);
      return { record, result: implausibleMarks(marks) };
    },
  });
}

const TRIES_WITHOUT_LOCK = 2;
/** More than this unit is saved: under locks. */
const COMBINED = { kind: 'combined' } as const;

/**
 * The one way a single unit is saved: authorise, change its record, write it if nobody else has changed what it was made
 * from. First from what the last save left; then from what is stored. Where many save the same unit, they do so one after
 * another in each process, and wait for other processes' locks.
 */
export async function saveUnit<Result>(
  deps: SaveDeps,
  actor: Actor,
  save: UnitSave<Result>,
): Promise<UnitSaved<Result>> {
  const turn = { of: save.ref.competitionId, alone: keyOfUnit(save.ref) };
  return inTurn(deps.db.$client, turn, () => saveInTurn(deps, actor, save));
}

async function saveInTurn<Result>(
  deps: SaveDeps,
  actor: Actor,
  save: UnitSave<Result>,
): Promise<UnitSaved<Result>> {
  const { db, unitCache } = deps;
  const cached = unitCache.get(save.ref, save.bibs);
  if (cached) {
    const outcome = await retried(() => saveFrom(db, deps, actor, save, { found: cached })).catch(
      unlessRefused,
    );
    // That nothing changes may rest on what is no longer so: it is judged by what is stored.
    if (outcome.kind === 'saved') return done(deps, save, outcome);
  }
  for (let tries = 0; tries < TRIES_WITHOUT_LOCK; tries += 1) {
    const outcome = await retried(async () => {
      const found = await find(db, save);
      if (found) unitCache.compare(save.ref, found);
      return (await isOfCombined(db, found)) ? COMBINED : saveFrom(db, deps, actor, save, { found });
    });
    if (outcome.kind === 'combined') break;
    if (outcome.kind !== 'outdated') return done(deps, save, outcome);
  }
  return inTransaction(db, (tx) => saveHeldUnit(tx, deps, actor, save));
}

/** The same under locks, as part of a transaction. */
export async function saveHeldUnit<Result>(
  tx: Tx,
  deps: SaveDeps,
  actor: Actor,
  save: UnitSave<Result>,
): Promise<UnitSaved<Result>> {
  deps.unitCache.delete(save.ref);
  await holdUnit(tx, save.ref);
  const outcome = await saveFrom(tx, deps, actor, save, await findWithParts(tx, save));
  if (outcome.kind === 'outdated') throw new Error('A unit changed under its lock');
  if (outcome.kind === 'saved') await saveStandingsAbove(tx, deps, outcome.left);
  return { unit: savedUnit(outcome.unit, outcome.competition), result: outcome.result };
}

/** The unit for one who may save it. @throws NotFound, Forbidden */
export async function readUnitToSave(
  db: Executor,
  actor: Actor,
  ref: UnitRef,
): Promise<{ unit: SavedUnit; held: HeldUnit }> {
  const { competition, held } = authorized(actor, ref, await findUnit(db, ref, []));
  return { unit: savedUnit(held.row, competition), held };
}

const find = (db: Executor, { ref, bibs }: { ref: UnitRef; bibs: string[] }) => findUnit(db, ref, bibs);

// A refusal may rest on what is no longer so, too: it is judged by what is stored.
function unlessRefused(error: unknown): { kind: 'outdated' } {
  if (error instanceof AppError) return { kind: 'outdated' };
  throw error;
}

type Done<Result> = { unit: UnitRow; competition: FoundCompetition; result: Result };
type Outcome<Result> =
  | (Done<Result> & { kind: 'saved'; left: CachedUnit })
  | (Done<Result> & { kind: 'unchanged' })
  /** Somebody was faster: what the save was made from is so no longer. */
  | { kind: 'outdated' };

function done<Result>(
  { unitCache }: SaveDeps,
  { ref }: UnitSave<Result>,
  outcome: Exclude<Outcome<Result>, { kind: 'outdated' }>,
): UnitSaved<Result> {
  if (outcome.kind === 'saved') unitCache.set(ref, outcome.left);
  return { unit: savedUnit(outcome.unit, outcome.competition), result: outcome.result };
}

async function saveFrom<Result>(
  db: Executor,
  deps: SaveDeps,
  actor: Actor,
  { ref, live, change }: UnitSave<Result>,
  { found, parts }: FoundWithParts,
): Promise<Outcome<Result>> {
  const basis = authorized(actor, ref, found);
  const { competition } = basis;
  const { row } = basis.held;
  const { record, result } = change(basis.held);
  const unchanged = { kind: 'unchanged', unit: row, competition, result } as const;
  if (isDeepStrictEqual(record, row.record)) return unchanged;
  const { eventId, round, heat } = ref;
  const scope = scopeOf(basis, parts ?? [], deps.now());
  const plan = planUnit(scope, { eventId, round, heat, record, sentHash: null, before: row, live });
  if (plan.change === 'none') return unchanged;
  const written = await writeUnit(db, plan, basis, scope.now);
  if (!written) return { kind: 'outdated' };
  return { kind: 'saved', unit: written.held.row, competition, result, left: written };
}

function authorized(actor: Actor, { competitionId }: UnitRef, found: Found | null): CachedUnit {
  if (!found) throw new NotFound(`No competition ${competitionId}`);
  const { competition, held } = found;
  if (!mayEdit(actor, competition)) {
    throw new Forbidden(`Saving needs ADMIN_${competition.countryId} or being a director of the competition`);
  }
  if (!held) throw new NotFound('No such unit: an upload creates units, a save does not');
  return { ...found, held };
}
