// The older naming of the data site: the same documents with camelCase names, and the fields its readers look for. Pure.
import { BIRTH_DATE_NAMES } from '../../birth-dates.ts';
import { CAMEL_FIELDS, type Fields, type Json, type Names } from './camel-fields.ts';

/** "r1_time" is r1Time; an underscore at the start stays. */
export const camelName = (name: string): string =>
  name.replace(/(?<=[^_])_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

// Judged after respelling: "date_of__birth" is dateOfBirth only then.
const WITHHELD: ReadonlySet<string> = new Set([...BIRTH_DATE_NAMES].map(camelName));
const PLAIN: Fields = {};

/** Where names of teams and runners are found, and which fields do not leave. */
type Manner = { names: Names; withheld: ReadonlySet<string> };

const NOBODY: Names = { team: () => undefined, runner: () => undefined };
const PRIVATE: Manner = { names: NOBODY, withheld: WITHHELD };
const SHOWN_BIRTH_DATES: ReadonlySet<string> = new Set();

/** A JSON text with camelCase names. */
export const camelText = (json: string): string =>
  JSON.stringify(camelValue(JSON.parse(json), PLAIN, PRIVATE));

export const camelRecordText = (json: string): string => thingText(json, CAMEL_FIELDS.record);

export const camelEventText = (json: string): string => thingText(json, CAMEL_FIELDS.event);

export const camelRelayTeamText = (json: string, names: Names): string =>
  thingText(json, CAMEL_FIELDS.relayTeam, { ...PRIVATE, names });

/** @param birthDates whether they may stay, which the public view of the competitor has decided about */
export const camelCompetitorText = (json: string, names: Names, birthDates: boolean): string =>
  thingText(json, CAMEL_FIELDS.competitor, { names, withheld: birthDates ? SHOWN_BIRTH_DATES : WITHHELD });

export const camelUnit = (json: string): Json =>
  completed(JSON.parse(json) as Json, CAMEL_FIELDS.unit, PRIVATE);

/** Results outside of their units, as a list. */
export const camelResultsText = (json: string): string =>
  JSON.stringify(camelValue(JSON.parse(json), CAMEL_FIELDS.result, PRIVATE));

const thingText = (json: string, fields: Fields, manner = PRIVATE): string =>
  JSON.stringify(completed(JSON.parse(json) as Json, fields, manner));

/** The thing respelled, with the fields that are made. */
function completed(thing: Json, fields: Fields, manner: Manner): Json {
  const whole = respelled(thing, fields, manner);
  for (const [name, make] of Object.entries(fields.made ?? {})) {
    const value = make(whole, manner.names);
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

function camelValue(value: unknown, fields: Fields, manner: Manner): unknown {
  if (Array.isArray(value)) return value.map((item) => camelValue(item, fields, manner));
  return typeof value === 'object' && value !== null ? completed(value as Json, fields, manner) : value;
}

function respelled(thing: Json, { renamed, taken, lists }: Fields, manner: Manner): Json {
  const sources = new Map<string, string>();
  for (const name of Object.keys(thing)) {
    const spelled = (renamed && ownOf(renamed, name)) ?? camelName(name);
    if (manner.withheld.has(spelled) || taken?.includes(spelled)) continue;
    const rival = sources.get(spelled);
    if (rival === undefined || claim(name, spelled, renamed) > claim(rival, spelled, renamed))
      sources.set(spelled, name);
  }
  return Object.fromEntries(
    Array.from(sources, ([spelled, name]) => {
      const list = lists && ownOf(lists, spelled);
      return [spelled, camelValue(thing[name], list ? CAMEL_FIELDS[list] : PLAIN, manner)];
    }),
  );
}

const ownOf = <Value>(table: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** How good a claim a name has to its spelling when several are spelled alike: our own names are plain snake case. */
function claim(name: string, spelled: string, renamed: Fields['renamed']): number {
  if (renamed && Object.hasOwn(renamed, name)) return 3;
  if (name === spelled.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) return 2;
  return name === spelled ? 1 : 0;
}
