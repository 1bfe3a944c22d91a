// Stores an upload into one competition, in the caller's transaction: sections merged by key, then the units.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../db/client.ts';
import { Invalid } from '../errors.ts';
import { saveUnits } from '../units/saving/save-units.ts';
import { hashUnits } from '../units/saving/hashed-units.ts';
import { uploadCandidates } from '../units/saving/upload-units.ts';
import { eventNumbers } from './event-numbers.ts';
import { readEventNumbers } from './event-numbers-store.ts';
import {
  COMPETITORS,
  EVENTS,
  type MergedRow,
  mergeSection,
  RELAY_TEAMS,
  replaceEntries,
  TEAMS,
} from './merge-sections.ts';
import type { CompetitionUpdate } from './schemas.ts';
import type { CompetitionRow } from './store.ts';

type Nested = Pick<CompetitionUpdate, 'competitors' | 'teams' | 'relay_teams' | 'events'>;

/** The parts of an upload, in the order in which they are stored; the record is the calendar entry. */
export type UploadPart = 'record' | 'competitors' | 'teams' | 'relay_teams' | 'events' | 'units';
/** Hears, inside the transaction, that a part is written and how many rows it changed; again when that is retried. */
export type OnStored = (part: UploadPart, changed: number) => void;

/** Counts what an upload changes, by part. */
export function countParts(heard: OnStored = () => {}) {
  const changed = { record: 0, competitors: 0, teams: 0, relay_teams: 0, events: 0, units: 0 };
  const onStored: OnStored = (part, rows) => {
    changed[part] = rows;
    heard(part, rows);
  };
  return { changed, onStored };
}

export type UploadOptions = {
  /** Whether the calendar entry changes: then the competition gets a revision, whatever else does. */
  recordChanged: boolean;
  /** Whether the address changed: then every unit is rendered again (its channel is its address). */
  moved: boolean;
  now: Date;
  onStored?: OnStored | undefined;
};

/**
 * Stores what was sent. The caller holds the competition row FOR UPDATE.
 * @returns the competition's new revision, to be stored with it; null when nothing changed but the contents of units that
 *   there were
 */
export async function uploadNested(
  tx: Tx,
  competition: CompetitionRow,
  nested: Nested,
  { recordChanged, moved, now, onStored }: UploadOptions,
): Promise<number | null> {
  const { id } = competition;
  const events = nested.events ?? [];
  // While Postgres writes the sections the units are hashed.
  const hashing = hashUnits(events);
  hashing.catch(() => {});
  const people = await mergeSection(tx, COMPETITORS, id, nested.competitors ?? []);
  onStored?.('competitors', people.length);
  const teams = await mergeSection(tx, TEAMS, id, nested.teams ?? []);
  onStored?.('teams', teams.length);
  const relays = await mergeSection(tx, RELAY_TEAMS, id, nested.relay_teams ?? []);
  onStored?.('relay_teams', relays.length);
  const changedEvents = await mergeEvents(tx, id, events);
  onStored?.('events', changedEvents.length);
  const renamed = [...people, ...teams, ...relays].some(changesNames);
  const units = await uploadCandidates(
    tx,
    competition,
    { events, units: await hashing },
    {
      everything: moved || renamed,
      eventIds: new Set(changedEvents.flatMap(eventsShowing)),
      replanned: new Set(changedEvents.filter(isReplanned).map(({ record }) => String(record['event_id']))),
      now,
    },
  );
  const sections = people.length + teams.length + relays.length + changedEvents.length;
  // Siblings of a new unit are named by their number: what units are rendered from has changed.
  const unitsAdded = units.candidates.some(({ before }) => before === null);
  const { saved, revision } = await saveUnits(tx, id, units, {
    alsoCompetition: recordChanged || sections > 0 || unitsAdded,
    // Nothing shows the entries.
    meanwhile: () => replaceEntries(tx, id, people),
  });
  onStored?.('units', saved);
  return revision;
}

async function mergeEvents(tx: Tx, id: string, events: NonNullable<Nested['events']>): Promise<MergedRow[]> {
  if (events.length === 0) return [];
  const withoutUnits = events.map(({ units: _units, ...event }) => event);
  const { issues, completed } = eventNumbers(await readEventNumbers(tx, id), withoutUnits);
  if (issues.length > 0) throw new Invalid(issues);
  return mergeSection(tx, { ...EVENTS, completed }, id, withoutUnits);
}

/**
 * Renders units again after something that they show has changed; those whose text changes are saved.
 * The caller holds the competition row FOR UPDATE.
 * @returns the competition's new revision when it was asked for
 */
export async function renderUnitsAgain(
  tx: Tx,
  competition: CompetitionRow,
  which: 'all' | { eventId: string },
  { now, alsoCompetition }: { now: Date; alsoCompetition: boolean },
): Promise<number | null> {
  const affected = {
    everything: which === 'all',
    eventIds: new Set(which === 'all' ? [] : [which.eventId]),
    replanned: new Set<string>(),
    now,
  };
  const units = await uploadCandidates(tx, competition, { events: [], units: [] }, affected);
  const { revision } = await saveUnits(tx, competition.id, units, { alsoCompetition });
  return revision;
}

/** A changed event, and the combined event that it is part of or was before. */
const eventsShowing = ({ record, before }: MergedRow): string[] =>
  [record['event_id'], record['parent'], before?.['parent']].flatMap((id) =>
    typeof id === 'string' && id !== '' ? [id] : [],
  );

const isReplanned = ({ record, before }: MergedRow): boolean => record['rounds'] !== before?.['rounds'];

// The gender decides about the points of a combined event that is for everybody.
const SHOWN_FIELDS = ['first_name', 'last_name', 'team_id', 'team_name', 'name', 'gender'];

function changesNames({ record, before }: MergedRow): boolean {
  // A new relay team takes its bib from the team or competitor of that id, even without a name of its own.
  if (!before) return true;
  const differs = (field: string) => (record[field] ?? null) !== (before[field] ?? null);
  return SHOWN_FIELDS.some(differs) || !isDeepStrictEqual(record['runners'], before['runners']);
}
