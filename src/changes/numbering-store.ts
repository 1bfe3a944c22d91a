// SQL of giving numbers: comparison of what is stored with what the feed knows. All of it in one transaction at a time, which
// holds the one row of change_feed: numbers are committed in their order, whichever process gives them.
import { Client, type ClientBase } from 'pg';
import { connectionSettings, type DatabaseUrl, WRITES } from '../db/client.ts';

/** The Postgres channel on which every process hears of new numbers. */
export const CHANGES_NOTIFICATION = 'changes';

const KEY = 'competition_id, type, event_id, object_id, round, heat';

/** A connection of its own, which listens, and holds the lock of the one that numbers. */
export const createFeedClient = (url: DatabaseUrl): Client =>
  new Client(connectionSettings(url, 'athletics-data-service changes', WRITES));

/** A process that hangs, with its connection still there, gives way after so long. */
export const SILENCE_MS = 8000;

export async function listenTo(client: ClientBase, channel: string): Promise<void> {
  await client.query(`listen ${channel}`);
}

/** Begins the transaction, and waits for whoever gives numbers at this moment. */
export async function beginNumbering(client: ClientBase): Promise<void> {
  await client.query('begin; select from change_feed for update');
}

/** Where to look, and whether nothing but contents of units can be new there. */
export type Hinted = { id: string; unitsOnly: boolean };

// The snapshot of this statement is younger than the lock: whose hint it takes has committed, and its changes are seen by every
// statement from here on. Those who hint meanwhile are for the next time.
const TAKE_HINTS = `
  with taken as (
    delete from change_hints
    returning competition_id
  ), named as (select distinct competition_id as id from taken)
  select named.id, coalesce(not known.deleted and known.revision = stored.revision
    and (known.year, known.country_id, known.slug) = (stored.year, stored.country_id, stored.slug), false) as "unitsOnly"
  from named left join competitions stored on stored.id = named.id
    left join changed_competitions known on known.competition_id = named.id`;

export async function takeHints(client: ClientBase): Promise<Hinted[]> {
  return (await client.query<Hinted>(TAKE_HINTS)).rows;
}

export async function hasHints(client: ClientBase): Promise<boolean> {
  return (await client.query('select from change_hints limit 1')).rows.length > 0;
}

// What was there before there was a feed, what an older version of the program saves beside this one, what was restored.
const DIFFERING = `
  select id from competitions stored left join changed_competitions known on known.competition_id = stored.id
  where (not known.deleted and known.revision = stored.revision
      and (known.year, known.country_id, known.slug) = (stored.year, stored.country_id, stored.slug)) is not true
    or exists (select from units where units.competition_id = stored.id and units.revision > known.units_seen)
  union all
  select competition_id from changed_competitions known
  where not deleted and not exists (select from competitions where id = known.competition_id)`;

/** Competitions in which something has no number yet, without any hint. */
export async function differingCompetitions(client: ClientBase): Promise<string[]> {
  return (await client.query<{ id: string }>(DIFFERING)).rows.map(({ id }) => id);
}

/** From rows `numbered` to the feed. The last number is raised, and everybody told, by the statement that this ends. */
const WRITE = `written as (
    insert into changes (${KEY}, number, version, revision, deleted, updated_at)
    select ${KEY}, number, version, revision, deleted, updated_at from numbered
    on conflict (${KEY}) do update set number = excluded.number, version = excluded.version,
      revision = excluded.revision, deleted = excluded.deleted, updated_at = excluded.updated_at
  )`;
const TELL = `
  update change_feed set last = last + (select count(*) from numbered)
  where exists (select from numbered)
  returning pg_notify('${CHANGES_NOTIFICATION}', '')`;

// Whoever takes a revision in a competition holds its push lock until the commit: below one that is seen no other appears later.
const NUMBER_UNITS = `
  with numbered as materialized (
    select competition_id, 'unit' as type, event_id, '' as object_id, round, heat, false as deleted,
      (select last from change_feed) + row_number() over (order by units.revision) as number,
      units.revision as version, units.revision, updated_at
    from changed_competitions known join units using (competition_id)
    where competition_id = any($1::uuid[]) and units.revision > known.units_seen
  ), ${WRITE}, seen as (
    update changed_competitions known set units_seen = newest
    from (select competition_id, max(revision) as newest from numbered group by competition_id) one
    where known.competition_id = one.competition_id
  )${TELL}`;

/** Gives numbers to units of these competitions that have a new revision. */
export async function numberUnits(client: ClientBase, ids: string[]): Promise<void> {
  if (ids.length > 0) await client.query(NUMBER_UNITS, [ids]);
}

const OBJECTS = `
    select id as competition_id, 'competition' as type, '' as event_id, '' as object_id, 0 as round, 0 as heat,
      revision as version, updated_at from competitions where id = any($1::uuid[])
    union all
    select competition_id, 'team', '', team_id, 0, 0, xmin::text::bigint, null
      from teams where competition_id = any($1::uuid[])
    union all
    select competition_id, 'competitor', '', competitor_id, 0, 0, xmin::text::bigint, null
      from competitors where competition_id = any($1::uuid[])
    union all
    select competition_id, 'event', event_id, '', 0, 0, xmin::text::bigint, null
      from events where competition_id = any($1::uuid[])
    union all
    select competition_id, 'relay_team', event_id, relay_team_id, 0, 0, xmin::text::bigint, null
      from relay_teams where competition_id = any($1::uuid[])
    union all
    select competition_id, 'unit', event_id, '', round, heat, revision, updated_at
      from units where competition_id = any($1::uuid[])`;

// Parts go before the whole is gone, and come after it is there: so does the order of the types.
const ORDER = `array_position(array['competition', 'team', 'competitor', 'event', 'relay_team', 'unit'], type)`;

// When something of a competition was saved is not known, but for its units and, of one that is new here, for its entry.
const NUMBER_ALL = `
  with present as materialized (${OBJECTS}
  ), renamed as (
    select id from competitions stored join changed_competitions known on known.competition_id = stored.id
    where id = any($1::uuid[]) and (known.year, known.country_id, known.slug) <> (stored.year, stored.country_id, stored.slug)
  ), differing as (
    select ${KEY}, present.version is null as deleted, coalesce(present.version, known.version) as version,
      known.revision as known_revision, present.updated_at as saved_at, known.version is null as is_new
    from present full join (select * from changes where competition_id = any($1::uuid[])) known using (${KEY})
    where case when present.version is null then not known.deleted
      else known.deleted or known.version is distinct from present.version or competition_id in (select id from renamed) end
  ), numbered as materialized (
    select ${KEY}, differing.deleted, version,
      (select last from change_feed) + row_number() over (
        order by competition_id, differing.deleted desc, case when differing.deleted then -1 else 1 end * ${ORDER},
          event_id, round, heat, object_id) as number,
      case when type = 'unit' and not differing.deleted then version
        else coalesce(stored.revision, gone.revision, known_revision) end as revision,
      case when saved_at is not null and (type = 'unit' or is_new) then saved_at else now() end as updated_at
    from differing left join competitions stored on stored.id = competition_id
      left join deleted_competitions gone on gone.id = competition_id
  ), ${WRITE}, known as (
    insert into changed_competitions (competition_id, year, country_id, slug, countries, revision, units_seen)
    select id, year, country_id, slug, array[country_id], revision, coalesce(newest, 0)
    from competitions left join (
      select competition_id as id, max(version) as newest from present where type = 'unit' group by competition_id
    ) one using (id)
    where id = any($1::uuid[])
    on conflict (competition_id) do update set year = excluded.year, country_id = excluded.country_id, slug = excluded.slug,
      countries = case when excluded.country_id = any(changed_competitions.countries) then changed_competitions.countries
        else changed_competitions.countries || excluded.country_id end,
      revision = excluded.revision, units_seen = greatest(changed_competitions.units_seen, excluded.units_seen), deleted = false
  ), gone as (
    update changed_competitions set deleted = true
    where competition_id = any($1::uuid[]) and not exists (select from competitions where id = competition_id)
  )${TELL}`;

/** Gives numbers to whatever differs in these competitions, or is gone from them or with them. */
export async function numberAll(client: ClientBase, ids: string[]): Promise<void> {
  if (ids.length > 0) await client.query(NUMBER_ALL, [ids]);
}

// Competitions of which nothing is told any more go with their last deletion.
const PURGE = `
  with forgotten as (
    delete from changes
    where deleted and updated_at < $1::timestamptz
    returning number
  ), raised as (
    update change_feed set purged = greatest(purged, (select max(number) from forgotten))
    where exists (select from forgotten)
  )
  select count(*)::int as count from forgotten`;
const PURGE_COMPETITIONS = `
  delete from changed_competitions
  where deleted and not exists (select from changes where changes.competition_id = changed_competitions.competition_id)`;

/** Forgets deletions that are older than that. @returns how many */
export async function purgeDeletions(client: ClientBase, before: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(PURGE, [before.toISOString()]);
  await client.query(PURGE_COMPETITIONS);
  return rows[0]!.count;
}

const MAY_ASK = `select has_function_privilege('pg_control_system()', 'execute') as may`;
// The timeline is another one after a standby took over or the database was set back in time: numbers may be lost with that.
const IDENTITY = `(select oid from pg_database where datname = current_database())::text
  || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;
const SYSTEM = `(select system_identifier from pg_control_system())::text || '/' || `;

/** Which database this is: other than its dump in another database, or itself when it was set back. */
export async function databaseIdentity(client: ClientBase): Promise<string> {
  const { rows: rights } = await client.query<{ may: boolean }>(MAY_ASK);
  // Some hosts of databases do not let everybody ask for that.
  const system = rights[0]?.may ? SYSTEM : '';
  const { rows } = await client.query<{ identity: string }>(`select ${system}${IDENTITY} as identity`);
  return rows[0]!.identity;
}

/** Makes another epoch where this is not the database whose epoch is stored. @returns whether it did */
export async function settleEpoch(client: ClientBase, identity: string, epoch: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'update change_feed set epoch = $1, identity = $2 where identity <> $2',
    [epoch, identity],
  );
  return (rowCount ?? 0) > 0;
}

export async function endNumbering(client: ClientBase, how: 'commit' | 'rollback'): Promise<void> {
  await client.query(how);
}
