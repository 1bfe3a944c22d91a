// Plan of a unit's save: what of the unit changes, the row it becomes, and the events it is announced with. Pure.
import type { Address, RoundHeat, UnitKey } from '../../addresses.ts';
import { contentHash } from '../../content-hash.ts';
import { overviewChannel } from '../../push/channels.ts';
import { withoutPersonal } from '../../privacy/public-view.ts';
import type { OutboxEvent } from '../../push/enqueue.ts';
import { trialsOf } from '../rules/attempts.ts';
import { attemptRounds, hasAttemptsLeft } from '../rules/attempts-left.ts';
import { isStandings, type Part, standingsStatus } from '../rules/combined-standings.ts';
import { resultsOf } from '../rules/field-results.ts';
import { derivedStatus, isResultsState } from '../rules/state.ts';
import type { SentResult } from '../schemas.ts';
import {
  type EventOfUnit,
  type Names,
  namesOf,
  RENDER_VERSION,
  renderUnit,
  shownResults,
  standingsOf,
  type UnitBody,
} from './record.ts';
import { overviewEvents } from './unit-events.ts';
import type { UnitRow } from './unit-store.ts';

/** What the units of one competition are rendered from and saved with. */
export type Scope = {
  competition: Address & { id: string; pushNotifications: boolean };
  events: ReadonlyMap<string, EventOfUnit>;
  /** Every unit of an event, those to be saved included. */
  unitsOf: (eventId: string) => RoundHeat[];
  names: Names;
  /** Of a combined event: the units of its parts. */
  partsOf: (eventId: string) => Part[];
  now: Date;
};

/** A unit as it shall be: what was sent merged into what is stored, and the row that it replaces. */
export type Candidate = UnitKey & {
  record: Record<string, unknown>;
  sentHash: string | null;
  before: UnitRow | null;
  /** Whether its attempts were recorded one by one: then they are announced in whatever state the unit is. */
  live: boolean;
};

/** The columns of a row that the moment of the save has no part in. */
export type PlannedColumns = Omit<UnitRow, 'text' | 'revision' | 'updatedAt'>;

/** An event of a save that has no revision yet: its JSON text up to there; null for the snapshot, which is the unit's text. */
export type PlannedEvent = Omit<OutboxEvent, 'data'> & { data: string | null };

/** The event's text, once its save has a revision. */
export const eventText = (open: string, revision: number): string => `${open}${revision}}`;

/**
 * none: the row stays. quiet: the stored record changes without showing, so the revision stays and nothing is announced.
 * shown: a save; `body` is its text but for revision and time.
 */
export type Plan =
  | { change: 'none'; row: UnitRow }
  | { change: 'quiet'; row: UnitRow }
  | { change: 'shown'; columns: PlannedColumns; body: string; events: PlannedEvent[] };

export function planUnit(scope: Scope, candidate: Candidate): Plan {
  const { before } = candidate;
  const unit = withoutPersonal(rendered(scope, candidate), scope.competition.year);
  const body = JSON.stringify(unit);
  const columns = columnsOf(scope, candidate, unit, body);
  if (before === null || before.contentHash !== columns.contentHash) {
    const events = scope.competition.pushNotifications ? eventsOf(scope, candidate, unit) : [];
    return { change: 'shown', columns, body, events };
  }
  if (!recordChanges(before, candidate)) return { change: 'none', row: before };
  const { text, revision, updatedAt } = before;
  return { change: 'quiet', row: { ...columns, text, revision, updatedAt } };
}

function rendered(scope: Scope, { eventId, round, heat, record }: Candidate): UnitBody {
  const event = scope.events.get(eventId)!;
  const { genders } = event;
  const parts = isStandings({ round, heat }) ? scope.partsOf(eventId) : [];
  const standings = parts.length > 0 ? standingsOf(record, { parts, genders, names: scope.names }) : null;
  const states = standings ? standingsStates(record, standings, parts) : statesOf(record, event);
  return renderUnit({
    address: scope.competition,
    event,
    unit: { round, heat, record, ...states },
    unitsOfEvent: scope.unitsOf(eventId),
    names: scope.names,
    standings,
  });
}

/** A unit of an event as a part of a combined one. */
export function partOf(event: EventOfUnit, unit: RoundHeat & { record: Record<string, unknown> }): Part {
  const { eventId, eventCode, genders } = event;
  const { round, heat, record } = unit;
  const states = statesOf(record, event);
  const results = shownResults({ record, ...states }, event);
  return { eventId, eventCode, genders, round, heat, results, arrived: isResultsState(states.resultsStatus) };
}

const sentStates = (record: Record<string, unknown>) => ({
  status: (record['status'] as string | null) ?? '',
  resultsStatus: (record['results_status'] as string | null) ?? '',
});

function standingsStates(record: Record<string, unknown>, standings: SentResult[], parts: Part[]) {
  const sent = sentStates(record);
  // Who sends the outcome need not send how it came about.
  const outcome = resultsOf(record).some(({ performance }) => performance);
  const derived = outcome ? 'provisional' : standingsStatus(standings, parts);
  return {
    status: sent.status || (derived === 'in_progress' ? 'in_progress' : 'unscheduled'),
    resultsStatus: sent.resultsStatus || derived,
  };
}

/** Status and results_status: once sent they stay until sent again, else they follow from results and attempts. */
function statesOf(record: Record<string, unknown>, { eventCode, ...event }: EventOfUnit) {
  const sent = sentStates(record);
  if (sent.status && sent.resultsStatus) return sent;
  const [results, trials] = [resultsOf(record), trialsOf(record)];
  const rounds = attemptRounds(record['rounds'], event);
  const over = sent.status === 'finished' || isResultsState(sent.resultsStatus);
  const attemptsLeft = !over && hasAttemptsLeft({ results, trials, eventCode, rounds });
  const derived = derivedStatus(results, { attempts: trials.length > 0, attemptsLeft });
  return {
    status: sent.status || (attemptsLeft ? 'in_progress' : 'unscheduled'),
    resultsStatus: sent.resultsStatus || derived,
  };
}

const columnsOf = (
  scope: Scope,
  { eventId, round, heat, record, sentHash }: Candidate,
  unit: UnitBody,
  body: string,
): PlannedColumns => ({
  competitionId: scope.competition.id,
  eventId,
  round,
  heat,
  status: unit.status,
  resultsStatus: unit.results_status,
  record,
  sentHash,
  contentHash: contentHash(body),
  renderVersion: RENDER_VERSION,
});

const recordChanges = (before: UnitRow, { record, sentHash }: Candidate) =>
  before.renderVersion !== RENDER_VERSION ||
  (before.sentHash !== sentHash && JSON.stringify(before.record) !== JSON.stringify(record));

// Standings show results that nobody has sent.
const hadResults = (scope: Scope, { eventId, round, heat, record, text }: UnitRow) =>
  resultsOf(record).length > 0 ||
  (isStandings({ round, heat }) &&
    scope.partsOf(eventId).length > 0 &&
    resultsOf(JSON.parse(text) as UnitRow['record']).length > 0);

/** The snapshot first, then what the save is on the overview channel. */
function eventsOf(scope: Scope, { eventId, before, live }: Candidate, unit: UnitBody): PlannedEvent[] {
  const competitionId = scope.competition.id;
  const event = scope.events.get(eventId)!;
  // Of each bib the first result, as where it is looked for one by one.
  const namesShown = new Map(
    unit.results.map(({ bib, athlete_name }) => [bib, athlete_name] as const).toReversed(),
  );
  const athleteName = (bib: string) => {
    const { athlete_name, team_name } = namesOf(bib, event, scope.names);
    // Nobody known by that bib: then the name that came with the result, as the unit shows it.
    return athlete_name ?? team_name ?? namesShown.get(bib) ?? '';
  };
  const previous = {
    resultsStatus: before?.resultsStatus ?? 'empty',
    hasResults: before !== null && hadResults(scope, before),
    trials: before ? trialsOf(before.record) : [],
    live,
  };
  return [
    { competitionId, channel: unit.channel, event: 'unit', data: null, coalesce: true },
    ...overviewEvents(previous, unit, athleteName).map(({ event, data }) => ({
      competitionId,
      channel: overviewChannel(scope.competition),
      event,
      data: `${JSON.stringify(data).slice(0, -1)},"revision":`,
      coalesce: false,
    })),
  ];
}
