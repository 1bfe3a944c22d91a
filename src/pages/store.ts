// Reads of what pages show beside a document: where a unit stands in its competition.
import { and, eq } from 'drizzle-orm';
import type { Address, UnitRef } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { prepared } from '../db/prepared.ts';
import { competitions, units } from '../db/schema.ts';
import { NEWEST } from '../site/documents/store.ts';

export type EventOfPage = {
  /** As it was sent. */
  record: Record<string, unknown>;
  /** Whether other events name it as theirs: a combined event. */
  isParent: boolean;
};

export type CompetitionOfPage = { name: string; push: boolean; finishDate: string };

/** A unit of the same event, as a link to it shows it. */
export type Sibling = {
  round: number;
  heat: number;
  heatName: string;
  status: string;
  resultsStatus: string;
};

export type UnitOfPage = {
  revision: string;
  text: string;
  competition: CompetitionOfPage;
  event: EventOfPage;
  siblings: Sibling[];
};

const unitOfPage = prepared<
  [competitionId: string, eventId: string, round: number, heat: number],
  Omit<UnitOfPage, 'competition' | 'event'> & CompetitionOfPage & EventOfPage
>(
  'unit_of_page',
  `select ${NEWEST} as revision, units.text, full_name as name, push_notifications as push,
      finish_date::text as "finishDate", events.record,
      exists (select from events part
        where part.competition_id = competitions.id and part.parent = events.event_id) as "isParent",
      (select json_agg(json_build_object('round', round, 'heat', heat, 'status', status,
          'resultsStatus', results_status, 'heatName', coalesce(text::json ->> 'heat_name', ''))
          order by round, heat)
        from units where competition_id = events.competition_id and event_id = events.event_id) as siblings
    from units
    join competitions on competitions.id = units.competition_id
    join events on events.competition_id = units.competition_id and events.event_id = units.event_id
    where units.competition_id = $1::uuid and units.event_id = $2::text
      and round = $3::integer and heat = $4::integer`,
);

/** A unit with what its page shows around it; null when there is no such unit. */
export async function readUnitOfPage(db: Executor, ref: UnitRef): Promise<UnitOfPage | null> {
  const [row] = await unitOfPage(db, ref.competitionId, ref.eventId, ref.round, ref.heat);
  if (!row) return null;
  const { revision, text, name, push, finishDate, record, isParent, siblings } = row;
  return { revision, text, competition: { name, push, finishDate }, event: { record, isParent }, siblings };
}

const namesOf = prepared<
  [countries: string[], years: string[], slugs: string[]],
  { key: string; fullName: string }
>(
  'names_at',
  `select country_id || '/' || year || '/' || slug as key, full_name as "fullName"
    from unnest($1::text[], $2::int[], $3::text[]) wanted (country_id, year, slug)
    join competitions using (country_id, year, slug)`,
);

/** The names of the competitions at these addresses, by competition key. */
export async function namesAt(db: Executor, keys: string[]): Promise<Map<string, string>> {
  const parts = keys.map((key) => key.split('/'));
  const column = (index: number) => parts.map((part) => part[index]!);
  const rows = await namesOf(db, column(0), column(1), column(2));
  return new Map(rows.map(({ key, fullName }) => [key, fullName]));
}

type Titled = { address: Address; unit?: { eventId: string; round: number; heat: number } };

/** The title of a competition's page, or of a unit's; null when there is none. */
export async function readTitle(db: Executor, { address, unit }: Titled): Promise<string | null> {
  const { year, countryId, slug } = address;
  const atAddress = and(
    eq(competitions.countryId, countryId),
    eq(competitions.year, year),
    eq(competitions.slug, slug),
  );
  if (!unit) {
    const [row] = await db.select({ name: competitions.fullName }).from(competitions).where(atAddress);
    return row?.name ?? null;
  }
  const [row] = await db
    .select({ name: competitions.fullName, text: units.text })
    .from(units)
    .innerJoin(competitions, eq(competitions.id, units.competitionId))
    .where(
      and(atAddress, eq(units.eventId, unit.eventId), eq(units.round, unit.round), eq(units.heat, unit.heat)),
    );
  if (!row) return null;
  const { event_name, heat_name } = JSON.parse(row.text) as { event_name: string; heat_name: string };
  return `${event_name} · ${heat_name} · ${row.name}`;
}
