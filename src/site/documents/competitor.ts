// A competitor with their results, those of their relay teams among them.
import { z } from 'zod';
import { competitorShape } from '../../competitions/answer-schemas.ts';
import { COMPETITOR_EXAMPLE } from '../../competitions/examples.ts';
import type { DocumentOfCompetition } from './definition.ts';
import { COMPETITION } from '../../public-paths.ts';
import { readCompetitor, readVersion, relayTeamsOf, teamNameOf, unitTextsWith } from './store.ts';
import { competitorWithResults } from './competitor-text.ts';

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

export const competitor: DocumentOfCompetition = {
  of: 'competition',
  noun: 'competitor',
  path: `${COMPETITION}/competitor/:competitor_id/json`,
  operationId: 'readPublicCompetitor',
  summary: 'One competitor with their results, those of their relay teams among them',
  schema: CompetitorDocument,
  reading: 'snapshot',
  part({ competitor_id }) {
    const competitorId = competitor_id!;
    return {
      key: `competitor ${competitorId}`,
      async read(db, id, { style }) {
        const version = await readVersion(db, id);
        const record = version && (await readCompetitor(db, id, competitorId));
        if (!record) return null;
        const relayTeams = await relayTeamsOf(db, id, competitorId);
        const bibs = [competitorId, ...relayTeams.map(({ relayTeamId }) => relayTeamId)];
        const units = await unitTextsWith(db, id, bibs);
        // Only the older naming tells it of competitors.
        const teamName = style.naming === 'camel' ? await teamNameOf(db, id, record['team_id']) : undefined;
        const names = { team: () => teamName, runner: () => undefined };
        const person = { record, firstDay: version.firstDay, relayTeams, names };
        return { pieces: [competitorWithResults(person, units, style)], revision: version.revision };
      },
    };
  },
};
