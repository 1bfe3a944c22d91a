// Reads what a document of the data site is made of, together with the revision it is of: both from one snapshot.
import { readContents, readEvents, readUnits } from '../competitions/contents-store.ts';
import type { Db, Tx } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import {
  type CalendarKey,
  calendarKey,
  calendarRecords,
  calendarVersions,
  readCompetitor,
  readVersion,
  relayTeamsOf,
  unitTextsWith,
  unitWithVersion,
} from './store.ts';
import {
  calendarDocument,
  competitorDocument,
  eventDocument,
  type Style,
  unitDocument,
  type View,
  wholeCompetition,
} from './views.ts';

export type Text = { pieces: Iterable<string>; revision: string };

/** The view of a competition; null when the competition has no such part. */
export async function readView(db: Db, id: string, view: View, style: Style): Promise<Text | null> {
  switch (view.kind) {
    case 'whole':
      return inSnapshot(db, (tx) => readWhole(tx, id, style));
    case 'event':
      return inSnapshot(db, (tx) => readEvent(tx, id, view, style));
    case 'competitor':
      return inSnapshot(db, (tx) => readPerson(tx, id, view.competitorId, style));
    case 'unit': {
      const unit = await unitWithVersion(db, id, view);
      return unit && { pieces: [unitDocument(unit.text, style)], revision: unit.revision };
    }
    default:
      return view satisfies never;
  }
}

async function readWhole(tx: Tx, id: string, style: Style): Promise<Text | null> {
  const version = await readVersion(tx, id);
  const contents = version && (await readContents(tx, id));
  return contents && { pieces: wholeCompetition(contents, style), revision: version.revision };
}

async function readEvent(
  tx: Tx,
  id: string,
  { eventId, round }: { eventId: string; round?: number },
  style: Style,
): Promise<Text | null> {
  const version = await readVersion(tx, id);
  const events = await readEvents(tx, id, eventId);
  const units = await readUnits(tx, { id, eventId, round });
  if (!version || events.length === 0 || (round !== undefined && units.length === 0)) return null;
  return { pieces: eventDocument({ events, units }, style), revision: version.revision };
}

async function readPerson(tx: Tx, id: string, competitorId: string, style: Style): Promise<Text | null> {
  const version = await readVersion(tx, id);
  const record = version && (await readCompetitor(tx, id, competitorId));
  if (!record) return null;
  const relayTeams = await relayTeamsOf(tx, id, competitorId);
  const bibs = [competitorId, ...relayTeams.map(({ relayTeamId }) => relayTeamId)];
  const units = await unitTextsWith(tx, id, bibs);
  const person = { record, firstDay: version.firstDay };
  return {
    pieces: [competitorDocument(person, units, relayTeams, style)],
    revision: version.revision,
  };
}

export async function readCalendar(db: Db, calendar: CalendarKey, style: Style): Promise<Text> {
  return inSnapshot(db, async (tx) => {
    const key = calendarKey(calendar);
    const revision = (await calendarVersions(tx, [key])).get(key)!;
    return { pieces: calendarDocument(await calendarRecords(tx, calendar), style), revision };
  });
}
