// Units of a competition as races of the World Athletics result import, and what it asks for that they do not have. Pure.
import { hasWind, isField, isRelay } from '../units/rules/disciplines.ts';
import { seriesByBib } from '../units/rules/series.ts';
import { hasMark, type MarkKind, waAttempts, waResult, waWind } from './wa-marks.ts';
import type { Missing } from './wa-missing.ts';
import { type RoundType, type WaIndividualResult, type WaRace, type WaRelayResult } from './wa-model.ts';

type Fields = Record<string, unknown>;

/** A unit as it is shown. */
export type ShownUnit = Fields & { round: number; heat: number; results: Bibbed[]; trials: Bibbed[] };
type Bibbed = Fields & { bib: string };

/** Local ids of who stands behind bibs. Asking for one takes them into the file. */
export type Starters = {
  athlete(bib: string): number | undefined;
  relayTeam(bib: string, isRelay: boolean): { id: number; legs: number[]; unknown: string[] } | undefined;
};

export type RaceContext = {
  event: { eventId: string; eventCode: string; record: Fields };
  kind: MarkKind;
  indoors: boolean;
  /** First day of the competition. */
  firstDay: string;
  starters: Starters;
  /** How many heats its round has: with one, places in the race are places in the round. */
  heats: number;
};

type Note = (missing: Missing) => void;

/** The race, and how many of its results had to be left out. */
export function waRace(unit: ShownUnit, context: RaceContext, note: Note): { race: WaRace; leftOut: number } {
  const { event, starters } = context;
  const isOfRelay = isRelay(event.eventCode);
  const teams = unit.results.map(({ bib }) => starters.relayTeam(bib, isOfRelay));
  // The model has races of relay teams and races of athletes, and none of both.
  const isRelayRace = isOfRelay || teams.some(Boolean);
  const results = isRelayRace ? relayResults(unit, teams, context, note) : ownResults(unit, context, note);
  const wind = isField(event.eventCode) ? undefined : waWind(unit['wind_assistance']);
  const startTime = timeOfDay(unit['actual_start_time']) ?? timeOfDay(unit['scheduled_start_time']);
  const race: WaRace = {
    number: unit.heat,
    ...(wind && { wind }),
    date: dayOf(unit, context),
    ...(startTime && { startTime }),
    results,
  };
  return { race, leftOut: unit.results.length - results.length };
}

function relayResults(
  unit: ShownUnit,
  teams: ReturnType<Starters['relayTeam']>[],
  context: RaceContext,
  note: Note,
): WaRelayResult[] {
  const results: WaRelayResult[] = [];
  for (const [index, result] of unit.results.entries()) {
    const team = teams[index];
    const path = ['results', results.length];
    if (!team) {
      note(leftOut('relayTeamId', `Bib ${result.bib} is no relay team`));
      continue;
    }
    for (const bib of team.unknown)
      note({ path, field: 'legs', reason: `Runner ${bib} of ${result.bib} is no competitor: left out` });
    results.push({
      relayTeamId: team.id,
      ...(team.legs.length > 0 && { legs: team.legs }),
      ...outcome(result, context, (missing) => note({ ...missing, path })),
    });
  }
  return results;
}

const leftOut = (field: string, reason: string): Missing => ({
  path: ['results'],
  field,
  reason: `${reason}: the result is left out`,
});

function ownResults(unit: ShownUnit, context: RaceContext, note: Note): WaIndividualResult[] {
  const { starters, event, indoors } = context;
  const series = isField(event.eventCode) ? seriesByBib(unit.trials) : new Map<string, Bibbed[]>();
  const winds = hasWind(event.eventCode) && !indoors;
  const results: WaIndividualResult[] = [];
  let withoutWind = 0;
  for (const result of unit.results) {
    const athleteId = starters.athlete(result.bib);
    const path = ['results', results.length];
    if (athleteId === undefined) {
      note(leftOut('athleteId', `Bib ${result.bib} is no competitor`));
      continue;
    }
    const own = series.get(result.bib) ?? [];
    const attempts = own.length > 0 ? waAttempts(own, { ...event, hasWind: winds }) : undefined;
    if (own.length > 0 && !attempts)
      note({ path, field: 'detail', reason: `The model has no text for an attempt of ${result.bib}` });
    withoutWind += attempts?.withoutWind ?? 0;
    const wind = winds ? waWind(result['wind']) : undefined;
    results.push({
      athleteId,
      ...(wind && { wind }),
      ...outcome(result, context, (missing) => note({ ...missing, path })),
      ...(attempts && { detail: attempts.detail }),
    });
  }
  if (withoutWind > 0)
    note({
      path: ['results'],
      field: 'detail.wind',
      reason: `Measured attempts without a wind: ${withoutWind}; NWI stands in its place`,
    });
  return results;
}

const ADVANCED = ['Q', 'q'] as const;

function outcome(result: Bibbed, { kind, heats }: RaceContext, note: Note) {
  const { place, qualification, qualified, out_of_competition: outOfCompetition } = result;
  const mark = waResult(result, kind);
  if (mark === undefined) {
    const said = hasMark(result, kind);
    const reason = said ? `The model has no text for the result of ${result.bib}` : `${result.bib} has none`;
    note({ path: [], field: 'result', reason });
  }
  const advanced = ADVANCED.find((one) => one === qualification || one === qualified);
  return {
    ...(mark !== undefined && { result: mark }),
    ...(outOfCompetition === true && { outOfCompetition }),
    ...(typeof place === 'number' && { placeInRace: place, ...(heats === 1 && { placeInRound: place }) }),
    ...(advanced && { qualified: advanced }),
  };
}

const MS_A_DAY = 86_400_000;

/** Meetings of one day need not say which day it is; rounds of an event may have days of their own. */
function dayOf(unit: ShownUnit, { event: { record }, firstDay }: RaceContext): string {
  const days = [unit['day'], record[`r${unit.round}_day`], unit.round === 1 ? record['day'] : undefined];
  const day = Number(days.find((one) => /^[1-9]\d?$/.test(String(one))) ?? 1);
  return new Date(Date.parse(firstDay) + (day - 1) * MS_A_DAY).toISOString().slice(0, 10);
}

/** `15:45` as `15:45:00`; of a whole time stamp what the clock there says. */
function timeOfDay(sent: unknown): string | undefined {
  const text = typeof sent === 'string' ? sent.trim() : '';
  const [, hour, minute, second = '00'] =
    /^(?:\d{4}-\d\d-\d\d[T ])?([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/.exec(
      text,
    ) ?? [];
  return hour === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}:${second}`;
}

/** What a round of an event is called; parts of combined events are none of these. */
export function roundType(
  { round, heats, rounds }: { round: number; heats: number; rounds: number },
  { eventCode, isPart }: { eventCode: string; isPart: boolean },
): RoundType | undefined {
  if (isPart) return undefined;
  const before = rounds - round;
  if (before <= 0) return heats > 1 && rounds > 1 ? 'Final A-B' : 'Final';
  if (isField(eventCode)) return before === 1 ? 'Qualification' : 'Preliminary Round';
  if (before === 1 && rounds >= 3) return 'Semifinal';
  if (before === 2 && rounds >= 4) return 'Quarterfinal';
  return round === 1 && rounds >= 5 ? 'Preliminary Round' : 'Round 1';
}

/** An id that World Athletics gave, as it was sent: a number, or its digits. */
export function waIdOf(record: Fields, ...names: string[]): number | undefined {
  const sent = names.map((name) => record[name]).find((id) => /^[1-9]\d{0,14}$/.test(String(id)));
  return sent === undefined ? undefined : Number(sent);
}
