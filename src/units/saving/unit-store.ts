// SQL of a single unit: reading it, and everything that its save is made from.
import type { UnitRef } from '../../addresses.ts';
import { eq, type SQL, sql } from 'drizzle-orm';
import { directorIds } from '../../accounts/directors-store.ts';
import type { Executor, Tx } from '../../db/client.ts';
import { competitions, units } from '../../db/schema.ts';
import { statement } from '../../db/statement.ts';
import { type EventOfUnit, type Names, resultsOf, trialsOf } from './record.ts';
import type { UnitRow } from './store.ts';

/** The row versions that a save was made from. They change with every change of the row, also by an upload. */
export type RowVersions = { competition: string; unit: string };

/** What the save of a unit is made from, as it stood at one moment. */
export type Found = {
  competition: {
    id: string;
    countryId: string;
    year: number;
    slug: string;
    pushNotifications: boolean;
    directorIds: string[];
  };
  /** Null when the competition has no such unit; then there is no context either. */
  held: HeldUnit | null;
  versions: RowVersions;
};

/** A unit's row, its event, and the names of those in it (and of those asked for besides). */
export type HeldUnit = { row: UnitRow; context: UnitContext };
export type UnitContext = ReturnType<typeof unitContext>;

/** The unit JSON with its revision; null when there is no such unit. */
export async function findUnitText(db: Executor, ref: UnitRef) {
  const [row] = await db
    .select({ text: units.text, revision: units.revision })
    .from(units)
    .where(isUnit(ref));
  return row ?? null;
}

/**
 * Everything that a save needs to know, in one query: round trips are most of what a save costs. Nothing is locked.
 * @param bibs whose names are needed besides those of the bibs in the unit
 */
export async function findUnit(db: Executor, ref: UnitRef, bibs: string[]): Promise<Found | null> {
  const [found] = await findOne(db, { ...ref, bibs });
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

/** Locks a unit in the order that all writers keep, so that nobody else changes it or what it shows. */
export async function holdUnit(tx: Tx, ref: UnitRef): Promise<void> {
  await tx
    .select({ id: competitions.id })
    .from(competitions)
    .where(eq(competitions.id, ref.competitionId))
    .for('share');
  await tx.select({ revision: units.revision }).from(units).where(isUnit(ref)).for('update');
}

/** The condition that a row of units is the one of these values. */
export const unitIs = (value: (name: keyof UnitRef) => SQL): SQL => sql`
  units.competition_id = ${value('competitionId')}::uuid and units.event_id = ${value('eventId')}
  and units.round = ${value('round')}::int and units.heat = ${value('heat')}::int`;

export const isUnit = (ref: UnitRef): SQL => unitIs((name) => sql`${ref[name]}`);

type FoundRow = Found['competition'] &
  Omit<UnitRow, keyof UnitRef | 'revision' | 'updatedAt'> & {
    competitionVersion: string;
    unitVersion: string;
    revision: number | null;
    updatedAt: string;
    context: UnitContextRow;
  };

// Raw: hidden columns, and small reads as one JSON value.
const findOne = statement<UnitRef & { bibs: string[] }, FoundRow>((value) => {
  const ofCompetition = sql`competition_id = ${value('competitionId')}::uuid`;
  const ofEvent = sql`${ofCompetition} and event_id = ${value('eventId')}`;
  const isWanted = sql.raw('= any((select bibs from wanted)::text[])');
  return sql`
    with unit as materialized (
      select *, xmin::text as version from units where ${unitIs(value)}
    ), wanted as materialized (
      select array(
        select unnest(${value('bibs')}::text[])
        union
        select one ->> 'bib'
        from unit, unnest(array[record -> 'results', record -> 'trials']) list,
          json_array_elements(case json_typeof(list) when 'array' then list end) one
      ) as bibs
    ), people as materialized (
      select competitor_id, first_name, last_name, team_id from competitors
      where ${ofCompetition} and competitor_id ${isWanted}
    ), relays as materialized (
      select relay_team_id, name, team_id from relay_teams where ${ofEvent} and relay_team_id ${isWanted}
    )
    select id, country_id as "countryId", year, slug, push_notifications as "pushNotifications",
      ${directorIds} as "directorIds", competitions.xmin::text as "competitionVersion", unit.version as "unitVersion",
      unit.status, results_status as "resultsStatus", record, sent_hash as "sentHash", text,
      content_hash as "contentHash", unit.revision, render_version as "renderVersion", unit.updated_at as "updatedAt",
      json_build_object(
        'event', (select json_build_object('eventId', event_id, 'eventCode', event_code, 'name', name, 'rounds', rounds,
            'attempts', record -> 'max_field_attempts') from events where ${ofEvent}),
        'units', (select json_agg(json_build_object('round', round, 'heat', heat)) from units where ${ofEvent}),
        'people', (select json_agg(json_build_array(competitor_id, first_name, last_name, team_id)) from people),
        'relays', (select json_agg(json_build_array(relay_team_id, name, team_id)) from relays),
        'teams', (select json_agg(json_build_array(team_id, team_name)) from teams
          where ${ofCompetition} and team_id = any((select bibs from wanted)
            || array(select team_id from people) || array(select team_id from relays))),
        'entered', (select json_agg(competitor_id) from entries where ${ofEvent} and competitor_id ${isWanted})
      ) as context
    from competitions left join unit on true
    where id = ${value('competitionId')}::uuid`;
});

type UnitContextRow = {
  event: EventOfUnit & { attempts: unknown };
  units: { round: number; heat: number }[] | null;
  people: [string, string, string, string | null][] | null;
  relays: [string, string, string | null][] | null;
  teams: [string, string][] | null;
  entered: string[] | null;
};

/** The names behind `bibs` and the unit's own; `entered` tells which of them are entered for the event. */
function unitContext(read: UnitContextRow, { eventId, record }: UnitRow, asked: string[]) {
  const { event, units, people, relays, teams, entered } = read;
  const shown = [...resultsOf(record), ...trialsOf(record)].map(({ bib }) => bib);
  const named = new Map(
    (people ?? []).map(([id, firstName, lastName, teamId]) => [id, { firstName, lastName, teamId }]),
  );
  const teamNames = new Map(teams ?? []);
  const relayTeams = new Map((relays ?? []).map(([id, name, teamId]) => [id, { name, teamId }]));
  const names: Names = {
    competitor: (id) => named.get(id),
    team: (id) => teamNames.get(id),
    relayTeam: (event, id) => (event === eventId ? relayTeams.get(id) : undefined),
  };
  return { event, units: units ?? [], bibs: new Set([...shown, ...asked]), names, entered: new Set(entered) };
}
