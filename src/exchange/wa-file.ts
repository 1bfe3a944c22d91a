// The file of results in the form of the World Athletics result import, made of records in pieces of JSON; and the report of what
// is missing in it. Pure.
import type { RoundHeat } from '../addresses.ts';
import { areRoundNumbers, parseRounds } from '../units/rules/rounds.ts';
import { isResultsState } from '../units/rules/state.ts';
import { markKind } from './wa-marks.ts';
import { createMissing, type MissingParts, type Path } from './wa-missing.ts';
import type { WaReport, WaVenue } from './wa-model.ts';
import {
  type Competitor,
  createMembers,
  type Members,
  type People,
  waAthlete,
  waCountry,
} from './wa-people.ts';
import { type RaceContext, roundType, type ShownUnit, waIdOf, waRace } from './wa-race.ts';

type Fields = Record<string, unknown>;

export type WaEvent = {
  eventId: string;
  eventCode: string;
  name: string;
  parent: string | null;
  rounds: string | null;
  record: Fields;
  /** Of all its units. */
  keys: RoundHeat[];
  /** By round and heat, with who may stand in them. */
  units: AsyncIterable<{ unit: ShownUnit; people: People }>;
};

/** A competition as it is read, event by event. */
export type WaSource = {
  competition: { firstDay: string; countryId: string; record: Fields };
  /** Ids of combined events. */
  parents: ReadonlySet<string>;
  events: () => AsyncIterable<WaEvent>;
  /** In their order. */
  competitors: (positions: ReadonlySet<number>) => AsyncIterable<Competitor>;
};

type Counts = Pick<WaReport, 'athletes' | 'relay_teams' | 'units' | 'races' | 'results' | 'left_out'>;
type Making = { source: WaSource; missing: MissingParts; members: Members; counts: Counts };

const start = (source: WaSource): Making => {
  const missing = createMissing();
  const counts = { athletes: 0, relay_teams: 0, units: 0, races: 0, results: 0, left_out: 0 };
  return { source, missing, members: createMembers(missing), counts };
};

/** The file. Races come before the people in it: who is in it is known after them. */
export const waFile = (source: WaSource): AsyncIterable<string> => pieces(start(source));

/** The report, as one piece behind empty ones: whoever takes them lets others have their turn. */
export async function* waReport(source: WaSource): AsyncIterable<string> {
  const making = start(source);
  for await (const piece of pieces(making)) yield piece.slice(0, 0);
  const { complete, ...told } = making.missing.told();
  yield JSON.stringify({ complete, ...making.counts, ...told } satisfies WaReport);
}

async function* pieces(making: Making): AsyncIterable<string> {
  const { source, missing, members, counts } = making;
  const waId = waIdOf(source.competition.record, 'wa_id');
  if (waId === undefined) missing.note({ path: [], field: 'waId', reason: 'The competition has no wa_id' });
  yield `{${waId === undefined ? '' : `"waId":${waId},`}"venues":${JSON.stringify(venuesOf(source, missing))},"units":[`;
  for await (const event of source.events()) yield* unitPieces(event, making);
  counts.relay_teams = members.relayTeams.length;
  yield `],"relayTeams":${JSON.stringify(members.relayTeams)},"athletes":[`;
  for await (const competitor of source.competitors(members.positions)) {
    const athlete = waAthlete(competitor, counts.athletes, missing);
    yield `${counts.athletes > 0 ? ',' : ''}${JSON.stringify(athlete)}`;
    counts.athletes += 1;
  }
  yield ']}';
}

function venuesOf({ competition: { countryId, record } }: WaSource, missing: MissingParts): WaVenue[] {
  const name = [record['address'], record['city']].filter(Boolean).join(', ');
  const country = waCountry(countryId);
  if (name === '') {
    missing.note({ path: ['venues'], field: 'name', reason: 'The competition has neither address nor city' });
    return [];
  }
  if (!country)
    missing.note({ path: ['venues', 0], field: 'country', reason: `World Athletics has no ${countryId}` });
  return [{ id: 1, name, ...(country && { country }) }];
}

/** An event with those of its units that have results: nothing of one that has none. */
async function* unitPieces(event: WaEvent, making: Making): AsyncIterable<string> {
  const { source, missing, members, counts } = making;
  const { parents, competition } = source;
  const path: Path = ['units', counts.units];
  const lastRound = lastRoundOf(event);
  const type = { eventCode: event.eventCode, isPart: Boolean(event.parent) };
  const at = { round: 0, rounds: -1, races: 0 };
  let waiting = 0;
  for await (const { unit, people } of event.units) {
    if (!isResultsState(String(unit['results_status'])) || unit.results.length === 0) {
      waiting += 1;
      continue;
    }
    const heats = event.keys.filter(({ round }) => round === unit.round).length;
    const context: RaceContext = {
      event,
      kind: markKind(event.eventCode, parents.has(event.eventId)),
      indoors: /^indoor$/i.test(String(competition.record['type'])),
      firstDay: competition.firstDay,
      starters: members.startersOf(event.eventId, people),
      heats,
    };
    if (at.rounds < 0) yield openUnit(event, path, making);
    if (unit.round !== at.round) {
      const name = roundType({ round: unit.round, heats, rounds: lastRound }, type);
      yield `${at.rounds < 0 ? '' : ']},'}{${name ? `"type":"${name}",` : ''}"races":[`;
      Object.assign(at, { round: unit.round, rounds: at.rounds + 1, races: 0 });
    }
    const here = [...path, 'rounds', at.rounds, 'races', at.races];
    const named = `${event.eventId}, round ${unit.round}, heat ${unit.heat}`;
    const { race, leftOut } = waRace(unit, context, (found) =>
      missing.note({ ...found, path: [...here, ...found.path], reason: `${named}: ${found.reason}` }),
    );
    yield `${at.races > 0 ? ',' : ''}${JSON.stringify(race)}`;
    at.races += 1;
    counts.races += 1;
    counts.results += race.results.length;
    counts.left_out += leftOut;
  }
  if (at.rounds >= 0) yield ']}]}';
  if (waiting > 0)
    missing.note({
      path: at.rounds < 0 ? ['units'] : path,
      field: 'races',
      reason: `${event.eventId}: ${waiting} of its heats have no results yet, and are left out`,
    });
}

function openUnit({ eventId, name, record }: WaEvent, path: Path, { missing, counts }: Making): string {
  const waEventId = waIdOf(record, 'wa_event_id', 'world_athletics_event_id', 'wa_id');
  if (waEventId === undefined)
    missing.note({ path, field: 'waEventId', reason: `Event ${eventId} has no wa_event_id` });
  const head = { ...(waEventId && { waEventId }), ...(name && { title: name }), rounds: [] };
  counts.units += 1;
  return `${counts.units > 1 ? ',' : ''}${JSON.stringify(head).slice(0, -2)}`;
}

/** As heat names count them: by `rounds`, else by the units. */
function lastRoundOf({ rounds, keys }: WaEvent): number {
  const planned = areRoundNumbers(rounds, keys) ? [] : (parseRounds(rounds) ?? []);
  return keys.reduce((last, { round }) => Math.max(last, round), planned.length);
}
