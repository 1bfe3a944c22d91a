// A nested upload into one competition: sections merged by key, units saved, all in the caller's transaction.
import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../db/client.ts';
import { takeRevisions } from '../push/enqueue.ts';
import { unitsByEvent } from '../units/by-event.ts';
import type { EventOfUnit } from '../units/saving/record.ts';
import { inSlices } from '../in-slices.ts';
import { contentHash, mergedUnit, storableUnit } from '../units/saving/record.ts';
import { type Candidate, prepareUnits, saveUnits, type Scope } from '../units/saving/save-units.ts';
import type { SentUnit } from '../units/schemas.ts';
import {
  listEvents,
  listUnitHashes,
  loadNames,
  lockUnits,
  type Selection,
  type UnitRow,
} from '../units/saving/store.ts';
import { missingUnits } from '../units/rules/rounds.ts';
import type { CompetitionUpdate } from './schemas.ts';
import {
  COMPETITORS,
  EVENTS,
  mergeSection,
  RELAY_TEAMS,
  replaceEntries,
  type SectionRow,
  TEAMS,
} from './merge-sections.ts';
import type { CompetitionRow } from './store.ts';

type Nested = Pick<CompetitionUpdate, 'competitors' | 'teams' | 'relay_teams' | 'events'>;
type SentEvents = NonNullable<Nested['events']>;

/** What an upload consists of, in the order in which it is stored; the record is the calendar entry. */
export type UploadSection = 'record' | 'competitors' | 'teams' | 'relay_teams' | 'events' | 'units';
/** Hears, inside the transaction, that a section is written and how many rows it changed; again when that is retried. */
export type OnStored = (section: UploadSection, changed: number) => void;

const unitKey = (eventId: string, round: number, heat: number) => JSON.stringify([eventId, round, heat]);

/**
 * Stores what was sent. The caller holds the competition row FOR UPDATE.
 * @param moved whether the competition's address changed: then every unit is rendered again (its channel is its address)
 * @returns whether anything changed but the contents of units that there were: what units are rendered from among them
 */
export async function uploadNested(
  tx: Tx,
  competition: CompetitionRow,
  nested: Nested,
  { moved, now, onStored }: { moved: boolean; now: Date; onStored?: OnStored | undefined },
): Promise<boolean> {
  const { id } = competition;
  const sentEvents = (nested.events ?? []).map(({ units: _units, ...event }) => event);
  // While Postgres writes the other sections the units are hashed.
  const hashed = hashUnits(nested.events ?? []);
  hashed.catch(() => {});
  const people = await mergeSection(tx, COMPETITORS, id, nested.competitors ?? []);
  onStored?.('competitors', people.length);
  const teamRows = await mergeSection(tx, TEAMS, id, nested.teams ?? []);
  onStored?.('teams', teamRows.length);
  const relayRows = await mergeSection(tx, RELAY_TEAMS, id, nested.relay_teams ?? []);
  onStored?.('relay_teams', relayRows.length);
  const eventRows = await mergeSection(tx, EVENTS, id, sentEvents);
  onStored?.('events', eventRows.length);
  const renamed = [...people, ...teamRows, ...relayRows].some(changesNames);
  const sent = { events: nested.events ?? [], units: await hashed };
  const units = await unitsToSave(tx, competition, sent, {
    now,
    everything: moved || renamed,
    eventIds: new Set(eventRows.map(({ record }) => String(record['event_id']))),
  });
  // Postgres writes the entries, which nothing shows, while the units are rendered and made ready for it.
  const [prepared] = await Promise.all([
    units && prepareUnits(units.scope, units.candidates, units.revisions),
    replaceEntries(tx, id, people),
  ]);
  if (prepared) await saveUnits(tx, prepared);
  onStored?.('units', prepared?.saved.length ?? 0);
  const sections = people.length + teamRows.length + relayRows.length + eventRows.length;
  return sections > 0 || (units?.candidates ?? []).some(({ before }) => before === null);
}

/**
 * Renders units again after something that they show has changed; those whose text changes are saved.
 * The caller holds the competition row FOR UPDATE.
 */
export async function renderUnitsAgain(
  tx: Tx,
  competition: CompetitionRow,
  which: 'all' | { eventId: string },
  now: Date,
): Promise<void> {
  const eventIds = new Set(which === 'all' ? [] : [which.eventId]);
  const units = await unitsToSave(
    tx,
    competition,
    { events: [], units: [] },
    { everything: which === 'all', eventIds, now },
  );
  if (!units) return;
  await saveUnits(tx, await prepareUnits(units.scope, units.candidates, units.revisions));
}

const NAME_FIELDS = ['first_name', 'last_name', 'team_id', 'team_name', 'name'];

function changesNames({ record, before }: SectionRow): boolean {
  // A new relay team takes its bib from the team or competitor of that id, even without a name of its own.
  return !before || NAME_FIELDS.some((field) => (record[field] ?? null) !== (before[field] ?? null));
}

/** Which units may look different besides those whose contents were sent. */
type Affected = { everything: boolean; eventIds: Set<string>; now: Date };

/** The units that may change, locked, what they are rendered from, and revisions for them; null when none can. */
async function unitsToSave(
  tx: Tx,
  competition: CompetitionRow,
  upload: { events: SentEvents; units: Sent[] },
  affected: Affected,
): Promise<{ scope: Scope; candidates: Candidate[]; revisions: number[] } | null> {
  if (upload.events.length === 0 && !affected.everything && affected.eventIds.size === 0) return null;
  const stored = await listUnitHashes(tx, competition.id);
  const events = new Map((await listEvents(tx, competition.id)).map((event) => [event.eventId, event]));
  const byRounds = unitsByRounds(upload.events, events, [...stored, ...upload.units]);
  const sent = [...upload.units, ...byRounds];
  const hashes = new Map(stored.map((unit) => [unitKey(unit.eventId, unit.round, unit.heat), unit.sentHash]));
  const changed = sent.filter(
    ({ key, sentHash }) => !hashes.has(key) || (hashes.get(key) ?? '') !== sentHash,
  );
  const selection = touchedUnits(changed, hashes, stored, affected);
  if (selection.eventIds.length + selection.single.length === 0) return null;
  const before = await lockUnits(tx, competition.id, selection);
  const scope: Scope = {
    competition,
    events,
    unitsOf: unitsByEvent([...stored, ...sent]),
    names: await loadNames(tx, competition.id),
    now: affected.now,
  };
  const candidates = candidatesOf(changed, before, events);
  return { scope, candidates, revisions: await takeRevisions(tx, competition.id, candidates.length) };
}

type Sent = {
  key: string;
  eventId: string;
  round: number;
  heat: number;
  unit: Record<string, unknown>;
  sentHash: string;
};

const SLICE = 100;

/** The units of the upload. */
async function hashUnits(sentEvents: SentEvents): Promise<Sent[]> {
  const units = sentEvents.flatMap(({ event_id, units }) =>
    (units ?? []).map((unit) => ({ event_id, unit })),
  );
  return inSlices(units, SLICE, ({ event_id, unit }) => sentUnit(event_id, unit));
}

/** Those that its `rounds` ask for. */
function unitsByRounds(
  sentEvents: SentEvents,
  events: Map<string, EventOfUnit>,
  present: { eventId: string; round: number; heat: number }[],
): Sent[] {
  const withoutUnits = sentEvents.filter(({ units }) => units == null).map(({ event_id }) => event_id);
  const created = missingUnits(withoutUnits, [...events.values()], present);
  return created.map(({ eventId, ...unit }) => sentUnit(eventId, unit));
}

function sentUnit(eventId: string, sent: SentUnit | { round: number; heat: number }): Sent {
  const unit = storableUnit(sent);
  const { round, heat } = sent;
  return {
    key: unitKey(eventId, round, heat),
    eventId,
    round,
    heat,
    unit,
    sentHash: contentHash(JSON.stringify(unit)),
  };
}

// A new unit may rename its siblings ("Final" becomes "Final 1"), so events that get one are taken whole.
function touchedUnits(
  changed: Sent[],
  known: ReadonlyMap<string, unknown>,
  stored: { eventId: string }[],
  { everything, eventIds }: Affected,
): Selection {
  const added = changed.filter(({ key }) => !known.has(key)).map(({ eventId }) => eventId);
  const whole = new Set([...added, ...eventIds, ...(everything ? stored.map(({ eventId }) => eventId) : [])]);
  return {
    eventIds: [...whole],
    single: changed.filter(({ eventId }) => !whole.has(eventId)),
  };
}

/** Every unit that may change: stored ones with what was sent merged in, and new ones. */
function candidatesOf(
  changed: Sent[],
  before: UnitRow[],
  events: ReadonlyMap<string, EventOfUnit>,
): Candidate[] {
  const sentByKey = new Map(changed.map((sent) => [sent.key, sent]));
  const existing = before.map((row): Candidate => {
    const key = unitKey(row.eventId, row.round, row.heat);
    const sent = sentByKey.get(key);
    sentByKey.delete(key);
    const { eventId, round, heat, record, sentHash } = row;
    const merged = mergedUnit(record, sent?.unit ?? {}, events.get(eventId)!.eventCode);
    // The same content in another order of keys is no change: the stored order stays.
    if (!sent || isDeepStrictEqual(merged, record))
      return { eventId, round, heat, record, sentHash, before: row };
    return { eventId, round, heat, record: merged, sentHash: sent.sentHash, before: row };
  });
  const added = [...sentByKey.values()].map(({ eventId, round, heat, unit, sentHash }): Candidate => ({
    eventId,
    round,
    heat,
    record: mergedUnit({}, unit, events.get(eventId)!.eventCode),
    sentHash,
    before: null,
  }));
  return [...existing, ...added];
}
