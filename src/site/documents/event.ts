// An event with its units, or with those of one round.
import { eventShape } from '../../competitions/answer-schemas.ts';
import { EVENT_EXAMPLE } from '../../competitions/examples.ts';
import { readEvents, readUnits } from '../../competitions/record-with-parts-store.ts';
import { pathNumber } from '../../http/path.ts';
import type { DocumentOfCompetition, Part } from './definition.ts';
import { COMPETITION } from '../../public-paths.ts';
import { readVersion } from './store.ts';
import { eventsWithUnits, openEvent } from './event-text.ts';

export const EventDocument = eventShape.meta({ id: 'EventDocument', example: EVENT_EXAMPLE });

export const event: DocumentOfCompetition = {
  of: 'competition',
  noun: 'event',
  path: `${COMPETITION}/event/:event_id/json`,
  operationId: 'readPublicEvent',
  summary: 'One event with its units',
  schema: EventDocument,
  reading: 'snapshot',
  part: ({ event_id }) => eventPart(event_id!),
};

export const round: DocumentOfCompetition = {
  of: 'competition',
  noun: 'event',
  path: `${COMPETITION}/event/:event_id/:round_no/json`,
  operationId: 'readPublicRound',
  summary: 'One event with the units of one round',
  schema: EventDocument,
  reading: 'snapshot',
  part: ({ event_id, round_no }) => eventPart(event_id!, pathNumber(round_no, 'round')),
};

const eventPart = (eventId: string, round?: number): Part => ({
  key: `event ${round ?? 0} ${eventId}`,
  async read(db, id, { style }) {
    const version = await readVersion(db, id);
    const [found] = await readEvents(db, id, eventId);
    const units = await readUnits(db, { id, eventIds: [eventId], round });
    if (!version || !found || (round !== undefined && units.length === 0)) return null;
    const pieces = eventsWithUnits({ events: [openEvent(found, version.year, style)], units }, style);
    return { pieces, revision: version.revision };
  },
});
