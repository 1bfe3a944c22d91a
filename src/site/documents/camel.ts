// The older naming of the data site: the same documents with camelCase names, and the fields its readers look for. Pure.
import { BIRTH_DATE_NAMES } from '../../birth-dates.ts';
import { CAMEL_FIELDS, type Fields, type Json, type Names } from './camel-fields.ts';

/** "r1_time" is r1Time; an underscore at the start stays. */
export const camelName = (name: string): string =>
  name.replace(/(?<=[^_])_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

// Judged after respelling: "date_of__birth" is dateOfBirth only then.
const WITHHELD: ReadonlySet<string> = new Set([...BIRTH_DATE_NAMES].map(camelName));
const NOTHING: ReadonlySet<string> = new Set();
const PLAIN: Fields = {};

/** A JSON text with camelCase names. */
export const camelText = (json: string): string => JSON.stringify(camelValue(JSON.parse(json), PLAIN, WITHHELD));

export const camelRecordText = (json: string): string => thingText(json, CAMEL_FIELDS.record);

export const camelEventText = (json: string): string => thingText(json, CAMEL_FIELDS.event);

export const camelRelayTeamText = (json: string, names: Names): string =>
  thingText(json, CAMEL_FIELDS.relayTeam, names);

/** @param birthDates whether they may stay, which the public view of the competitor has decided about */
export const camelCompetitorText = (json: string, names: Names, birthDates: boolean): string =>
  thingText(json, CAMEL_FIELDS.competitor, names, birthDates ? NOTHING : WITHHELD);

export function camelUnit(json: string): Json {
  return completed(JSON.parse(json) as Json, CAMEL_FIELDS.unit, NOBODY, WITHHELD);
}

const NOBODY: Names = { team: () => undefined, runner: () => undefined };

const thingText = (json: string, fields: Fields, names = NOBODY, withheld = WITHHELD): string =>
  JSON.stringify(completed(JSON.parse(json) as Json, fields, names, withheld));

/** The thing respelled, with the fields that are made. */
function completed(thing: Json, fields: Fields, names: Names, withheld: ReadonlySet<string>): Json {
  const respelledThing = respelled(thing, fields, withheld);
  for (const name of fields.taken ?? []) delete respelledThing[name];
  for (const [name, make] of Object.entries(fields.made ?? {})) {
    const value = make(respelledThing, names);
    if (value !== undefined) respelledThing[name] = value;
  }
  return respelledThing;
}

function camelValue(value: unknown, fields: Fields, withheld: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => camelValue(item, fields, withheld));
  if (typeof value !== 'object' || value === null) return value;
  return completed(value as Json, fields, NOBODY, withheld);
}

function respelled(thing: Json, { renamed, lists }: Fields, withheld: ReadonlySet<string>): Json {
  const sources = new Map<string, string>();
  for (const name of Object.keys(thing)) {
    const spelled = (renamed && ownOf(renamed, name)) ?? camelName(name);
    if (withheld.has(spelled)) continue;
    const rival = sources.get(spelled);
    if (rival === undefined || claim(name, spelled, renamed) > claim(rival, spelled, renamed))
      sources.set(spelled, name);
  }
  return Object.fromEntries(
    Array.from(sources, ([spelled, name]) => {
      const list = lists && ownOf(lists, spelled);
      return [spelled, camelValue(thing[name], list ? CAMEL_FIELDS[list] : PLAIN, withheld)];
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
