// An overview made of what was read for it. Pure.
import { overviewChannel, unitChannel } from '../../push/channels.ts';
import { marksAtHeights } from '../../units/rules/attempts.ts';
import { shownCode } from '../../units/rules/disciplines.ts';
import { isBeforeStart, isResultsState } from '../../units/rules/state.ts';
import type { UnitBody } from '../../units/saving/record.ts';
import { latestAttempt, resultsArrived } from '../../units/saving/unit-events.ts';
import type { Overview } from './overview-shape.ts';
import type { OverviewEvent, OverviewOf, OverviewUnit } from './overview-store.ts';

// As many lines as a ticker shows.
const MOST = 10;

type Read = {
  of: OverviewOf;
  events: OverviewEvent[];
  units: OverviewUnit[];
  /** Of this event alone. */
  eventId: string | undefined;
};

/** Of which units attempts and results are told. */
export const TOLD = {
  results: (units: OverviewUnit[]) => latest(units, ({ resultsStatus }) => isResultsState(resultsStatus)),
  attempts: (units: OverviewUnit[]) =>
    latest(units, ({ resultsStatus }) => !isResultsState(resultsStatus) && !isBeforeStart(resultsStatus)),
};

const latest = (units: OverviewUnit[], are: (unit: OverviewUnit) => boolean): OverviewUnit[] =>
  units
    .filter(are)
    .toSorted((one, other) => other.revision - one.revision)
    .slice(0, MOST);

type Shown = UnitBody & { revision: number; updated_at: string };

const shown = (texts: string[]) =>
  texts.map((text) => JSON.parse(text) as Shown).toSorted((one, other) => other.revision - one.revision);

/** @param texts of the units that TOLD names */
export function overviewFrom(
  { of, events, units, eventId }: Read,
  texts: { results: string[]; attempts: string[] },
): Overview {
  const unitsOf = new Map<string, OverviewUnit[]>();
  for (const unit of units) {
    const own = unitsOf.get(unit.eventId);
    if (own) own.push(unit);
    else unitsOf.set(unit.eventId, [unit]);
  }
  const parents = new Set(events.map(({ parent }) => parent));
  return {
    full_name: of.fullName,
    date: of.date,
    finish_date: of.finishDate,
    push_notifications: of.push,
    channels: { overview: overviewChannel(of) },
    revision: Number(of.revision),
    events: events
      .filter((event) => eventId === undefined || event.eventId === eventId)
      .map((event) => ({
        event_id: event.eventId,
        event_code: shownCode(event.eventCode),
        event_name: event.name,
        is_parent: parents.has(event.eventId),
        max_field_attempts: event.maxAttempts,
        cut_after_round: event.cutAfterRound,
        units: (unitsOf.get(event.eventId) ?? []).map((unit) => lineOf(of, unit)),
      })),
    latest_attempts: shown(texts.attempts).flatMap(attemptOf),
    latest_results: shown(texts.results)
      .filter(({ results }) => results.length > 0)
      .map((unit) => ({
        ...resultsArrived(unit),
        event_name: unit.event_name,
        revision: unit.revision,
        updated_at: unit.updated_at,
      })),
  };
}

const lineOf = (of: OverviewOf, unit: OverviewUnit) => ({
  round_no: unit.round,
  heat_no: unit.heat,
  heat_name: unit.heatName ?? '',
  day: unit.day,
  scheduled_start_time: unit.time,
  status: unit.status,
  results_status: unit.resultsStatus,
  revision: unit.revision,
  updated_at: unit.updatedAt.toISOString(),
  channel: unitChannel(of, unit),
});

/** The last attempt of a unit, as it was pushed; none where there was none, or it lacks what a push says. */
function attemptOf(unit: Shown): Overview['latest_attempts'] {
  const index = unit.trials.length - 1;
  const bib = unit.trials[index]?.bib;
  if (bib === undefined) return [];
  const name = unit.results.find((result) => result.bib === bib)?.athlete_name ?? '';
  const attempt = latestAttempt(unit, { index, marks: marksAtHeights(unit.trials)(index) }, () => name);
  if (!attempt) return [];
  return [{ ...attempt, event_name: unit.event_name, revision: unit.revision }];
}
