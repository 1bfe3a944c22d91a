// An overview of a competition, or of one event: its units with their states, the latest attempts and results. For tickers,
// screens and widgets, which need no more than this of all that a competition holds.
import type { Executor } from '../../db/client.ts';
import { COMPETITION } from '../../public-paths.ts';
import type { DocumentOfCompetition, Part } from './definition.ts';
import { Overview } from './overview-shape.ts';
import { overviewFrom, TOLD } from './overview-text.ts';
import { readOverviewEvents, readOverviewOf, readOverviewUnits, readUnitTexts } from './overview-store.ts';
import { SPELLINGS } from './style.ts';

const definition = {
  of: 'competition',
  schema: Overview,
  reading: 'snapshot',
} as const;

export const overview: DocumentOfCompetition = {
  ...definition,
  noun: 'overview',
  path: `${COMPETITION}/overview/json`,
  operationId: 'readPublicOverview',
  summary: 'The units of a competition with their states, its latest attempts and results',
  part: () => overviewPart(),
};

export const eventOverview: DocumentOfCompetition = {
  ...definition,
  noun: 'event',
  path: `${COMPETITION}/event/:event_id/overview/json`,
  operationId: 'readPublicEventOverview',
  summary: 'The units of an event with their states, its latest attempts and results',
  part: ({ event_id }) => overviewPart(event_id),
};

const overviewPart = (eventId?: string): Part => ({
  key: eventId === undefined ? 'overview' : `overview ${eventId}`,
  async read(db, id, { style }) {
    const found = await readOverview(db, id, eventId);
    if (!found) return null;
    const { document, revision } = found;
    return { pieces: [SPELLINGS[style.naming].text(JSON.stringify(document))], revision };
  },
});

/** To be run in one snapshot. Null when there is no such competition or event. */
export async function readOverview(
  db: Executor,
  id: string,
  eventId?: string,
): Promise<{ document: Overview; revision: string } | null> {
  const of = await readOverviewOf(db, id);
  const events = await readOverviewEvents(db, id);
  if (!of || (eventId !== undefined && !events.some((event) => event.eventId === eventId))) return null;
  const units = await readOverviewUnits(db, id, eventId);
  const read = async (wanted: typeof units) => readUnitTexts(db, id, wanted);
  const document = overviewFrom(
    { of, events, units, eventId },
    { results: await read(TOLD.results(units)), attempts: await read(TOLD.attempts(units)) },
  );
  return { document, revision: of.revision };
}
