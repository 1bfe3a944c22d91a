// SQL that deletes single parts of a competition.
import { and, eq, type SQL } from 'drizzle-orm';
import type { UnitKey } from '../addresses.ts';
import type { Tx } from '../db/client.ts';
import { competitors, events, relayTeams, teams, units } from '../db/schema.ts';

/** A part of a competition by its key. */
export type Part =
  | { kind: 'competitor'; competitorId: string }
  | { kind: 'team'; teamId: string }
  | { kind: 'event'; eventId: string }
  | { kind: 'relay team'; eventId: string; relayTeamId: string }
  | ({ kind: 'unit' } & UnitKey);

/** @returns whether there was such a part */
export async function deleteRows(tx: Tx, id: string, part: Part): Promise<boolean> {
  switch (part.kind) {
    case 'competitor':
      return deleteFrom(
        tx,
        competitors,
        eq(competitors.competitionId, id),
        eq(competitors.competitorId, part.competitorId),
      );
    case 'team':
      return deleteFrom(tx, teams, eq(teams.competitionId, id), eq(teams.teamId, part.teamId));
    case 'relay team':
      return deleteFrom(
        tx,
        relayTeams,
        relayTeamsOf(id, part.eventId),
        eq(relayTeams.relayTeamId, part.relayTeamId),
      );
    case 'event':
      await deleteFrom(tx, relayTeams, relayTeamsOf(id, part.eventId));
      return deleteFrom(tx, events, eq(events.competitionId, id), eq(events.eventId, part.eventId));
    case 'unit':
      return deleteFrom(
        tx,
        units,
        eq(units.competitionId, id),
        eq(units.eventId, part.eventId),
        eq(units.round, part.round),
        eq(units.heat, part.heat),
      );
    default:
      return part satisfies never;
  }
}

const relayTeamsOf = (id: string, eventId: string) =>
  and(eq(relayTeams.competitionId, id), eq(relayTeams.eventId, eventId))!;

type PartTable = typeof competitors | typeof teams | typeof relayTeams | typeof events | typeof units;

async function deleteFrom(tx: Tx, table: PartTable, ...conditions: SQL[]): Promise<boolean> {
  const { rowCount } = await tx.delete(table).where(and(...conditions));
  return (rowCount ?? 0) > 0;
}
