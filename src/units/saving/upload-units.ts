// Units of an upload: which of them may change, by what was sent or by what they show; locked and merged with what is stored.
import { isDeepStrictEqual } from 'node:util';
import type { Address, UnitKey } from '../../addresses.ts';
import type { Tx } from '../../db/client.ts';
import { Invalid } from '../../errors.ts';
import { unitsByEvent } from '../rules/by-event.ts';
import { requirePoints } from '../rules/marks-of-unit.ts';
import {
  areRoundNumbers,
  MAX_UNITS_PER_COMPETITION,
  MAX_UNITS_PER_EVENT,
  missingUnits,
} from '../rules/rounds.ts';
import type { Candidate } from './plan.ts';
import { STANDINGS } from '../rules/combined-standings.ts';
import { combinedEvents } from './combined-parts.ts';
import { type HashedUnit, hashedUnit, keyOf, type SentEventUnits } from './hashed-units.ts';
import { mergedUnit } from './merged-unit.ts';
import type { EventOfUnit } from './record.ts';
import type { Candidates } from './save-units.ts';
import type { UnitRow } from './unit-store.ts';
import { partsOfStandings, withStandings } from './upload-standings.ts';
import { listEvents, listUnitHashes, loadNames, lockUnits, type Selection } from './units-store.ts';

type Competition = Address & { id: string; pushNotifications: boolean };

/** Units that may look different besides those whose contents were sent. */
export type Affected = {
  everything: boolean;
  eventIds: ReadonlySet<string>;
  /** Those of which `rounds` have changed: what they ask for now is no leftover. */
  replanned: ReadonlySet<string>;
};

/**
 * The units that may change, and what they are rendered from. The caller holds the competition row FOR UPDATE.
 * @throws Invalid for marks that cannot be of the event that is stored
 */
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
  requirePoints(unjudgedMarks(upload.events, events));
  const around = { combined: combinedEvents(events), stored };
  const units = await withStandings(tx, competition.id, upload, around);
  const planned = upload.events.filter((event) => event.units == null).map(({ event_id }) => event_id);
  const present = { units: [...stored, ...units], replanned: affected.replanned };
  const sent = [...units, ...unitsByRounds(planned, events, present)];
  checkUnitCounts([...stored, ...sent]);
  const hashes = new Map(stored.map((unit) => [keyOf(unit), unit.sentHash]));
  const changed = sent.filter(
    ({ key, sentHash }) => !hashes.has(key) || (hashes.get(key) ?? '') !== sentHash,
  );
  const own = selectionOf(changed, hashes, stored, affected);
  const selection = { ...own, single: [...own.single, ...standingsAbove(own, events)] };
  if (selection.eventIds.length + selection.single.length === 0) return none;
  const before = await lockUnits(tx, competition.id, selection);
  const candidates = candidatesOf(changed, before, events);
  const scope = {
    competition,
    events,
    unitsOf: unitsByEvent([...stored, ...sent]),
    names: await loadNames(tx, competition.id),
    partsOf: await partsOfStandings(tx, competition.id, candidates, around),
    now: affected.now,
  };
  return { scope, candidates };
}

// Marks of events that came with their code are judged by then.
const unjudgedMarks = (sentEvents: SentEventUnits[], events: ReadonlyMap<string, EventOfUnit>) =>
  sentEvents.flatMap(({ event_id, event_code, units }, index) => {
    const eventCode = event_code ? '' : (events.get(event_id)?.eventCode ?? '');
    if (eventCode === '') return [];
    return (units ?? []).map((unit, at) => ({
      unit,
      eventCode,
      loc: ['body', 'events', index, 'units', at],
    }));
  });

/** Those that the `rounds` of events ask for, unless these are round numbers: then the units that there are, are all. */
function unitsByRounds(
  eventIds: string[],
  events: ReadonlyMap<string, EventOfUnit>,
  present: { units: UnitKey[]; replanned: ReadonlySet<string> },
): HashedUnit[] {
  const unitsOf = unitsByEvent(present.units);
  const asking = eventIds.filter(
    (id) => present.replanned.has(id) || !areRoundNumbers(events.get(id)?.rounds, unitsOf(id)),
  );
  const created = missingUnits(asking, [...events.values()], present.units);
  return created.map(({ eventId, ...unit }) => hashedUnit(eventId, unit));
}

function refuseUnits(msg: string): never {
  throw new Invalid([{ loc: ['body', 'events'], msg, type: 'too_many_units' }]);
}

// One upload after another may add units, each within the limits of an upload.
function checkUnitCounts(units: UnitKey[]): void {
  const keys = new Map(units.map((unit) => [keyOf(unit), unit.eventId]));
  if (keys.size > MAX_UNITS_PER_COMPETITION)
    refuseUnits(
      `More than the ${MAX_UNITS_PER_COMPETITION} units that a competition takes: make it several competitions`,
    );
  const perEvent = new Map<string, number>();
  for (const eventId of keys.values()) {
    const count = (perEvent.get(eventId) ?? 0) + 1;
    perEvent.set(eventId, count);
    if (count > MAX_UNITS_PER_EVENT)
      refuseUnits(
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

/** The standings that these units count for. */
function standingsAbove(
  { eventIds, single }: Selection,
  events: ReadonlyMap<string, EventOfUnit>,
): UnitKey[] {
  const changed = new Set([...eventIds, ...single.map(({ eventId }) => eventId)]);
  const parents = new Set([...changed].map((eventId) => events.get(eventId)?.parent ?? ''));
  const others = [...parents].filter((eventId) => eventId !== '' && !eventIds.includes(eventId));
  return others.map((eventId) => ({ eventId, ...STANDINGS }));
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
