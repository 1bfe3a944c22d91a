// The write of a single unit: one statement, which is a transaction by itself when there is none around it.
import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { statement } from '../../db/statement.ts';
import { addedEvents, eventColumns, nextRevisions, WAKE_RELAY } from '../../push/enqueue.ts';
import { unitText, unitTextAround } from './record.ts';
import { columns, eventsOf, type Rendered, type Scope, textChanges } from './save-units.ts';
import type { UnitRow } from './store.ts';
import type { UnitRef } from '../../addresses.ts';
import { type RowVersions, unitIs } from './unit-store.ts';

/**
 * Saves a unit if the rows that it was made from still have these versions. Locks in the order of all writers: competition,
 * unit, and last, with the revision, the push lock.
 * @returns the row with its new version; null when somebody was faster, and nothing is saved
 */
export async function saveIfUnchanged(
  db: Executor,
  scope: Scope,
  unit: Rendered,
  versions: RowVersions,
): Promise<{ row: UnitRow; version: string } | null> {
  const shows = textChanges(unit);
  const before = unit.before!;
  const made = columns(scope, unit);
  const record = JSON.stringify(made.record);
  // As it will be read: without what JSON leaves out.
  const stored = { ...made, record: JSON.parse(record) as UnitRow['record'] };
  const values = { ...stored, record, competition: versions.competition, unit: versions.unit };
  if (!shows) {
    const [saved] = await saveQuietly(db, values);
    return saved ? { row: { ...before, ...stored }, version: saved.version } : null;
  }
  const updatedAt = scope.now;
  const [head, tail] = unitTextAround(unit.body, updatedAt);
  const shown = { ...values, head, tail, updatedAt: updatedAt.toISOString() };
  const [saved] = scope.competition.pushNotifications
    ? await saveAndAnnounce(db, { ...shown, ...eventColumns(eventsOf(scope, unit, null)) })
    : await saveOnly(db, shown);
  if (!saved) return null;
  const { revision, version } = saved;
  const text = unitText(unit.body, revision, updatedAt);
  return { row: { ...stored, text, revision, updatedAt }, version };
}

type Value<Name extends string> = (name: Name) => SQL;
type Stored = 'status' | 'resultsStatus' | 'record' | 'sentHash' | 'contentHash' | 'renderVersion';
type Values = Record<keyof UnitRef | Stored | 'competition' | 'unit', unknown>;
type Shown = Values & Record<'head' | 'tail' | 'updatedAt', unknown>;
type Announced = Shown & ReturnType<typeof eventColumns>;
type Saved = { revision: number; version: string };

// Raw: the builder has no statement with several writes, nor hidden columns.
const held = (value: Value<keyof UnitRef | 'competition' | 'unit'>) => sql`
  competition as materialized (
    select from competitions where id = ${value('competitionId')}::uuid and xmin = ${value('competition')}::xid for share
  ), held as materialized (
    select from competition, units where ${unitIs(value)} and units.xmin = ${value('unit')}::xid for update of units
  )`;

const assignments = (value: Value<Stored>) => sql`
  status = ${value('status')}, results_status = ${value('resultsStatus')}, record = ${value('record')}::json,
  sent_hash = ${value('sentHash')}, content_hash = ${value('contentHash')}, render_version = ${value('renderVersion')}::int`;

const saving = (value: Value<keyof Shown>) => sql`
  with ${held(value)}, ${nextRevisions(value('competitionId'), sql`held`)}, saved as (
    update units set ${assignments(value)}, text = ${value('head')}::text || next.revision || ${value('tail')}::text,
      revision = next.revision, updated_at = ${value('updatedAt')}::timestamptz
    from next where ${unitIs(value)}
    returning units.text, units.revision, units.xmin::text as version
  )`;

const saveQuietly = statement<Values, Saved>(
  (value) => sql`
    with ${held(value)} update units set ${assignments(value)} from held where ${unitIs(value)}
    returning revision, units.xmin::text as version`,
);
const saveOnly = statement<Shown, Saved>(
  (value) => sql`${saving(value)} select revision, version from saved`,
);
const saveAndAnnounce = statement<Announced, Saved>(
  (value) => sql`${saving(value)}, ${addedEvents(value)} select revision, version, ${WAKE_RELAY} from saved`,
);
