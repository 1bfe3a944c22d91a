// Saves one unit: what a judge or a timing bridge changes, many times a minute. Many at once: save-units.ts.
import { isDeepStrictEqual } from 'node:util';
import { type Actor, mayEdit } from '../../accounts/permissions.ts';
import type { UnitRef } from '../../addresses.ts';
import type { Executor, Tx } from '../../db/client.ts';
import { inTransaction, retried } from '../../db/transaction.ts';
import { inTurn } from '../../db/turns.ts';
import type { Deps } from '../../deps.ts';
import { AppError, Forbidden, NotFound, Stale } from '../../errors.ts';
import type { UnitUpdate } from '../schemas.ts';
import { mergedUnit, storableUnit } from './merged-unit.ts';
import { type Plan, planUnit, type Scope } from './plan.ts';
import { unitText, unitTextAround } from './record.ts';
import type { CachedUnit, UnitCache } from './unit-cache.ts';
import {
  type Found,
  findUnit,
  type HeldUnit,
  holdUnit,
  type UnitRow,
  writeQuiet,
  writeShown,
} from './unit-store.ts';

/** What saves are handed besides what everything is. */
export type SaveDeps = Deps & { unitCache: UnitCache };

/** The unit JSON, with the revision that it has. */
export type SavedUnit = { text: string; revision: number };

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
 * @throws NotFound, Forbidden, Stale
 */
export async function updateUnit(
  deps: SaveDeps,
  actor: Actor,
  { ref, sent, expected }: { ref: UnitRef; sent: UnitUpdate; expected: number[] | null },
): Promise<SavedUnit> {
  const bibs = [...(sent.results ?? []), ...(sent.trials ?? [])].map(({ bib }) => bib);
  const { unit } = await saveUnit(deps, actor, {
    ref,
    bibs: [...new Set(bibs)],
    live: false,
    change({ row, context }) {
      if (expected && !expected.includes(row.revision)) {
        throw new Stale(`The unit has revision ${row.revision} by now`, row.revision);
      }
      const record = mergedUnit(row, storableUnit(sent), context.event);
      return { record, result: undefined };
    },
  });
  return unit;
}

const TRIES_WITHOUT_LOCK = 2;

/**
 * The one way a single unit is saved: authorise, change its record, write it if nobody else has changed what it was made
 * from. First from what the last save left; then from what is stored. Where many save the same unit, they wait for each
 * other instead.
 */
export async function saveUnit<Result>(
  deps: SaveDeps,
  actor: Actor,
  save: UnitSave<Result>,
): Promise<UnitSaved<Result>> {
  return inTurn(deps.db.$client, save.ref.competitionId, () => saveInTurn(deps, actor, save));
}

async function saveInTurn<Result>(
  deps: SaveDeps,
  actor: Actor,
  save: UnitSave<Result>,
): Promise<UnitSaved<Result>> {
  const { db, unitCache } = deps;
  const cached = unitCache.get(save.ref, save.bibs);
  if (cached) {
    const outcome = await retried(() => saveFrom(db, deps, actor, save, cached)).catch(unlessRefused);
    // That nothing changes may rest on what is no longer so: it is judged by what is stored.
    if (outcome.kind === 'saved') return done(deps, save, outcome);
  }
  for (let tries = 0; tries < TRIES_WITHOUT_LOCK; tries += 1) {
    const outcome = await retried(async () => saveFrom(db, deps, actor, save, await find(db, save)));
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
  const outcome = await saveFrom(tx, deps, actor, save, await find(tx, save));
  if (outcome.kind === 'outdated') throw new Error('A unit changed under its lock');
  return { unit: outcome.unit, result: outcome.result };
}

/** The unit for one who may save it. @throws NotFound, Forbidden */
export async function readUnitToSave(db: Executor, actor: Actor, ref: UnitRef): Promise<SavedUnit> {
  return authorized(actor, ref, await findUnit(db, ref, [])).held.row;
}

const find = (db: Executor, { ref, bibs }: { ref: UnitRef; bibs: string[] }) => findUnit(db, ref, bibs);

// A refusal may rest on what is no longer so, too: it is judged by what is stored.
function unlessRefused(error: unknown): { kind: 'outdated' } {
  if (error instanceof AppError) return { kind: 'outdated' };
  throw error;
}

type Outcome<Result> =
  | { kind: 'saved'; unit: UnitRow; result: Result; left: CachedUnit }
  | { kind: 'unchanged'; unit: UnitRow; result: Result }
  /** Somebody was faster: what the save was made from is so no longer. */
  | { kind: 'outdated' };

function done<Result>(
  { unitCache }: SaveDeps,
  { ref }: UnitSave<Result>,
  outcome: Exclude<Outcome<Result>, { kind: 'outdated' }>,
): UnitSaved<Result> {
  if (outcome.kind === 'saved') unitCache.set(ref, outcome.left);
  return { unit: outcome.unit, result: outcome.result };
}

async function saveFrom<Result>(
  db: Executor,
  deps: SaveDeps,
  actor: Actor,
  { ref, live, change }: UnitSave<Result>,
  found: Found | null,
): Promise<Outcome<Result>> {
  const basis = authorized(actor, ref, found);
  const { row } = basis.held;
  const { record, result } = change(basis.held);
  if (isDeepStrictEqual(record, row.record)) return { kind: 'unchanged', unit: row, result };
  const { eventId, round, heat } = ref;
  const scope = scopeOf(basis, ref, deps.now());
  const plan = planUnit(scope, { eventId, round, heat, record, sentHash: null, before: row, live });
  if (plan.change === 'none') return { kind: 'unchanged', unit: row, result };
  const written = await write(db, plan, basis, scope.now);
  if (!written) return { kind: 'outdated' };
  return { kind: 'saved', unit: written.held.row, result, left: written };
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

const scopeOf = ({ competition, held: { context } }: CachedUnit, { eventId }: UnitRef, now: Date): Scope => ({
  competition,
  events: new Map([[eventId, context.event]]),
  unitsOf: () => context.units,
  names: context.names,
  now,
});

/** What the save leaves, for the next one to be made from; null when somebody was faster. */
async function write(
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
