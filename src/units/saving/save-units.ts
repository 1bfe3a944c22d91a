// What happens when units are saved, top to bottom: render, compare, write, announce.
import type { SQL } from 'drizzle-orm';
import type { Address, RoundHeat, UnitKey } from '../../addresses.ts';
import { packedUpsert } from '../../db/bulk.ts';
import type { Tx } from '../../db/client.ts';
import { units } from '../../db/schema.ts';
import { overviewChannel } from '../../push/channels.ts';
import { enqueue, type OutboxEvent } from '../../push/enqueue.ts';
import { overviewEvents } from './unit-events.ts';
import { isRecorded } from '../rules/attempts.ts';
import { withoutBirthDates } from '../../birth-dates.ts';
import { inSlices } from '../../in-slices.ts';
import {
  contentHash,
  type EventOfUnit,
  type Names,
  namesOf,
  RENDER_VERSION,
  renderUnit,
  resultsOf,
  trialsOf,
  type UnitRecord,
  unitText,
} from './record.ts';
import { derivedStatus } from '../rules/state.ts';
import type { UnitRow } from './store.ts';

/** What the units of one competition are rendered from and saved with. */
export type Scope = {
  competition: Address & { id: string; pushNotifications: boolean };
  events: ReadonlyMap<string, EventOfUnit>;
  /** Every unit of these events, saved ones included. */
  unitsOf: (eventId: string) => RoundHeat[];
  names: Names;
  now: Date;
};

/** A unit as it shall be: its merged record, and the row that it replaces. */
export type Candidate = UnitKey & {
  record: Record<string, unknown>;
  sentHash: string | null;
  before: UnitRow | null;
  /** True on the attempt endpoint: its attempts are announced in whatever state the unit is. */
  live?: boolean;
};

/** A candidate with the text that it would be saved with. */
export type Rendered = Candidate & { unit: UnitRecord; body: string; hash: string };

/** A unit that was saved. */
export type Saved = UnitKey & { revision: number; text: string };

const SLICE = 50;

/** The first half of a save, ready to be written. */
export type Prepared = { saved: Saved[]; statement: SQL | null; events: OutboxEvent[] };

/**
 * The first half of a save, in which the database has no part: renders the units, and takes those whose text changes; of
 * others a record that changes without showing is stored without a revision.
 * @param revisions at least as many as there are units, taken in this transaction
 */
export async function prepareUnits(
  scope: Scope,
  candidates: Candidate[],
  revisions: number[],
): Promise<Prepared> {
  const rendered = await inSlices(candidates, SLICE, (candidate) => renderCandidate(scope, candidate));
  const saves = rendered.filter(textChanges);
  const quiet = rendered.filter((unit) => !textChanges(unit) && recordChanges(unit));
  const saved = saves.map((unit, index) => savedRow(scope, unit, revisions[index]!));
  const statement = await packedUpsert(units, [...saved, ...quiet.map((unit) => quietRow(scope, unit))]);
  const events = scope.competition.pushNotifications
    ? saves.flatMap((unit, index) => eventsOf(scope, unit, saved[index]!.text))
    : [];
  return { saved, statement, events };
}

/** The second half: writes and announces them. */
export async function saveUnits(tx: Tx, { statement, events }: Prepared): Promise<void> {
  if (statement) await tx.execute(statement);
  await enqueue(tx, events);
}

export function renderCandidate(scope: Scope, candidate: Candidate): Rendered {
  const { eventId, round, heat, record } = candidate;
  const unit = renderUnit({
    address: scope.competition,
    event: scope.events.get(eventId)!,
    unit: { round, heat, record, status: statusOf(record), resultsStatus: resultsStatusOf(record) },
    unitsOfEvent: scope.unitsOf(eventId),
    names: scope.names,
  });
  const body = withoutBirthDates(JSON.stringify(unit));
  return { ...candidate, unit, body, hash: contentHash(body) };
}

const statusOf = (record: Record<string, unknown>) => (record['status'] as string | null) || 'unscheduled';

// Once sent it stays until sent again.
const resultsStatusOf = (record: Record<string, unknown>) =>
  (record['results_status'] as string | null) ||
  derivedStatus(resultsOf(record), trialsOf(record).some(isRecorded));

export const textChanges = ({ before, hash }: Rendered) => before?.contentHash !== hash;

export const recordChanges = ({ before, record, sentHash }: Rendered) =>
  before?.renderVersion !== RENDER_VERSION ||
  (before.sentHash !== sentHash && JSON.stringify(before.record) !== JSON.stringify(record));

function savedRow(scope: Scope, unit: Rendered, revision: number) {
  const text = unitText(unit.body, revision, scope.now);
  return { ...columns(scope, unit), text, revision, updatedAt: scope.now };
}

function quietRow(scope: Scope, unit: Rendered) {
  const { text, revision, updatedAt } = unit.before!;
  return { ...columns(scope, unit), text, revision, updatedAt };
}

/** The columns of a row that do not depend on the moment of its save. */
export const columns = (scope: Scope, { eventId, round, heat, record, sentHash, unit, hash }: Rendered) => ({
  competitionId: scope.competition.id,
  eventId,
  round,
  heat,
  status: unit.status,
  resultsStatus: unit.results_status,
  record,
  sentHash,
  contentHash: hash,
  renderVersion: RENDER_VERSION,
});

/** What a save is announced with; its snapshot first. */
export function eventsOf<Text>(
  scope: Scope,
  { unit, before, eventId, live }: Rendered,
  text: Text,
): (Omit<OutboxEvent, 'data'> & { data: string | Text })[] {
  const competitionId = scope.competition.id;
  const event = scope.events.get(eventId)!;
  const athleteName = (bib: string) => {
    const { athlete_name, team_name } = namesOf(bib, event, scope.names);
    // Nobody known by that bib: then the name that came with the result, as the unit shows it.
    const shown = unit.results.find((result) => result.bib === bib)?.athlete_name;
    return athlete_name ?? team_name ?? shown ?? '';
  };
  const previous = {
    resultsStatus: before?.resultsStatus ?? 'empty',
    trials: before ? trialsOf(before.record) : [],
    live: live ?? false,
  };
  return [
    { competitionId, channel: unit.channel, event: 'unit', data: text, coalesce: true },
    ...overviewEvents(previous, unit, athleteName).map(({ event, data }) => ({
      competitionId,
      channel: overviewChannel(scope.competition),
      event,
      data: JSON.stringify(data),
      coalesce: false,
    })),
  ];
}
