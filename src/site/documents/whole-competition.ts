// The whole competition: record, people, events, units.
import { z } from 'zod';
import { competitorShape, eventShape, relayTeamShape, teamShape } from '../../competitions/answer-schemas.ts';
import { DOCUMENT_EXAMPLE } from '../../competitions/examples.ts';
import { readParts, readUnits } from '../../competitions/record-with-parts-store.ts';
import { CompetitionRecord } from '../../competitions/schemas.ts';
import type { Executor } from '../../db/client.ts';
import { encode } from '../../http/encoding.ts';
import type { DocumentOfCompetition, KeptFrame, Part } from './definition.ts';
import { COMPETITION } from '../../public-paths.ts';
import { readVersion } from './store.ts';
import type { Style } from './style.ts';
import { frameOf, wholeCompetitionPieces } from './whole-competition-text.ts';

export const CompetitionDocument = z
  .looseObject({
    ...CompetitionRecord.shape,
    channels: z.object({ overview: z.string() }),
    revision: z.int(),
    competitors: z.array(competitorShape),
    teams: z.array(teamShape),
    relay_teams: z.array(relayTeamShape),
    events: z.array(eventShape),
  })
  .meta({ id: 'CompetitionDocument', example: DOCUMENT_EXAMPLE });

const whole: Part = {
  key: 'whole',
  async read(db, id, { style, frames }) {
    const version = await readVersion(db, id);
    if (!version) return null;
    const { revision, recordRevision } = version;
    const key = `${id} ${style.naming}`;
    const known = frames.get(key);
    // While results come in, the people and events stay as they are: their part of the text is kept.
    const frame = known?.version === recordRevision ? known : await readFrame(db, id, style, recordRevision);
    if (frame !== known) frames.set(key, frame);
    const unitsOf = (eventIds: string[]) => readUnits(db, { id, eventIds });
    return { pieces: wholeCompetitionPieces(frame, { revision, unitsOf }, style), revision };
  },
};

export const wholeCompetition: DocumentOfCompetition = {
  of: 'competition',
  noun: 'whole',
  path: `${COMPETITION}/json`,
  operationId: 'readPublicCompetition',
  summary: 'A whole competition: record, competitors, teams, events, units and results',
  schema: CompetitionDocument,
  reading: 'snapshot, in turn',
  part: () => whole,
};

async function readFrame(db: Executor, id: string, style: Style, version: string): Promise<KeptFrame> {
  const parts = await readParts(db, id);
  const { head, people, events } = frameOf(parts, style);
  const { body } = await encode(people, 'identity');
  const characters = events.reduce((sum, { open }) => sum + open.length, head.length);
  // Characters may take two bytes.
  return { head, people: body, events, version, bytes: body.length + 2 * characters };
}
