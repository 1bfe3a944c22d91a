// Rules across the fields of one upload, over values as sent: they run also when single fields are wrong.
import { Invalid } from '../errors.ts';
import type { Fault } from '../http/schemas.ts';
import type { CompetitionUpdate, Sent } from './schemas.ts';
import { pointlessMarks } from '../units/rules/marks-of-unit.ts';
import { MAX_UNITS_PER_EVENT, parseRounds } from '../units/rules/rounds.ts';

const isObject = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
// Of values as sent, only these can be compared: an object may not even have a text.
const isPlain = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

/** Every fault that no single field shows, with its path inside the body. */
export function crossFieldIssues(body: unknown): Fault[] {
  if (!isObject(body)) return [];
  return [
    ...dateFaults(body),
    ...repeatedKeys(body['competitors'], ['competitors'], ['competitor_id']),
    ...repeatedKeys(body['teams'], ['teams'], ['team_id']),
    ...repeatedKeys(body['relay_teams'], ['relay_teams'], ['event_id', 'relay_team_id']),
    ...repeatedKeys(body['events'], ['events'], ['event_id']),
    ...listOf(body['events']).flatMap((event, index) => eventFaults(event, ['events', index])),
  ];
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

function eventFaults(event: unknown, path: (string | number)[]): Fault[] {
  if (!isObject(event)) return [];
  const faults = repeatedKeys(event['units'], [...path, 'units'], ['round', 'heat'], Number);
  const { rounds } = event;
  if (typeof rounds === 'string' || typeof rounds === 'number') {
    const message = roundsFault(String(rounds));
    if (message) faults.push({ path: [...path, 'rounds'], message });
  }
  return [...faults, ...markFaults(event, path)];
}

// Of an event sent without its code the marks are judged when the stored code is at hand.
function markFaults({ event_code: code, units }: Sent, path: (string | number)[]): Fault[] {
  if (!isPlain(code)) return [];
  return listOf(units).flatMap((unit, index) =>
    (isObject(unit) ? pointlessMarks(unit, String(code)) : []).map((mark) => ({
      path: [...path, 'units', index, ...mark.path],
      message: mark.message,
    })),
  );
}

function roundsFault(rounds: string): string | undefined {
  const counts = parseRounds(rounds);
  if (!counts) return 'Must list the number of heats in each round, such as 8,3,1';
  const units = counts.reduce((sum, heats) => sum + heats, 0);
  return units > MAX_UNITS_PER_EVENT
    ? `Asks for ${units} units; ${MAX_UNITS_PER_EVENT} is the limit`
    : undefined;
}

// Keys are compared as they will be stored: ids as text, rounds and heats as numbers.
function repeatedKeys(
  list: unknown,
  path: (string | number)[],
  keys: string[],
  stored: (value: unknown) => string | number = String,
): Fault[] {
  const seen = new Map<string, number>();
  return listOf(list).flatMap((item, index) => {
    if (!isObject(item) || !keys.every((key) => isPlain(item[key]))) return [];
    const key = JSON.stringify(keys.map((name) => stored(item[name])));
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    const message = `The same ${keys.join(' and ')} as in item ${first}`;
    return first === undefined ? [] : [{ path: [...path, index, keys.at(-1)!], message }];
  });
}
