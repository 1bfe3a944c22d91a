// A unit: the text that was pushed.
import { pathNumber } from '../../http/path.ts';
import { UnitRecord } from '../../units/answer-schemas.ts';
import type { DocumentOfCompetition } from './definition.ts';
import { COMPETITION } from '../../public-paths.ts';
import { unitWithVersion } from './store.ts';
import { SPELLINGS } from './style.ts';

export const unit: DocumentOfCompetition = {
  of: 'competition',
  noun: 'unit',
  path: `${COMPETITION}/event/:event_id/:round_no/:heat_no/json`,
  operationId: 'readPublicUnit',
  summary: 'One unit: byte for byte the payload of its last unit event, unless in camelCase',
  schema: UnitRecord,
  reading: 'one statement',
  part({ event_id, round_no, heat_no }) {
    const eventId = event_id!;
    const round = pathNumber(round_no, 'unit');
    const heat = pathNumber(heat_no, 'unit');
    return {
      key: `unit ${round} ${heat} ${eventId}`,
      async read(db, competitionId, { style }) {
        const found = await unitWithVersion(db, { competitionId, eventId, round, heat });
        return found && { pieces: [SPELLINGS[style.naming].unit(found.text)], revision: found.revision };
      },
    };
  },
};
