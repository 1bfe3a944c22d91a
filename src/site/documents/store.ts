// Reads of the data site: versions, addresses, and what its documents are made of.
import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Address, UnitRef } from '../../addresses.ts';
import { among } from '../../db/among.ts';
import type { Executor } from '../../db/client.ts';
import { anyArray, prepared } from '../../db/prepared.ts';
import { competitions, competitors, formerAddresses, relayTeams, teams, units } from '../../db/schema.ts';
import { isUnit } from '../../units/saving/unit-store.ts';

/** A competition at an address, and the revision of everything in it: it grows with every change. */
export type Version = { id: string; revision: string };

export const competitionKey = ({ countryId, year, slug }: Address) => `${countryId}/${year}/${slug}`;

/** The newest of the record, its sections (whose saves count as the record's) and its units. */
export const NEWEST = `greatest(competitions.revision,
  (select max(units.revision) from units where units.competition_id = competitions.id))::text`;
/** Of the competition that a statement selects from. Raw: a function of a subquery has no builder. */
export const REVISION = sql<string>`${sql.raw(NEWEST)}`;

type Parts = (string | undefined)[];

// Every public read asks for this: to plan it takes twice as long as to run it.
const versionsAt = prepared<[countries: Parts, years: Parts, slugs: Parts], Version & { key: string }>(
  'versions_at',
  `select country_id || '/' || year || '/' || slug as key, id, ${NEWEST} as revision
    from unnest(${anyArray(1, 'text')}, ${anyArray(2, 'int')}, ${anyArray(3, 'text')}) wanted (country_id, year, slug)
    join competitions using (country_id, year, slug)`,
);

/** The versions of the competitions at these addresses, by competition key. */
export async function competitionVersions(db: Executor, keys: string[]): Promise<Map<string, Version>> {
  const parts = keys.map((key) => key.split('/'));
  const column = (index: number) => parts.map((part) => part[index]);
  const rows = await versionsAt(db, column(0), column(1), column(2));
  return new Map(rows.map(({ key, id, revision }) => [key, { id, revision }]));
}

/** The revision of a competition, that of everything in it but its units, its first day and its year; null when there is none. */
export async function readVersion(
  db: Executor,
  id: string,
): Promise<{ revision: string; recordRevision: string; firstDay: string; year: number } | null> {
  const [row] = await db
    .select({
      revision: REVISION,
      recordRevision: sql<string>`${competitions.revision}::text`,
      firstDay: competitions.date,
      year: competitions.year,
    })
    .from(competitions)
    .where(eq(competitions.id, id));
  return row ?? null;
}

/** The competitions of a year, of some countries or of all. */
export type CalendarKey = { year: number; countryIds: string[] | null };

export const calendarKey = ({ year, countryIds }: CalendarKey) => `${year}/${countryIds?.join('+') ?? ''}`;

// A deletion shows in the counts, and in the last revision of what calendars show as cancelled; everything else takes a new one.
const versionsOf = prepared<
  [keys: string[], years: string[], countries: (string | null)[]],
  { key: string; version: string }
>(
  'versions_of',
  `select key, count(revision) || '-' || coalesce(max(revision), 0) || '-' || sum(gone) || '-' || max(last_gone) as version
    from unnest($1::text[], $2::int[], $3::text[]) wanted (key, year, country_id)
    cross join lateral (
      select count(*) as gone, coalesce(max(deleted.revision), 0) as last_gone from deleted_competitions deleted
      where deleted.year = wanted.year and (wanted.country_id is null or deleted.country_id = wanted.country_id)
        and deleted.deleted_at > now() - interval '30 days') cancelled
    left join competitions on competitions.year = wanted.year
      and (wanted.country_id is null or competitions.country_id = wanted.country_id)
    group by key`,
);

/** The version of every calendar without competitions. */
export const EMPTY_CALENDAR = '0-0-0-0';

/** A version of each of these calendars: no two states of one have the same. */
export async function calendarVersions(db: Executor, keys: string[]): Promise<Map<string, string>> {
  const wanted = keys.flatMap((key) => {
    const [year = '', countries = ''] = key.split('/');
    return countries.split('+').map((countryId) => ({ key, year, countryId: countryId || null }));
  });
  const rows = await versionsOf(
    db,
    wanted.map(({ key }) => key),
    wanted.map(({ year }) => year),
    wanted.map(({ countryId }) => countryId),
  );
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/** The records of a calendar as JSON texts, by date then name. */
export async function calendarRecords(db: Executor, { year, countryIds }: CalendarKey): Promise<string[]> {
  const rows = await db
    .select({ text: competitions.recordText })
    .from(competitions)
    .where(
      and(
        eq(competitions.year, year),
        countryIds === null ? undefined : among(competitions.countryId, countryIds),
      ),
    )
    .orderBy(asc(competitions.date), asc(competitions.fullName), asc(competitions.id));
  return rows.map(({ text }) => text);
}

/** The present address of a competition that once lived at this one; null when none did. */
export async function movedTo(db: Executor, { countryId, year, slug }: Address): Promise<Address | null> {
  const [row] = await db
    .select({ countryId: competitions.countryId, year: competitions.year, slug: competitions.slug })
    .from(formerAddresses)
    .innerJoin(competitions, eq(competitions.id, formerAddresses.competitionId))
    .where(
      and(
        eq(formerAddresses.countryId, countryId),
        eq(formerAddresses.year, year),
        eq(formerAddresses.slug, slug),
      ),
    );
  return row ?? null;
}

/** A unit's JSON text with the revision of its competition; null when there is no such unit. */
export async function unitWithVersion(
  db: Executor,
  ref: UnitRef,
): Promise<{ text: string; revision: string } | null> {
  const [row] = await db
    .select({ text: units.text, revision: REVISION })
    .from(units)
    .innerJoin(competitions, eq(competitions.id, units.competitionId))
    .where(isUnit(ref));
  return row ?? null;
}

export async function readCompetitor(
  db: Executor,
  id: string,
  competitorId: string,
): Promise<Record<string, unknown> | null> {
  const [row] = await db
    .select({ record: competitors.record })
    .from(competitors)
    .where(and(eq(competitors.competitionId, id), eq(competitors.competitorId, competitorId)));
  return row?.record ?? null;
}

/** The name of a team; undefined when there is no such team, or it has none. */
export async function teamNameOf(db: Executor, id: string, teamId: unknown): Promise<string | undefined> {
  if (typeof teamId !== 'string') return undefined;
  const [row] = await db
    .select({ name: teams.teamName })
    .from(teams)
    .where(and(eq(teams.competitionId, id), eq(teams.teamId, teamId)));
  return row?.name || undefined;
}

/** The relay teams that a competitor runs in. */
export async function relayTeamsOf(db: Executor, id: string, competitorId: string) {
  return db
    .select({ eventId: relayTeams.eventId, relayTeamId: relayTeams.relayTeamId })
    .from(relayTeams)
    .where(
      and(
        eq(relayTeams.competitionId, id),
        // Raw: no builder for "holds this text".
        sql`(${relayTeams.record} -> 'runners')::jsonb ? ${competitorId}`,
      ),
    );
}

/** The texts of the units in whose results one of these bibs stands. */
export async function unitTextsWith(db: Executor, id: string, bibs: string[]): Promise<string[]> {
  const rows = await db
    .select({ text: units.text })
    .from(units)
    .where(and(eq(units.competitionId, id), or(...bibs.map(isInResults))))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat));
  return rows.map(({ text }) => text);
}

// Raw: results are not rows. The containment decides, in what is shown: standings of combined events list people whom nobody has
// sent. Parsing takes ten times as long as searching, so the search goes first: most units do not mention the bib at all.
const isInResults = (bib: string) => sql`(strpos(${units.text}, ${JSON.stringify(bib)}) > 0
  and (${units.text}::json -> 'results')::jsonb @> ${JSON.stringify([{ bib }])}::jsonb)`;
