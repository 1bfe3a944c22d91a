// The published shape of the public documents. They are sent as prepared text; tests hold the text against these.
import { z } from 'zod';
import { COMPETITOR_EXAMPLE, DOCUMENT_EXAMPLE, EVENT_EXAMPLE } from '../competitions/examples.ts';
import { UNIT_EXAMPLE } from '../units/examples.ts';
import { CompetitionRecord } from '../competitions/schemas.ts';
import { UnitEvent } from '../push/events.ts';

/** Names of the documents: as everywhere here, or as in the older data site. Other parameters are ignored. */
export const NamingQuery = z.object({
  case: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(['snake', 'camel']).optional())
    .describe(
      'Spelling of the names: snake_case as described here, or camelCase as in the older data site, where the country, ' +
        'venue and organiser of a competition are called so without _id. The default is a setting of the service.',
    ),
});
export type NamingQuery = z.output<typeof NamingQuery>;

export const UnitDocument = UnitEvent.meta({ id: 'UnitDocument', example: UNIT_EXAMPLE });

const eventShape = z.looseObject({ event_id: z.string(), units: z.array(UnitEvent) });
const competitorShape = z.looseObject({ competitor_id: z.string(), age: z.int().optional() });

export const EventDocument = eventShape.meta({ id: 'EventDocument', example: EVENT_EXAMPLE });

export const CompetitorDocument = competitorShape
  .extend({
    results: z.array(
      z.looseObject({
        bib: z.string(),
        event_id: z.string(),
        event_code: z.string(),
        event_name: z.string(),
        round_no: z.int(),
        heat_no: z.int(),
        heat_name: z.string(),
        results_status: z.string(),
      }),
    ),
  })
  .meta({ id: 'CompetitorDocument', example: COMPETITOR_EXAMPLE });

export const CompetitionDocument = z
  .looseObject({
    ...CompetitionRecord.shape,
    channels: z.object({ overview: z.string() }),
    revision: z.int(),
    competitors: z.array(competitorShape),
    teams: z.array(z.looseObject({ team_id: z.string() })),
    relay_teams: z.array(z.looseObject({ relay_team_id: z.string(), event_id: z.string() })),
    events: z.array(eventShape),
  })
  .meta({ id: 'CompetitionDocument', example: DOCUMENT_EXAMPLE });
