// Shapes of a competition's parts as they are answered, and of its record with them. They describe prepared texts, which are
// sent as they are stored.
import { z } from 'zod';
import { UnitRecord } from '../units/answer-schemas.ts';
import { RECORD_EXAMPLE } from './examples.ts';
import { CompetitionRecord } from './schemas.ts';

/** A competitor, for those who may edit with all that was sent. */
export const competitorShape = z.looseObject({
  competitor_id: z.string(),
  age: z
    .int()
    .optional()
    .describe("On the competition's first day; reached in its year when only the year of birth is known"),
});
export const teamShape = z.looseObject({ team_id: z.string() });
export const relayTeamShape = z.looseObject({ relay_team_id: z.string(), event_id: z.string() });
export const eventShape = z.looseObject({ event_id: z.string(), units: z.array(UnitRecord) });

/** The record as it is read; parts are there when they are asked for. */
export const CompetitionWithParts = z
  .looseObject({
    ...CompetitionRecord.shape,
    competitors: z.array(competitorShape).optional(),
    teams: z.array(teamShape).optional(),
    relay_teams: z.array(relayTeamShape).optional(),
    events: z.array(eventShape).nullable(),
  })
  .meta({ id: 'CompetitionWithParts', example: RECORD_EXAMPLE });
