// Reads of the competitors of a competition: a page of those who are looked for.
import { and, count, eq, sql } from 'drizzle-orm';
import type { Executor } from '../db/client.ts';
import { competitors, teams } from '../db/schema.ts';

export type CompetitorRow = { record: Record<string, unknown>; teamName: string | null };

export type Found = { total: number; page: number; rows: CompetitorRow[] };

// Raw: what the list shows of a person, as one text to look in: both orders of the name, the team and the bib.
const SEARCHED = sql`lower(concat_ws(' ', ${competitors.firstName}, ${competitors.lastName}, ${competitors.firstName},
  ${competitors.record} ->> 'first_name_local', ${competitors.record} ->> 'last_name_local',
  coalesce(${competitors.record} ->> 'team_name', ${teams.teamName}), ${competitors.teamId}, ${competitors.competitorId}))`;

/** @param page from 1; beyond the last it is the last */
export async function findCompetitors(
  db: Executor,
  id: string,
  { text, page, size }: { text: string; page: number; size: number },
): Promise<Found> {
  const words = text.split(/\s+/).filter(Boolean);
  const wanted = and(
    eq(competitors.competitionId, id),
    ...words.map((word) => sql`strpos(${SEARCHED}, lower(${word})) > 0`),
  );
  const team = and(eq(teams.competitionId, competitors.competitionId), eq(teams.teamId, competitors.teamId));
  const [counted] = await db.select({ total: count() }).from(competitors).leftJoin(teams, team).where(wanted);
  const total = counted!.total;
  const shown = Math.min(page, Math.max(1, Math.ceil(total / size)));
  const rows = await db
    .select({ record: competitors.record, teamName: teams.teamName })
    .from(competitors)
    .leftJoin(teams, team)
    .where(wanted)
    .orderBy(
      sql`lower(${competitors.lastName})`,
      sql`lower(${competitors.firstName})`,
      competitors.competitorId,
    )
    .limit(size)
    .offset((shown - 1) * size);
  return { total, page: shown, rows };
}
