// Reads of what the pages of a competition, an event and a round show: heads of units, texts only of those that are drawn whole.
import { and, asc, desc, eq, notInArray, sql } from 'drizzle-orm';
import { among } from '../db/among.ts';
import type { Executor } from '../db/client.ts';
import { competitions, events, teams, units } from '../db/schema.ts';
import { REVISION } from '../site/documents/store.ts';
import type { EventHead, UnitHead } from './unit/heads.ts';

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

// Raw: of a record of any size only these fields are taken, all in one reading of it.
const HEAD_FIELDS = sql`json_to_record(${units.record}) as head (heat_name text, scheduled_start_time text, day text)`;

/** The heads of a competition's units, or of those of some events: what a list of them shows. */
export async function readUnitHeads(db: Executor, id: string, eventIds?: string[]): Promise<UnitHead[]> {
  return db
    .select({
      eventId: units.eventId,
      round: units.round,
      heat: units.heat,
      status: units.status,
      resultsStatus: units.resultsStatus,
      heatName: sql<string | null>`head.heat_name`,
      time: sql<string | null>`head.scheduled_start_time`,
      day: sql<string | null>`head.day`,
    })
    .from(units)
    .innerJoin(HEAD_FIELDS, sql`true`)
    .where(and(eq(units.competitionId, id), eventIds && among(units.eventId, eventIds)))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat));
}

// Of thousands of results nobody reads the last attempts.
const LONGEST_TEXT = 1_000_000;

/** The texts of the units in which something happened last. */
export async function readLatestTexts(db: Executor, id: string, count: number): Promise<string[]> {
  const rows = await db
    .select({ text: units.text })
    .from(units)
    .where(
      and(
        eq(units.competitionId, id),
        notInArray(units.resultsStatus, ['empty', 'seeded']),
        sql`octet_length(${units.text}) < ${LONGEST_TEXT}`,
      ),
    )
    .orderBy(desc(units.revision))
    .limit(count);
  return rows.map(({ text }) => text);
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

export async function readTeams(db: Executor, id: string): Promise<{ teamId: string; name: string }[]> {
  return db
    .select({ teamId: teams.teamId, name: teams.teamName })
    .from(teams)
    .where(eq(teams.competitionId, id))
    .orderBy(asc(teams.position));
}
