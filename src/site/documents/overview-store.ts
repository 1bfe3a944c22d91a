// Reads of a competition's overview: every unit in a line, and the few whose attempts and results are told of.
import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client.ts';
import { competitions, events, units } from '../../db/schema.ts';
import { REVISION } from './store.ts';

export type OverviewOf = {
  revision: string;
  fullName: string;
  year: number;
  countryId: string;
  slug: string;
  date: string;
  finishDate: string;
  push: boolean;
};

export async function readOverviewOf(db: Executor, id: string): Promise<OverviewOf | null> {
  const [row] = await db
    .select({
      revision: REVISION,
      fullName: competitions.fullName,
      year: competitions.year,
      countryId: competitions.countryId,
      slug: competitions.slug,
      date: competitions.date,
      finishDate: competitions.finishDate,
      push: competitions.pushNotifications,
    })
    .from(competitions)
    .where(eq(competitions.id, id));
  return row ?? null;
}

export type OverviewEvent = {
  eventId: string;
  eventCode: string;
  name: string;
  parent: string | null;
  maxAttempts: string | null;
  cutAfterRound: string | null;
};

/** The events of a competition in their order. */
export async function readOverviewEvents(db: Executor, id: string): Promise<OverviewEvent[]> {
  return db
    .select({
      eventId: events.eventId,
      eventCode: events.eventCode,
      name: events.name,
      parent: events.parent,
      // Raw: two fields of the record, without the way of all of it through objects.
      maxAttempts: sql<string | null>`${events.record} ->> 'max_field_attempts'`,
      cutAfterRound: sql<string | null>`${events.record} ->> 'cut_after_round'`,
    })
    .from(events)
    .where(eq(events.competitionId, id))
    .orderBy(asc(events.position));
}

export type OverviewUnit = {
  eventId: string;
  round: number;
  heat: number;
  heatName: string | null;
  day: string | null;
  time: string | null;
  status: string;
  resultsStatus: string;
  revision: number;
  updatedAt: Date;
};

/** The units of a competition, or of one event of it, in order. */
export async function readOverviewUnits(db: Executor, id: string, eventId?: string): Promise<OverviewUnit[]> {
  return db
    .select({
      eventId: units.eventId,
      round: units.round,
      heat: units.heat,
      // Raw: the name that the text shows may be a made one.
      heatName: sql<string | null>`shown.heat_name`,
      day: sql<string | null>`shown.day`,
      time: sql<string | null>`shown.scheduled_start_time`,
      status: units.status,
      resultsStatus: units.resultsStatus,
      revision: units.revision,
      updatedAt: units.updatedAt,
    })
    .from(units)
    .innerJoin(
      sql`json_to_record(${units.text}::json) shown (heat_name text, day text, scheduled_start_time text)`,
      sql`true`,
    )
    .where(and(eq(units.competitionId, id), eventId === undefined ? undefined : eq(units.eventId, eventId)))
    .orderBy(asc(units.eventId), asc(units.round), asc(units.heat));
}

type UnitOfCompetition = { eventId: string; round: number; heat: number };

/** The texts of a few units. */
export async function readUnitTexts(
  db: Executor,
  id: string,
  wanted: UnitOfCompetition[],
): Promise<string[]> {
  if (wanted.length === 0) return [];
  const rows = await db
    .select({ text: units.text })
    .from(units)
    .where(
      and(
        eq(units.competitionId, id),
        or(
          ...wanted.map(({ eventId, round, heat }) =>
            and(eq(units.eventId, eventId), eq(units.round, round), eq(units.heat, heat)),
          ),
        ),
      ),
    );
  return rows.map(({ text }) => text);
}
