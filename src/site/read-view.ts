// Reads what a document of the data site is made of, together with the revision it is of: both from one snapshot.
import { readEvents, readParts, readUnits } from '../competitions/record-with-parts-store.ts';
import type { Executor } from '../db/client.ts';
import { encode, type Pieces } from '../http/encoding.ts';
import type { Lru } from '../lru.ts';
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
  type Framed,
  frameOf,
  type Style,
  unitDocument,
  type View,
  wholeCompetition,
} from './views.ts';

export type Text = { pieces: Pieces; revision: string };

/** The frame of a whole competition as it is kept, of one revision of what it shows. */
type KeptFrame = Framed & { version: string; bytes: number };
export type Frames = Lru<KeptFrame>;

/**
 * The view of a competition; null when the competition has no such part. A unit is read with one statement; others are to
 * be read, and their pieces taken, in one snapshot.
 */
export async function readView(
  db: Executor,
  id: string,
  view: View,
  { style, frames }: { style: Style; frames: Frames },
): Promise<Text | null> {
  switch (view.kind) {
    case 'whole':
      return readWhole(db, id, style, frames);
    case 'event':
      return readEvent(db, id, view, style);
    case 'competitor':
      return readPerson(db, id, view.competitorId, style);
    case 'unit': {
      const unit = await unitWithVersion(db, id, view);
      return unit && { pieces: [unitDocument(unit.text, style)], revision: unit.revision };
    }
    default:
      return view satisfies never;
  }
}

async function readWhole(db: Executor, id: string, style: Style, frames: Frames): Promise<Text | null> {
  const version = await readVersion(db, id);
  if (!version) return null;
  const { revision, recordRevision } = version;
  const key = `${id} ${style.naming}`;
  const known = frames.get(key);
  // While results come in, the people and events stay as they are: their part of the text is kept.
  const frame = known?.version === recordRevision ? known : await readFrame(db, id, style, recordRevision);
  if (frame !== known) frames.set(key, frame);
  const unitsOf = (eventIds: string[]) => readUnits(db, { id, eventIds });
  return { pieces: wholeCompetition(frame, revision, unitsOf, style), revision };
}

async function readFrame(db: Executor, id: string, style: Style, version: string): Promise<KeptFrame> {
  const parts = await readParts(db, id);
  const { head, people, events } = frameOf(parts, style);
  const { body } = await encode(people, 'identity');
  const characters = events.reduce((sum, { open }) => sum + open.length, head.length);
  // Characters may take two bytes.
  return { head, people: body, events, version, bytes: body.length + 2 * characters };
}

async function readEvent(
  db: Executor,
  id: string,
  { eventId, round }: { eventId: string; round?: number },
  style: Style,
): Promise<Text | null> {
  const version = await readVersion(db, id);
  const [event] = await readEvents(db, id, eventId);
  const units = await readUnits(db, { id, eventIds: [eventId], round });
  if (!version || !event || (round !== undefined && units.length === 0)) return null;
  return { pieces: eventDocument(event, units, style), revision: version.revision };
}

async function readPerson(
  db: Executor,
  id: string,
  competitorId: string,
  style: Style,
): Promise<Text | null> {
  const version = await readVersion(db, id);
  const record = version && (await readCompetitor(db, id, competitorId));
  if (!record) return null;
  const relayTeams = await relayTeamsOf(db, id, competitorId);
  const bibs = [competitorId, ...relayTeams.map(({ relayTeamId }) => relayTeamId)];
  const units = await unitTextsWith(db, id, bibs);
  const person = { record, firstDay: version.firstDay };
  return {
    pieces: [competitorDocument(person, units, relayTeams, style)],
    revision: version.revision,
  };
}

/** The calendar, likewise. */
export async function readCalendar(db: Executor, calendar: CalendarKey, style: Style): Promise<Text> {
  const key = calendarKey(calendar);
  const revision = (await calendarVersions(db, [key])).get(key)!;
  return { pieces: calendarDocument(await calendarRecords(db, calendar), style), revision };
}
