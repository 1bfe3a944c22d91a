// Units of an upload: which of them may change, by what was sent or by what they show; locked and merged with what is stored.
import { isDeepStrictEqual } from 'node:util';
import type { Address, UnitKey } from '../../addresses.ts';
import { contentHash } from '../../content-hash.ts';
import type { Tx } from '../../db/client.ts';
import { Invalid } from '../../errors.ts';
import { inSlices } from '../../in-slices.ts';
import { unitsByEvent } from '../rules/by-event.ts';
import { MAX_UNITS_PER_COMPETITION, MAX_UNITS_PER_EVENT, missingUnits } from '../rules/rounds.ts';
import type { SentUnit } from '../schemas.ts';
import type { Candidate } from './plan.ts';
import { mergedUnit, storableUnit } from './merged-unit.ts';
import type { EventOfUnit } from './record.ts';
import type { Candidates } from './save-units.ts';
import type { UnitRow } from './unit-store.ts';
import {
  type ListedEvent,
  listEvents,
  listUnitHashes,
  loadNames,
  lockUnits,
  type Selection,
} from './units-store.ts';

type Competition = Address & { id: string; pushNotifications: boolean };

/** An event of the upload; without `units` it gets those that its rounds ask for. */
export type SentEventUnits = { event_id: string; units?: SentUnit[] | null | undefined };

/** A sent unit as it would be stored, under its key. */
export type HashedUnit = UnitKey & { key: string; record: Record<string, unknown>; sentHash: string };

/** Units that may look different besides those whose contents were sent. */
export type Affected = { everything: boolean; eventIds: ReadonlySet<string> };

const SLICE = 100;

/** The units of the upload, hashed: equal hash, no change. */
export async function hashUnits(sentEvents: SentEventUnits[]): Promise<HashedUnit[]> {
  const sent = sentEvents.flatMap(({ event_id, units }) => (units ?? []).map((unit) => ({ event_id, unit })));
  return inSlices(sent, SLICE, ({ event_id, unit }) => hashedUnit(event_id, unit));
}

function hashedUnit(eventId: string, sent: SentUnit | { round: number; heat: number }): HashedUnit {
  const record = storableUnit(sent);
  const { round, heat } = sent;
  const unit = { eventId, round, heat };
  return { ...unit, key: keyOf(unit), record, sentHash: contentHash(JSON.stringify(record)) };
}

const keyOf = ({ eventId, round, heat }: UnitKey) => JSON.stringify([eventId, round, heat]);

/** The units that may change, and what they are rendered from. The caller holds the competition row FOR UPDATE. */
export async function uploadCandidates(
  tx: Tx,
  competition: Competition,
  upload: { events: SentEventUnits[]; units: HashedUnit[] },
  affected: Affected & { now: Date },
): Promise<Candidates> {
  const none: Candidates = { scope: null, candidates: [] };
  if (upload.events.length === 0 && !affected.everything && affected.eventIds.size === 0) return none;
  const stored = await listUnitHashes(tx, competition.id);
  const events = new Map((await listEvents(tx, competition.id)).map((event) => [event.eventId, event]));
  const sent = [...upload.units, ...unitsByRounds(upload.events, events, [...stored, ...upload.units])];
  checkUnitCounts([...stored, ...sent]);
  const hashes = new Map(stored.map((unit) => [keyOf(unit), unit.sentHash]));
  const changed = sent.filter(
    ({ key, sentHash }) => !hashes.has(key) || (hashes.get(key) ?? '') !== sentHash,
  );
  const selection = selectionOf(changed, hashes, stored, affected);
  if (selection.eventIds.length + selection.single.length === 0) return none;
  const before = await lockUnits(tx, competition.id, selection);
  const scope = {
    competition,
    events,
    unitsOf: unitsByEvent([...stored, ...sent]),
    names: await loadNames(tx, competition.id),
    now: affected.now,
  };
  return { scope, candidates: candidatesOf(changed, before, events) };
}

/** Those that the `rounds` of events sent without units ask for. */
function unitsByRounds(
  sentEvents: SentEventUnits[],
  events: ReadonlyMap<string, ListedEvent>,
  present: UnitKey[],
): HashedUnit[] {
  const withoutUnits = sentEvents.filter(({ units }) => units == null).map(({ event_id }) => event_id);
  const created = missingUnits(withoutUnits, [...events.values()], present);
  return created.map(({ eventId, ...unit }) => hashedUnit(eventId, unit));
}

// One upload after another may add units, each within the limits of an upload.
function checkUnitCounts(units: UnitKey[]): void {
  const keys = new Map(units.map((unit) => [keyOf(unit), unit.eventId]));
  const refuse = (msg: string) => {
    throw new Invalid([{ loc: ['body', 'events'], msg, type: 'too_many_units' }]);
  };
  if (keys.size > MAX_UNITS_PER_COMPETITION)
    refuse(
      `More than the ${MAX_UNITS_PER_COMPETITION} units that a competition takes: make it several competitions`,
    );
  const perEvent = new Map<string, number>();
  for (const eventId of keys.values()) {
    const count = (perEvent.get(eventId) ?? 0) + 1;
    perEvent.set(eventId, count);
    if (count > MAX_UNITS_PER_EVENT)
      refuse(
        `More than the ${MAX_UNITS_PER_EVENT} units that event ${eventId} takes: make it several events`,
      );
  }
}

// A new unit may rename its siblings ("Final" becomes "Final 1"), so events that get one are taken whole.
function selectionOf(
  changed: HashedUnit[],
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

/** Stored units with what was sent merged in, and new ones. */
function candidatesOf(
  changed: HashedUnit[],
  before: UnitRow[],
  events: ReadonlyMap<string, EventOfUnit>,
): Candidate[] {
  const sentByKey = new Map(changed.map((sent) => [sent.key, sent]));
  const existing = before.map((row): Candidate => {
    const sent = sentByKey.get(keyOf(row));
    sentByKey.delete(keyOf(row));
    const { eventId, round, heat, record, sentHash } = row;
    const asStored = { eventId, round, heat, record, sentHash, before: row, live: false };
    if (!sent) return asStored;
    const merged = mergedUnit(row, sent.record, events.get(eventId)!);
    // The same content in another order of keys is no change: the stored order stays.
    if (isDeepStrictEqual(merged, record)) return asStored;
    return { ...asStored, record: merged, sentHash: sent.sentHash };
  });
  const added = [...sentByKey.values()].map(({ eventId, round, heat, record, sentHash }): Candidate => ({
    eventId,
    round,
    heat,
    record: mergedUnit(null, record, events.get(eventId)!),
    sentHash,
    before: null,
    live: false,
  }));
  return [...existing, ...added];
}
