// A person by name, found in what was sent with a competition and taken out of it: names wherever they stand, what is personal beside
// their bib. Marks, places and bibs stay, for they matter to the others. Pure.
import { isPersonalName } from '../privacy/personal-names.ts';
import { nameKey } from '../competitions/names.ts';

export type Fields = Record<string, unknown>;

/** Everybody of one name in one competition: the bibs, and the ways in which the name is written. */
export type Person = { bibs: ReadonlySet<string>; words: ReadonlySet<string>; written: RegExp };

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const PAIRS = [
  ['first_name', 'last_name'],
  ['first_name_local', 'last_name_local'],
] as const;

/** The names of a competitor, first and last. */
const namesOf = (record: Fields): [first: string, last: string][] =>
  PAIRS.map(([first, last]): [string, string] => [text(record[first]), text(record[last])]).filter(
    ([first, last]) => first !== '' || last !== '',
  );

/** Whether a competitor has this name; either part may stand first, with or without a comma. */
export const isNamed = (record: Fields, name: string): boolean =>
  namesOf(record).some(([first, last]) =>
    [`${first} ${last}`, `${last} ${first}`, `${last}, ${first}`].map(nameKey).includes(nameKey(name)),
  );

/** @param others whatever else was sent: results name people whom no competitor stands for */
export function personIn(competitors: Fields[], others: unknown[], name: string): Person | null {
  const named = competitors.filter((record) => isNamed(record, name));
  const bibs = new Set(named.map((record) => text(record['competitor_id'])));
  const [first = '', ...rest] = name.trim().split(/\s+/);
  const given: [string, string] = [first.replace(/,$/, ''), rest.join(' ')];
  const written = writtenAs([...named.flatMap(namesOf), given]);
  const known = new Set(competitors.map((record) => record['competitor_id']));
  for (const result of others.flatMap(withBib))
    if (!known.has(result['bib']) && mentions(result['athlete_name'], written)) bibs.add(text(result['bib']));
  const isThere = bibs.size > 0 || others.some((other) => mentions(other, written));
  if (!isThere) return null;
  const words = new Set([...named.flatMap(namesOf), given].flat().filter(Boolean).map(nameKey));
  return { bibs, words, written };
}

/** Everything in it that has a bib. */
export function withBib(thing: unknown): Fields[] {
  if (Array.isArray(thing)) return thing.flatMap(withBib);
  if (typeof thing !== 'object' || thing === null) return [];
  return [...('bib' in thing ? [thing as Fields] : []), ...Object.values(thing).flatMap(withBib)];
}

function mentions(thing: unknown, written: RegExp): boolean {
  if (typeof thing === 'string') return thing.normalize('NFC').search(written) >= 0;
  return typeof thing === 'object' && thing !== null
    ? Object.entries(thing).some(([key, value]) => mentions(key, written) || mentions(value, written))
    : false;
}

const pattern = (part: string) =>
  part
    .normalize('NFC')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s+`);

/** Any of these names, whatever its letter case and space, within a text; one of a single word only where nothing else stands. */
function writtenAs(names: [first: string, last: string][]): RegExp {
  const forms = names.flatMap(([first, last]) => {
    const [one, other] = [pattern(first), pattern(last)];
    if (one === '' || other === '') return [String.raw`^\s*${one || other}\s*$`];
    return [String.raw`${one}\s+${other}`, String.raw`${other},?\s+${one}`];
  });
  return new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${forms.join('|')})(?![\p{L}\p{M}])`, 'giu');
}

const KEPT = new Set(
  'competitor_id gender age_group category team_id team_name sort_bib non_scorer checked_in'.split(' '),
);

/** A competitor without a name, and without any field that is not needed for the results. */
export function anonymousCompetitor(record: Fields): Fields {
  const kept = Object.entries(record).filter(([name, value]) => KEPT.has(name) && typeof value !== 'object');
  const entries = Array.isArray(record['events_entered']) ? (record['events_entered'] as Fields[]) : null;
  return {
    ...Object.fromEntries(kept),
    first_name: '',
    last_name: '',
    ...(entries && {
      events_entered: entries.map(({ event_id, event_code }) => ({ event_id, event_code })),
    }),
  };
}

const NAMES_OF_THINGS = new Set(['team_name', 'event_name', 'heat_name', 'round_name']);
const speaksOfPerson = (field: string) =>
  isPersonalName(field) || (/name/i.test(field) && !NAMES_OF_THINGS.has(field));

/** What was sent, without the person; the thing itself where nothing is to be taken out. */
export function withoutPerson<Thing>(thing: Thing, person: Person, theirs = false): Thing {
  if (typeof thing === 'string') return withoutName(thing, person) as Thing;
  if (typeof thing !== 'object' || thing === null) return thing;
  if (Array.isArray(thing)) {
    const items = thing.map((item: unknown) => withoutPerson(item, person, theirs));
    return items.every((item, index) => item === thing[index]) ? thing : (items as Thing);
  }
  const fields = thing as Fields;
  const owner = fields['bib'] ?? fields['competitor_id'];
  const own = typeof owner === 'string' ? person.bibs.has(owner) : theirs;
  const entries = Object.entries(fields);
  const left = entries.flatMap(([field, value]) => {
    if (withoutName(field, person) !== field || (own && isTelling(field, value, person))) return [];
    return [[field, withoutPerson(value, person, own)] as const];
  });
  const same = left.length === entries.length && left.every(([field, value]) => value === fields[field]);
  return same ? thing : (Object.fromEntries(left) as Thing);
}

const isTelling = (field: string, value: unknown, { words }: Person) =>
  speaksOfPerson(field) || (field !== 'bib' && typeof value === 'string' && words.has(nameKey(value)));

function withoutName(value: string, { written }: Person): string {
  const composed = value.normalize('NFC');
  const erased = composed.replaceAll(written, '–');
  return erased === composed ? value : erased;
}

const longest = (words: readonly string[]) =>
  words.reduce((best, word) => (word.length > best.length ? word : best), '');

/** What any record that holds the name has in it, for a first look: letters that have but one form and whose case is known. */
export function searchWord(name: string): string {
  return longest(name.match(/[a-z]{2,}/gi) ?? []) || longest(name.split(/[\s,]+/));
}
