// The older naming of the data site: the same documents with camelCase names. Pure.

type Json = Record<string, unknown>;

/** Names of the competition record that are not simply respelled. */
const RECORD_NAMES: ReadonlyMap<string, string> = new Map([
  ['country_id', 'country'],
  ['venue_id', 'venue'],
  ['organiser_id', 'organiser'],
]);

/** "r1_time" is r1Time; an underscore at the start stays. */
export const camelName = (name: string): string =>
  name.replace(/(?<=[^_])_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A JSON text with camelCase names. */
export const camelText = (json: string): string => JSON.stringify(camelValue(JSON.parse(json)));

/** The JSON text of a competition record, likewise. */
export function camelRecordText(json: string): string {
  const record = JSON.parse(json) as Json;
  return JSON.stringify(respelled(record, (name) => RECORD_NAMES.get(name) ?? camelName(name)));
}

function camelValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelValue);
  return typeof value === 'object' && value !== null ? respelled(value as Json, camelName) : value;
}

// A field that was sent under a name that another one is respelled to gives way.
function respelled(record: Json, spell: (name: string) => string): Json {
  const members = Object.entries(record).map(([name, value]) => {
    const spelled = spell(name);
    return { name: spelled, value: camelValue(value), same: spelled === name };
  });
  const taken = new Set(members.filter(({ same }) => !same).map(({ name }) => name));
  return Object.fromEntries(
    members.filter(({ name, same }) => !same || !taken.has(name)).map(({ name, value }) => [name, value]),
  );
}
