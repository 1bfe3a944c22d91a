// SQL of the numbers of events.
import { asc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { events } from '../db/schema.ts';
import type { Numbered } from './event-numbers.ts';

/** The events of a competition with their numbers, in the order in which they were made. */
export async function readEventNumbers(db: Executor, competitionId: string): Promise<Numbered[]> {
  return db
    .select({
      eventId: events.eventId,
      // Raw: a field of the record. What was kept under this name before it meant something may be no number.
      no: sql<number | null>`(case when ${events.record} ->> 'lynx_event_no' ~ '^[1-9][0-9]{0,2}$'
        then ${events.record} ->> 'lynx_event_no' end)::int`,
    })
    .from(events)
    .where(eq(events.competitionId, competitionId))
    .orderBy(asc(events.position));
}
