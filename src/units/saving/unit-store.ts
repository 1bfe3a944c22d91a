// SQL of a single unit: reading it, everything that its save is made from, and the save itself.
import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm';
import { directorIds } from '../../accounts/directors-store.ts';
import type { Address, UnitRef } from '../../addresses.ts';
import type { Executor, Tx } from '../../db/client.ts';
import { LOCKS } from '../../db/locks.ts';
import { prepared } from '../../db/prepared.ts';
import { afterCommit } from '../../db/transaction.ts';
import { competitions, events, units } from '../../db/schema.ts';
import { STANDINGS } from '../rules/combined-standings.ts';
import { eventColumns } from '../../push/enqueue.ts';
import { ringOutbox } from '../../push/outbox-bell.ts';
import type { PlannedColumns, PlannedEvent } from './plan.ts';
import { type ContextRow, unitContext, type UnitContext } from './unit-context.ts';

export type UnitRow = typeof units.$inferSelect;

/** The row versions that a save was made from. They change with every change of the row, also by an upload. */
export type RowVersions = { competition: string; unit: string };

export type FoundCompetition = Address & { id: string; pushNotifications: boolean; directorIds: string[] };

/** What the save of a unit is made from, as it stood at one moment. */
export type Found = {
  competition: FoundCompetition;
  /** Null when the competition has no such unit; then there is no context either. */
  held: HeldUnit | null;
  versions: RowVersions;
};

/** A unit's row, its event, and the names of those in it (and of those asked for besides). */
export type HeldUnit = { row: UnitRow; context: UnitContext };

/** The condition that a row of units is this one. */
export const isUnit = ({ competitionId, eventId, round, heat }: UnitRef): SQL =>
  and(
    eq(units.competitionId, competitionId),
    eq(units.eventId, eventId),
    eq(units.round, round),
    eq(units.heat, heat),
  )!;

/** A unit as it is read: its JSON, what that was made from, and who may edit it. */
export type ReadableUnit = Pick<UnitRow, 'text' | 'revision' | 'record'> & {
  countryId: string;
  year: number;
  directorIds: string[];
};

export async function findReadableUnit(db: Executor, ref: UnitRef): Promise<ReadableUnit | null> {
  const { text, revision, record } = units;
  const { countryId, year } = competitions;
  const [row] = await db
    .select({ text, revision, record, countryId, year, directorIds })
    .from(units)
    .innerJoin(competitions, eq(competitions.id, units.competitionId))
    .where(isUnit(ref));
  return row ?? null;
}

/** Locks a unit, and the standings that it counts for, in the order that all writers keep. */
export async function holdUnit(tx: Tx, ref: UnitRef): Promise<void> {
  await tx
    .select({ id: competitions.id })
    .from(competitions)
    .where(eq(competitions.id, ref.competitionId))
    .for('share');
  // The save of a part changes the standings of its combined event. Raw: its key is a value of another table.
  const parent = sql`(select ${events.parent} from ${events}
    where ${events.competitionId} = ${ref.competitionId} and ${events.eventId} = ${ref.eventId})`;
  const standings = and(
    eq(units.competitionId, ref.competitionId),
    eq(units.eventId, parent),
    eq(units.round, STANDINGS.round),
    eq(units.heat, STANDINGS.heat),
  );
  await tx
    .select({ revision: units.revision })
    .from(units)
    .where(or(isUnit(ref), standings))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat))
    .for('update');
}

type FoundRow = FoundCompetition &
  Omit<UnitRow, keyof UnitRef | 'revision' | 'updatedAt'> & {
    competitionVersion: string;
    unitVersion: string;
    revision: number | null;
    updatedAt: string;
    context: ContextRow;
  };

// Written out: hidden columns (xmin), and small reads as one JSON value.
const findOne = prepared<
  [competitionId: string, eventId: string, round: number, heat: number, bibs: string[]],
  FoundRow
>(
  'find_unit',
  `with unit as materialized (
    select *, xmin::text as version from units
    where competition_id = $1::uuid and event_id = $2 and round = $3::int and heat = $4::int
  ), wanted as materialized (
    select array(
      select unnest($5::text[])
      union
      select one ->> 'bib'
      from unit, unnest(array[record -> 'results', record -> 'trials']) list,
        json_array_elements(case json_typeof(list) when 'array' then list end) one
    ) as bibs
  ), relays as materialized (
    select relay_team_id, name, team_id, record -> 'runners' as runners from relay_teams
    where competition_id = $1::uuid and event_id = $2 and relay_team_id = any((select bibs from wanted)::text[])
  ), people as materialized (
    select competitor_id, first_name, last_name, team_id, gender from competitors
    where competition_id = $1::uuid and competitor_id = any((select bibs from wanted)::text[] || array(
      select json_array_elements_text(case json_typeof(runners) when 'array' then runners end) from relays
    ))
  )
  select id, country_id as "countryId", year, slug, push_notifications as "pushNotifications",
    array(select account_id::text from competition_directors where competition_id = competitions.id) as "directorIds",
    competitions.xmin::text as "competitionVersion", unit.version as "unitVersion",
    unit.status, results_status as "resultsStatus", record, sent_hash as "sentHash", text,
    content_hash as "contentHash", unit.revision, render_version as "renderVersion", unit.updated_at as "updatedAt",
    json_build_object(
      'event', (select json_build_object('eventId', event_id, 'eventCode', event_code, 'name', name, 'rounds', rounds,
          'attempts', record -> 'max_field_attempts', 'parent', parent, 'genders', record ->> 'genders')
        from events where competition_id = $1::uuid and event_id = $2),
      'units', (select json_agg(json_build_object('round', round, 'heat', heat))
        from units where competition_id = $1::uuid and event_id = $2),
      'people', (select json_agg(json_build_array(competitor_id, first_name, last_name, team_id, gender)) from people),
      'relays', (select json_agg(json_build_array(relay_team_id, name, team_id, runners)) from relays),
      'teams', (select json_agg(json_build_array(team_id, team_name)) from teams
        where competition_id = $1::uuid and team_id = any((select bibs from wanted)
          || array(select team_id from people) || array(select team_id from relays))),
      'entered', (select json_agg(competitor_id) from entries
        where competition_id = $1::uuid and event_id = $2 and competitor_id = any((select bibs from wanted)::text[]))
    ) as context
  from competitions left join unit on true
  where id = $1::uuid`,
);

/**
 * Everything that a save needs to know, in one query: round trips are most of what a save costs. Nothing is locked.
 * @param bibs whose names are needed besides those of the bibs in the unit
 */
export async function findUnit(db: Executor, ref: UnitRef, bibs: string[]): Promise<Found | null> {
  const [found] = await findOne(db, ref.competitionId, ref.eventId, ref.round, ref.heat, bibs);
  if (!found) return null;
  const { id, countryId, year, slug, pushNotifications, directorIds, ...rest } = found;
  const competition = { id, countryId, year, slug, pushNotifications, directorIds };
  const { competitionVersion, unitVersion, context, revision, updatedAt, ...stored } = rest;
  const versions = { competition: competitionVersion, unit: unitVersion };
  // Without the unit all of its columns are null.
  if (revision === null) return { competition, held: null, versions };
  const row: UnitRow = { ...ref, ...stored, revision, updatedAt: new Date(updatedAt) };
  return { competition, held: { row, context: unitContext(context, row, bibs) }, versions };
}

type UnitIs = [competitionId: string, eventId: string, round: number, heat: number];
type Versions = [competition: string, unit: string];
type Stored = [
  status: string,
  resultsStatus: string,
  record: string,
  sentHash: string | null,
  contentHash: string,
  renderVersion: number,
];

/** If nobody was faster; locks in the order of all writers: competition, then unit. */
const HELD = `competition as materialized (
    select from competitions where id = $1::uuid and xmin = $5::xid for share
  ), held as materialized (
    select from competition, units
    where competition_id = $1::uuid and event_id = $2 and round = $3::int and heat = $4::int
      and units.xmin = $6::xid
    for update of units
  )`;

const saveQuiet = prepared<[...UnitIs, ...Versions, ...Stored], { version: string }>(
  'save_unit_quietly',
  `with ${HELD}
  update units set status = $7, results_status = $8, record = $9::json, sent_hash = $10, content_hash = $11,
    render_version = $12::int
  from held
  where competition_id = $1::uuid and event_id = $2 and round = $3::int and heat = $4::int
  returning units.xmin::text as version`,
);

/** The parts of the text before and after the revision, which is known to the database alone. */
type Text = [head: string, tail: string, updatedAt: string];
type Events = [channels: Buffer, events: Buffer, data: Buffer, snapshots: Buffer];

// The revision is taken under the push lock, the last of all locks: see takeRevisions.
const saveShown = prepared<
  [...UnitIs, ...Versions, ...Stored, ...Text, ...Events],
  { version: string; revision: number }
>(
  'save_unit',
  `with ${HELD}, locked as materialized (
    select pg_advisory_xact_lock(${LOCKS.push}, hashtext($1::uuid::text)) from held
  ), next as materialized (
    select nextval('revisions') as revision from locked
  ), saved as (
    update units set status = $7, results_status = $8, record = $9::json, sent_hash = $10, content_hash = $11,
      render_version = $12::int, text = $13::text || next.revision || $14::text, revision = next.revision,
      updated_at = $15::timestamptz
    from next
    where competition_id = $1::uuid and event_id = $2 and round = $3::int and heat = $4::int
    returning units.text, units.revision, units.xmin::text as version
  ), hinted as (
    insert into change_hints (competition_id) select $1::uuid from saved
  ), added as (
    insert into outbox (competition_id, channel, event, data, "coalesce")
    select $1::uuid, channel, event, coalesce(data || saved.revision || '}', saved.text), snapshot::boolean
    from saved, unnest($16::text[], $17::text[], $18::text[], $19::text[]) with ordinality
      as row (channel, event, data, snapshot, position)
    order by position
  )
  select revision, version from saved`,
);

/** A row that was written: its version, and its record as it will be read, without what JSON leaves out. */
type Written = { version: string; record: UnitRow['record'] };

/** The values that both statements begin with. */
const valuesOf = (columns: PlannedColumns, versions: RowVersions, record: string) =>
  [
    columns.competitionId,
    columns.eventId,
    columns.round,
    columns.heat,
    versions.competition,
    versions.unit,
    columns.status,
    columns.resultsStatus,
    record,
    columns.sentHash,
    columns.contentHash,
    columns.renderVersion,
  ] as const satisfies [...UnitIs, ...Versions, ...Stored];

/** Stores a changed record that shows no change, if its rows still have these versions; null when somebody was faster. */
export async function writeQuiet(
  db: Executor,
  columns: PlannedColumns,
  versions: RowVersions,
): Promise<Written | null> {
  const record = JSON.stringify(columns.record);
  const [saved] = await saveQuiet(db, ...valuesOf(columns, versions, record));
  return saved ? { ...saved, record: JSON.parse(record) as UnitRow['record'] } : null;
}

/**
 * Saves a unit and its events if its rows still have these versions: one statement, a transaction by itself when there is none
 * around it.
 * @param text what stands before and after the revision
 * @returns null when somebody was faster, and nothing is saved
 */
export async function writeShown(
  db: Executor,
  columns: PlannedColumns,
  versions: RowVersions,
  {
    text: [head, tail],
    updatedAt,
    events,
  }: { text: [string, string]; updatedAt: Date; events: PlannedEvent[] },
): Promise<(Written & { revision: number }) | null> {
  const record = JSON.stringify(columns.record);
  const { channels, events: names, data, snapshots } = eventColumns(events);
  const [saved] = await saveShown(
    db,
    ...valuesOf(columns, versions, record),
    head,
    tail,
    updatedAt.toISOString(),
    channels,
    names,
    data,
    snapshots,
  );
  if (saved && events.length > 0) afterCommit(db, ringOutbox);
  return saved ? { ...saved, record: JSON.parse(record) as UnitRow['record'] } : null;
}
