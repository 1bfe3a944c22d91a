// Rules across the fields of one upload, over values as sent: they run also when single fields are wrong.
import { Invalid } from '../errors.ts';
import type { Fault } from '../http/schemas.ts';
import type { CompetitionUpdate, Sent } from './schemas.ts';
import { attemptFaults } from '../units/rules/attempt-limit.ts';
import { pointlessMarks } from '../units/rules/marks-of-unit.ts';
import {
  MAX_UNITS_PER_EVENT,
  MAX_UNITS_PER_UPLOAD,
  parseRounds,
  unitsAskedFor,
} from '../units/rules/rounds.ts';

type Path = Fault['path'];

const isObject = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
// Of values as sent, only these can be compared: an object may not even have a text.
const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

/** How many of each an upload takes at once. */
export const MAX_PER_UPLOAD = { competitors: 100_000, teams: 20_000, relay_teams: 20_000, events: 5000 };

/** Every fault that no single field shows, with its path inside the body; found as they are asked for. */
export function* crossFieldIssues(body: unknown): Iterable<Fault> {
  if (!isObject(body)) return;
  yield* dateFaults(body);
  for (const [section, keys] of KEYS) {
    const list = listOf(body[section]);
    if (list.length <= MAX_PER_UPLOAD[section]) yield* repeatedKeys(list, [section], keys);
  }
  const events = listOf(body['events']);
  if (events.length > MAX_PER_UPLOAD.events) return;
  yield* tooManyUnits(events);
  yield* repeatedKeys(events.map(numberedOnly), ['events'], ['lynx_event_no'], Number);
  for (const [index, event] of events.entries()) yield* eventFaults(event, ['events', index]);
}

function numberedOnly(event: unknown): unknown {
  const no = isObject(event) ? event['lynx_event_no'] : undefined;
  return isPlain(no) && String(no).trim() !== '' ? event : null;
}

const KEYS = [
  ['competitors', ['competitor_id']],
  ['teams', ['team_id']],
  ['relay_teams', ['event_id', 'relay_team_id']],
  ['events', ['event_id']],
] as const;

// Few characters ask for many units: "1000" for a thousand.
function* tooManyUnits(events: unknown[]): Iterable<Fault> {
  const counts = events.map((event) => (isObject(event) ? unitsOf(event) : 0));
  const units = counts.reduce((sum, count) => sum + count, 0);
  if (units <= MAX_UNITS_PER_UPLOAD) return;
  const limit = MAX_UNITS_PER_UPLOAD.toLocaleString('en');
  const message = `Ask for ${units.toLocaleString('en')} units together; ${limit} is the limit of an upload: send fewer events at a time`;
  yield { path: ['events'], message };
}

function unitsOf({ units, rounds }: Sent): number {
  if (units != null) return listOf(units).length;
  return unitsAskedFor(isPlain(rounds) ? parseRounds(String(rounds)) : null);
}

/** @throws Invalid when a competitor's year of birth is still to come */
export function requireBorn({ competitors }: Pick<CompetitionUpdate, 'competitors'>, now: Date): void {
  const thisYear = now.getUTCFullYear();
  const issues = (competitors ?? []).flatMap(({ year_of_birth: year }, index) =>
    year != null && year > thisYear
      ? [
          {
            loc: ['body', 'competitors', index, 'year_of_birth'],
            msg: `Must be a year from 1850 to ${thisYear}`,
            type: 'value_error',
          },
        ]
      : [],
  );
  if (issues.length) throw new Invalid(issues);
}

function dateFaults(body: Sent): Fault[] {
  const { date, finish_date: finish, year } = body;
  const faults: Fault[] = [];
  if (!isDay(date)) return faults;
  if (isDay(finish) && finish < date)
    faults.push({ path: ['finish_date'], message: 'Must not be before date' });
  if (isPlain(year) && String(year).trim() !== '' && Number(year) !== Number(date.slice(0, 4))) {
    faults.push({ path: ['year'], message: `Must be the year of date, ${date.slice(0, 4)}` });
  }
  return faults;
}

function* eventFaults(event: unknown, path: Path): Iterable<Fault> {
  if (!isObject(event)) return;
  const units = listOf(event['units']);
  if (units.length <= MAX_UNITS_PER_EVENT) {
    yield* repeatedKeys(units, [...path, 'units'], ['round', 'heat'], Number);
    for (const [index, unit] of units.entries()) {
      if (isObject(unit)) yield* attemptFaults(unit['trials'], [...path, 'units', index]);
    }
  }
  const { rounds } = event;
  const message = isPlain(rounds) ? roundsFault(String(rounds)) : undefined;
  if (message) yield { path: [...path, 'rounds'], message };
  if (units.length <= MAX_UNITS_PER_EVENT) yield* markFaults(event, path);
}

// Of an event sent without its code the marks are judged when the stored code is at hand.
function* markFaults({ event_code: code, units }: Sent, path: Path): Iterable<Fault> {
  if (!isPlain(code)) return;
  for (const [index, unit] of listOf(units).entries()) {
    if (!isObject(unit)) continue;
    for (const mark of pointlessMarks(unit, String(code)))
      yield { path: [...path, 'units', index, ...mark.path], message: mark.message };
  }
}

function roundsFault(rounds: string): string | undefined {
  const counts = parseRounds(rounds);
  if (!counts) return 'Must list the number of heats in each round, such as 8,3,1';
  const units = unitsAskedFor(counts);
  return units > MAX_UNITS_PER_EVENT
    ? `Asks for ${units} units; ${MAX_UNITS_PER_EVENT} is the limit`
    : undefined;
}

// Of a list of nothing but repetitions these say enough.
const MAX_REPETITIONS = 10_000;

// Keys are compared as they will be stored: ids as text, rounds and heats as numbers. No generator: its loop would stay slow.
function repeatedKeys(
  list: unknown[],
  path: Path,
  keys: readonly string[],
  stored: (value: unknown) => string | number = String,
): Fault[] {
  const seen = new Map<string, number>();
  const faults: Fault[] = [];
  for (let index = 0; index < list.length && faults.length < MAX_REPETITIONS; index++) {
    const item = list[index];
    if (!isObject(item) || !keys.every((key) => isPlain(item[key]))) continue;
    const values = keys.map((name) => stored(item[name]));
    const key = values.length === 1 ? String(values[0]) : JSON.stringify(values);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else {
      const message = `The same ${keys.join(' and ')} as in item ${first}`;
      faults.push({ path: [...path, index, keys.at(-1)!], message });
    }
  }
  return faults;
}
