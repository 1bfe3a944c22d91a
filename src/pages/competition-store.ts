// Reads of what the pages of a competition, an event and a round show: heads of units, texts only of those that are drawn whole.
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { competitions, events, units } from '../db/schema.ts';
import { textArray } from '../db/text-array.ts';
import { NEWEST, REVISION } from '../site/documents/store.ts';
import type { EventHead, UnitHead } from './unit/heads.ts';
import type { Unit } from './unit/unit.ts';

export type Competition = {
  revision: string;
  recordText: string;
  nameLocal: string;
  push: boolean;
  date: string;
  finishDate: string;
};

export async function readCompetition(db: Executor, id: string): Promise<Competition | null> {
  const [row] = await db
    .select({
      revision: REVISION,
      recordText: competitions.recordText,
      nameLocal: competitions.nameLocal,
      push: competitions.pushNotifications,
      date: competitions.date,
      finishDate: competitions.finishDate,
    })
    .from(competitions)
    .where(eq(competitions.id, id));
  return row ?? null;
}

/** The events of a competition in their order: all, one, or the parts of a combined one. */
export async function readEventHeads(
  db: Executor,
  id: string,
  { eventId, parent }: { eventId?: string; parent?: string } = {},
): Promise<EventHead[]> {
  return db
    .select({
      eventId: events.eventId,
      eventCode: events.eventCode,
      name: events.name,
      parent: events.parent,
      rounds: events.rounds,
      record: events.record,
    })
    .from(events)
    .where(
      and(
        eq(events.competitionId, id),
        eventId === undefined ? undefined : eq(events.eventId, eventId),
        parent === undefined ? undefined : eq(events.parent, parent),
      ),
    )
    .orderBy(asc(events.position));
}

// Of a record of any size only these fields are taken, all in one reading of it.
const UNIT_HEADS = `select event_id as "eventId", round, heat, status, results_status as "resultsStatus",
    head.heat_name as "heatName", head.scheduled_start_time as time, head.day
  from units, json_to_record(record) as head (heat_name text, scheduled_start_time text, day text)`;

const unitHeadsOf = prepared<[id: string, eventIds: Buffer], UnitHead>(
  'unit_heads_of',
  `${UNIT_HEADS} where competition_id = $1::uuid and event_id = any($2::text[]) order by event_id, round, heat`,
);

/** The heads of the units of some events: what a list of them shows. */
export const readUnitHeads = (db: Executor, id: string, eventIds: string[]): Promise<UnitHead[]> =>
  unitHeadsOf(db, id, textArray(eventIds));

// Of thousands of results nobody reads the last attempts.
const LONGEST_TEXT = 1_000_000;

export type WholeCompetition = Competition & {
  events: EventHead[];
  units: UnitHead[];
  /** Those saved last of the units with attempts or results. */
  latest: Unit[];
  teams: { teamId: string; name: string }[];
};

// Each list is one JSON text: the driver takes several times as long to make objects of a thousand rows.
const competitionOfPage = prepared<[id: string, latest: number], WholeCompetition>(
  'competition_of_page',
  `select ${NEWEST} as revision, record_text as "recordText", name_local as "nameLocal", push_notifications as push,
      date::text as date, finish_date::text as "finishDate",
      (select coalesce(json_agg(event), '[]') from (
        select event_id as "eventId", event_code as "eventCode", name, parent, rounds, record from events
        where competition_id = competitions.id order by position) event) as events,
      (select coalesce(json_agg(unit), '[]') from (
        ${UNIT_HEADS} where competition_id = competitions.id order by event_id, round, heat) unit) as units,
      (select coalesce(json_agg(text::json), '[]') from (
        select text from units where competition_id = competitions.id
          and results_status not in ('empty', 'seeded') and octet_length(text) < ${LONGEST_TEXT}
        order by revision desc limit $2::integer) latest) as latest,
      (select coalesce(json_agg(team), '[]') from (
        select team_id as "teamId", team_name as name from teams
        where competition_id = competitions.id order by position) team) as teams
    from competitions where id = $1::uuid`,
);

/** All that the page of a competition shows, with so many of its latest units; null when there is no such competition. */
export async function readCompetitionOfPage(
  db: Executor,
  id: string,
  latest: number,
): Promise<WholeCompetition | null> {
  const [row] = await competitionOfPage(db, id, latest);
  return row ?? null;
}

/** Where units of an event are read from: one round of it, or all. */
type OfEvent = { id: string; eventId: string; round?: number | undefined };

const isOfEvent = ({ id, eventId, round }: OfEvent) =>
  and(
    eq(units.competitionId, id),
    eq(units.eventId, eventId),
    round === undefined ? undefined : eq(units.round, round),
  );

/** The texts of the first units of an event or round. */
export async function readFirstTexts(db: Executor, of: OfEvent, count: number): Promise<string[]> {
  const rows = await db
    .select({ text: units.text })
    .from(units)
    .where(isOfEvent(of))
    .orderBy(asc(units.round), asc(units.heat))
    .limit(count);
  return rows.map(({ text }) => text);
}

export type QualifiedRow = { round: number; heat: number; result: Record<string, unknown> };

/** The results of those who advanced. */
export async function readQualified(db: Executor, of: OfEvent): Promise<QualifiedRow[]> {
  return db
    .select({
      round: units.round,
      heat: units.heat,
      // Raw: results are not rows; most units are read without being taken apart.
      result: sql<Record<string, unknown>>`result.value`,
    })
    .from(units)
    .innerJoin(
      sql`json_array_elements(${units.text}::json -> 'results') as result (value)`,
      sql`coalesce(nullif(result.value ->> 'qualification', ''), result.value ->> 'qualified')
        in ('Q', 'q', 'qR', 'qJ')`,
    )
    .where(and(isOfEvent(of), sql`strpos(${units.text}, '"qualif') > 0`))
    .orderBy(asc(units.round), asc(units.heat));
}
