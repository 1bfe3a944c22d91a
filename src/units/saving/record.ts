// The one unit JSON, which the data site serves, the push channel carries and the API answers. Rendered once per save, here. Pure.
import type { Address, RoundHeat } from '../../addresses.ts';
import { unitChannel } from '../../push/channels.ts';
import { trialsOf } from '../rules/attempts.ts';
import { combinedStandings, type Part } from '../rules/combined-standings.ts';
import { hasWind, isField, isRelay, shownCode } from '../rules/disciplines.ts';
import { closedResults, resultsOf, withWinds } from '../rules/field-results.ts';
import { isOfficial } from '../rules/state.ts';
import type { SentResult } from '../schemas.ts';
import { heatName } from '../rules/heat-name.ts';

/** Raised when the same stored record must be shown differently: units of an older version are rendered again at start. */
export const RENDER_VERSION = 4;

/** Who stands behind the bibs of a competition. */
export type Names = {
  competitor(
    competitorId: string,
  ): { firstName: string; lastName: string; teamId: string | null; gender: string | null } | undefined;
  team(teamId: string): string | undefined;
  /** `runners`: as stored, a list of competitor ids. */
  relayTeam(
    eventId: string,
    relayTeamId: string,
  ): { name: string; teamId: string | null; runners: unknown } | undefined;
};

/** What units show of their event. */
export type EventOfUnit = {
  eventId: string;
  eventCode: string;
  name: string;
  rounds: string | null;
  /** `max_field_attempts` as sent: how many rounds of attempts. */
  attempts: unknown;
  /** The combined event that it is part of. */
  parent: string | null;
  genders: string | null;
};

/** A unit as stored: its sent record, and the typed columns that have a value of their own. */
export type StoredUnit = RoundHeat & {
  status: string;
  resultsStatus: string;
  record: Record<string, unknown>;
};

type Shown = {
  address: Address;
  event: EventOfUnit;
  unit: StoredUnit;
  unitsOfEvent: RoundHeat[];
  names: Names;
  /** Of a combined event, in place of its results: see standingsOf. */
  standings?: SentResult[] | null;
};

/** The unit JSON without what its save adds: revision and time. */
export type UnitBody = ReturnType<typeof renderUnit>;

export function renderUnit({ address, event, unit, unitsOfEvent, names, standings }: Shown) {
  const { record } = unit;
  const runnersOf = runnersIn(event, names);
  return {
    event_id: event.eventId,
    event_code: shownCode(event.eventCode),
    event_name: event.name,
    round: unit.round,
    heat: unit.heat,
    round_no: unit.round,
    heat_no: unit.heat,
    ...record,
    heat_name: (record['heat_name'] as string | null) || heatName(event, unit, unitsOfEvent),
    status: unit.status,
    results_status: unit.resultsStatus,
    scheduled_start_time: record['scheduled_start_time'] ?? null,
    wind_assistance: record['wind_assistance'] ?? null,
    heights: record['heights'] ?? [],
    results: (standings ?? shownResults(unit, event)).map((result) => ({
      ...result,
      ...namesOf(result.bib, event, names),
      ...runnersOf(result.bib),
    })),
    trials: trialsOf(record),
    channel: unitChannel(address, { eventId: event.eventId, round: unit.round, heat: unit.heat }),
  };
}

/** The results of a unit as they are shown, names apart. */
export function shownResults(
  { record, status, resultsStatus }: Pick<StoredUnit, 'record' | 'status' | 'resultsStatus'>,
  { eventCode }: EventOfUnit,
): SentResult[] {
  const [results, trials] = [resultsOf(record), trialsOf(record)];
  const finished = status === 'finished';
  const closed = isField(eventCode) && trials.length > 0 && (finished || isOfficial(resultsStatus));
  const shown = closed ? closedResults(results, trials, { eventCode, finished }) : results;
  return hasWind(eventCode) && trials.length > 0 ? withWinds(shown, trials) : shown;
}

/** Those of a combined event: what was sent, and what the units of its parts come to. */
export const standingsOf = (
  record: StoredUnit['record'],
  { parts, genders, names }: { parts: Part[]; genders: string | null; names: Names },
): SentResult[] =>
  combinedStandings(resultsOf(record), {
    parts,
    genders,
    genderOf: (bib) => names.competitor(bib)?.gender ?? null,
    overridePlaces: Boolean(record['override_places']),
  });

/** The unit JSON of one save: the stringified record with its revision and time. */
export const unitText = (body: string, revision: number, updatedAt: Date): string =>
  unitTextAround(body, updatedAt).join(String(revision));

/** What of it stands before the revision and after it, for a save that does not know its revision yet. */
export const unitTextAround = (body: string, updatedAt: Date): [string, string] => [
  `${body.slice(0, -1)},"revision":`,
  `,"updated_at":"${updatedAt.toISOString()}"}`,
];

/** The names behind a bib: in relays the relay team of that event, then the team; else the competitor, then the team. */
export function namesOf(
  bib: string,
  event: EventOfUnit,
  names: Names,
): { athlete_name?: string; team_name?: string } {
  const teamOf = (id: string) => {
    const name = names.team(id);
    return name ? { team_name: name } : {};
  };
  if (isRelay(event.eventCode) || names.relayTeam(event.eventId, bib)) {
    const relay = names.relayTeam(event.eventId, bib);
    const name = relay?.name || (relay?.teamId && names.team(relay.teamId));
    return name ? { team_name: name } : teamOf(bib);
  }
  const competitor = names.competitor(bib);
  // In team races teams have bibs.
  if (!competitor) return teamOf(bib);
  const athlete = fullName(competitor);
  const team = competitor.teamId ? names.team(competitor.teamId) : undefined;
  return { ...(athlete && { athlete_name: athlete }), ...(team && { team_name: team }) };
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim();

// As many as results: a relay team named in thousands of them would make a text of gigabytes.
const MAX_RUNNERS_SHOWN = 20_000;

/** Who runs for the relay team behind a bib, in order. Of a runner without a name the bib is shown; where none has one, nothing. */
function runnersIn(event: EventOfUnit, names: Names): (bib: string) => { runner_names?: string[] } {
  let shown = 0;
  const nameOf = (id: string) => {
    const competitor = names.competitor(id);
    return competitor && fullName(competitor);
  };
  return (bib) => {
    const runners = names.relayTeam(event.eventId, bib)?.runners;
    if (!Array.isArray(runners)) return {};
    const ids = runners.map(String);
    const found = ids.map(nameOf);
    shown += ids.length;
    if (shown > MAX_RUNNERS_SHOWN || !found.some(Boolean)) return {};
    return { runner_names: found.map((name, index) => name || ids[index]!) };
  };
}
