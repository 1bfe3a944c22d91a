// The older naming of the data site: the same documents with camelCase names, and the fields its readers look for. Pure.
import { CAMEL_FIELDS, type Fields, type Json, type Names } from './camel-fields.ts';

/** "r1_time" is r1Time; an underscore at the start stays. */
export const camelName = (name: string): string =>
  name.replace(/(?<=[^_])_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const PLAIN: Fields = {};
const NOBODY: Names = { team: () => undefined, runner: () => undefined };

/** A JSON text with camelCase names. */
export const camelText = (json: string): string =>
  JSON.stringify(camelValue(JSON.parse(json), PLAIN, NOBODY));

export const camelRecordText = (json: string): string => thingText(json, CAMEL_FIELDS.record);

export const camelEventText = (json: string): string => thingText(json, CAMEL_FIELDS.event);

export const camelRelayTeamText = (json: string, names: Names): string =>
  thingText(json, CAMEL_FIELDS.relayTeam, names);

export const camelCompetitorText = (json: string, names: Names): string =>
  thingText(json, CAMEL_FIELDS.competitor, names);

export const camelUnit = (json: string): Json =>
  completed(JSON.parse(json) as Json, CAMEL_FIELDS.unit, NOBODY);

/** Results outside of their units, as a list. */
export const camelResultsText = (json: string): string =>
  JSON.stringify(camelValue(JSON.parse(json), CAMEL_FIELDS.result, NOBODY));

const thingText = (json: string, fields: Fields, names = NOBODY): string =>
  JSON.stringify(completed(JSON.parse(json) as Json, fields, names));

/** The thing respelled, with the fields that are made. */
function completed(thing: Json, fields: Fields, names: Names): Json {
  const whole = respelled(thing, fields, names);
  for (const [name, make] of Object.entries(fields.made ?? {})) {
    const value = make(whole, names);
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}

function camelValue(value: unknown, fields: Fields, names: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => camelValue(item, fields, names));
  return typeof value === 'object' && value !== null ? completed(value as Json, fields, names) : value;
}

function respelled(thing: Json, { renamed, taken, lists }: Fields, names: Names): Json {
  const sources = new Map<string, string>();
  for (const name of Object.keys(thing)) {
    const spelled = (renamed && ownOf(renamed, name)) ?? camelName(name);
    if (taken?.includes(spelled)) continue;
    const rival = sources.get(spelled);
    if (rival === undefined || claim(name, spelled, renamed) > claim(rival, spelled, renamed))
      sources.set(spelled, name);
  }
  return Object.fromEntries(
    Array.from(sources, ([spelled, name]) => {
      const list = lists && ownOf(lists, spelled);
      return [spelled, camelValue(thing[name], list ? CAMEL_FIELDS[list] : PLAIN, names)];
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
