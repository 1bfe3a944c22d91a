// Rows of public results and start lists: one for each result of a unit, with who stands behind its bib. Pure.
import type { Row } from './csv-write.ts';

const UNIT_COLUMNS = ['event_id', 'event_code', 'event_name', 'round', 'heat', 'heat_name'];
const PERSON_COLUMNS = [
  'bib',
  'first_name',
  'last_name',
  'gender',
  'age_group',
  'nationality',
  'team_id',
  'team_name',
];

export const RESULT_COLUMNS: readonly string[] = [
  ...UNIT_COLUMNS,
  'wind',
  'place',
  'lane',
  ...PERSON_COLUMNS,
  'performance',
  'qualification',
  'points',
  'results_status',
];

export const START_COLUMNS: readonly string[] = [
  ...UNIT_COLUMNS,
  'scheduled_start_time',
  'lane',
  'order',
  ...PERSON_COLUMNS,
  'qp',
  'pb',
  'sb',
];

type Fields = Record<string, unknown>;

/** A unit as the public reads it. */
export type PublicUnit = Fields & { event_id: string; results: (Fields & { bib: string })[] };

/** Who stands behind bibs, as the public may know them. */
export type People = {
  competitor(id: string): Fields | undefined;
  relayTeam(eventId: string, id: string): Fields | undefined;
};

/** A row for each result. */
export function* resultRows(unit: PublicUnit, people: People): Iterable<Row> {
  for (const result of unit.results)
    yield {
      ...unitCells(unit),
      ...resultCells(result),
      ...personCells(unit.event_id, result, people),
      wind: filled(result['wind']) ?? unit['wind_assistance'],
      qualification: result['qualification'] ?? result['qualified'],
      results_status: unit['results_status'],
    };
}

/** A row for each starter: results without what was achieved. */
export function* startRows(unit: PublicUnit, people: People): Iterable<Row> {
  for (const result of unit.results) {
    const person = people.competitor(result.bib);
    yield {
      ...unitCells(unit),
      scheduled_start_time: unit['scheduled_start_time'],
      lane: result['lane'],
      order: result['order'],
      ...personCells(unit.event_id, result, people),
      ...marksOf(entryFor(unit, person), person),
      ...(filled(result['sp']) !== undefined && { qp: result['sp'] }),
    };
  }
}

/** An event of which no unit has a starter yet: a row for each entry. */
export function entryRow(event: Fields & { eventId: string }, person: Fields, entry: Fields): Row {
  return {
    event_id: event.eventId,
    event_code: event['event_code'],
    event_name: event['name'],
    ...knownPerson(person, String(person['competitor_id'])),
    ...marksOf(entry, person),
  };
}

const unitCells = (unit: PublicUnit): Row =>
  Object.fromEntries(UNIT_COLUMNS.map((name) => [name, unit[name]]));

const resultCells = ({ place, place_text, lane, performance, points }: Fields): Row => ({
  place: place ?? place_text,
  lane,
  performance,
  points,
});

function personCells(eventId: string, result: PublicUnit['results'][number], people: People): Row {
  const { bib, athlete_name, team_name } = result;
  const team = people.relayTeam(eventId, bib);
  if (team) return { bib, team_id: team['team_id'], team_name: team_name ?? team['name'] };
  const person = people.competitor(bib);
  if (person) return { ...knownPerson(person, bib), ...(filled(team_name) !== undefined && { team_name }) };
  return { bib, last_name: athlete_name, team_name };
}

function knownPerson(person: Fields, bib: string): Row {
  const { first_name, last_name, gender, age_group, nationality, team_id, team_name } = person;
  return { bib, first_name, last_name, gender, age_group, nationality, team_id, team_name };
}

const filled = (value: unknown): unknown => (value === '' || value === null ? undefined : value);

function entryFor(unit: PublicUnit, person: Fields | undefined): Fields {
  const entries = person?.['events_entered'];
  const list = Array.isArray(entries) ? (entries as Fields[]) : [];
  return list.find((entry) => entry['event_id'] === unit.event_id) ?? {};
}

// What was said of this event counts before what was said of the person, who may have bests of many.
const marksOf = (entry: Fields, person: Fields = {}): Row =>
  Object.fromEntries(['qp', 'pb', 'sb'].map((name) => [name, filled(entry[name]) ?? person[name]]));
