// The published shape of the public documents. They are sent as prepared text; tests hold the text against these.
import { z } from 'zod';
import { DOCUMENT_EXAMPLE } from '../competitions/examples.ts';
import { UNIT_EXAMPLE } from '../units/examples.ts';
import { CompetitionRecord } from '../competitions/schemas.ts';
import { UnitEvent } from '../push/events.ts';

export const UnitDocument = UnitEvent.meta({ id: 'UnitDocument', example: UNIT_EXAMPLE });

export const CompetitionDocument = z
  .looseObject({
    ...CompetitionRecord.shape,
    channels: z.object({ overview: z.string() }),
    revision: z.int(),
    competitors: z.array(z.looseObject({ competitor_id: z.string(), age: z.int().optional() })),
    teams: z.array(z.looseObject({ team_id: z.string() })),
    relay_teams: z.array(z.looseObject({ relay_team_id: z.string(), event_id: z.string() })),
    events: z.array(z.looseObject({ event_id: z.string(), units: z.array(UnitEvent) })),
  })
  .meta({ id: 'CompetitionDocument', example: DOCUMENT_EXAMPLE });
