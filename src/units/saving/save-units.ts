// Saves many units of one competition, in the caller's transaction: plan, revisions, one statement, events.
import type { Tx } from '../../db/client.ts';
import { inSlices } from '../../in-slices.ts';
import { enqueue, type OutboxEvent, takeRevisions, tellFeed } from '../../push/enqueue.ts';
import { type Candidate, eventText, type Plan, type PlannedEvent, planUnit, type Scope } from './plan.ts';
import { unitText } from './record.ts';
import type { UnitRow } from './unit-store.ts';
import { packUnits, writeUnits } from './units-store.ts';

/** Units that may change, locked, and what they are rendered from; `scope` is null when there are none. */
export type Candidates = { scope: Scope; candidates: Candidate[] } | { scope: null; candidates: [] };

const SLICE = 50;

export type UnitsSaved = {
  /** How many units were saved: their text has changed. */
  saved: number;
  /** The new revision of the competition; null unless it was asked for. */
  revision: number | null;
};

/**
 * The one place where an upload takes its revisions: after all row locks, under the push lock, which is the last of all. In the
 * order of the locks: the competition's own, then one for each unit that may need it. Numbers may be left out.
 * @param alsoCompetition whether the competition itself changes: then it gets a revision too
 * @param meanwhile writes that nothing here depends on: Postgres works on them while the units are planned
 */
export async function saveUnits(
  tx: Tx,
  competitionId: string,
  { scope, candidates }: Candidates,
  { alsoCompetition, meanwhile }: { alsoCompetition: boolean; meanwhile?: () => Promise<void> },
): Promise<UnitsSaved> {
  const own = alsoCompetition ? 1 : 0;
  const revisions = await takeRevisions(tx, competitionId, own + candidates.length);
  const [planned] = await Promise.all([
    scope === null ? NOTHING : planUnits(scope, candidates, revisions.slice(own)),
    meanwhile?.(),
  ]);
  await writeUnits(tx, planned.packed);
  await enqueue(tx, planned.events);
  // What is there already is no change: its numbers were left out.
  if (alsoCompetition || planned.saved > 0) await tellFeed(tx, competitionId);
  return { saved: planned.saved, revision: alsoCompetition ? revisions[0]! : null };
}

const NOTHING = { saved: 0, packed: null, events: [] };

/** What the database has no part in: rows, made ready to be written, and events. */
async function planUnits(scope: Scope, candidates: Candidate[], revisions: number[]) {
  const plans = await inSlices(candidates, SLICE, (candidate) => planUnit(scope, candidate));
  const shown = plans.filter((plan) => plan.change === 'shown');
  const rows = shown.map((plan, index) => shownRow(plan, revisions[index]!, scope.now));
  const quiet = plans.flatMap((plan) => (plan.change === 'quiet' ? [plan.row] : []));
  const events = shown.flatMap((plan, index) =>
    plan.events.map((event): OutboxEvent => ({ ...event, data: dataOf(event, rows[index]!) })),
  );
  return { saved: rows.length, packed: await packUnits([...rows, ...quiet]), events };
}

const dataOf = ({ data }: PlannedEvent, { text, revision }: UnitRow) =>
  data === null ? text : eventText(data, revision);

const shownRow = (
  { columns, body }: Extract<Plan, { change: 'shown' }>,
  revision: number,
  updatedAt: Date,
): UnitRow => ({ ...columns, text: unitText(body, revision, updatedAt), revision, updatedAt });
