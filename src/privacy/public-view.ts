// Public view of what was sent: without the personal fields that came along, at any depth; and those put back for editors. Pure.
import { isPersonalName } from './personal-names.ts';
import { looksPersonal } from './personal-values.ts';

type Fields = Record<string, unknown>;

/**
 * Fields whose meaning is known: their values are what athletics needs, however they look. Names of people and things, ids,
 * times of this competition, marks.
 */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  (
    'id event_id event_code event_name name heat_name round_name bib place place_text performance mark result points ' +
    'athlete_name team_name team_id relay_team_id match_id competitor_id runners runner_names parent ' +
    'first_name last_name gender nationality category age_group age_groups genders attempt_id ot_athlete_id wa_id ' +
    'scheduled_start_time actual_start_time recorded_at updated_at r1_time r2_time r3_time r4_time ' +
    'status results_status rounds height heights initial_height wind wind_assistance channel flag_url'
  ).split(' '),
);

/**
 * A thing without its personal fields: those of telling names, and unknown ones whose values tell. The thing itself when it
 * has none, which is nearly always.
 * @param year of the competition
 */
export function withoutPersonal<Thing>(thing: Thing, year: number): Thing {
  if (Array.isArray(thing)) return itemsOf(thing, true, year) as Thing;
  return typeof thing === 'object' && thing !== null ? (membersOf(thing as Fields, year) as Thing) : thing;
}

/** The same of a JSON text. */
export function withoutPersonalText(json: string, year: number): string {
  const thing: unknown = JSON.parse(json);
  const shown = withoutPersonal(thing, year);
  return shown === thing ? json : JSON.stringify(shown);
}

const WITHHELD = Symbol('withheld');

function membersOf(thing: Fields, year: number): Fields {
  let shown: Fields | null = null;
  for (const name of Object.keys(thing)) {
    const value = isPersonalName(name) ? WITHHELD : shownValue(thing[name], KNOWN_FIELDS.has(name), year);
    if (value === thing[name]) continue;
    shown ??= { ...thing };
    if (value === WITHHELD) delete shown[name];
    else shown[name] = value;
  }
  return shown ?? thing;
}

function shownValue(value: unknown, known: boolean, year: number): unknown {
  if (typeof value === 'string') return !known && looksPersonal(value, year) ? WITHHELD : value;
  if (Array.isArray(value)) return itemsOf(value, known, year);
  return typeof value === 'object' && value !== null ? membersOf(value as Fields, year) : value;
}

function itemsOf(items: unknown[], known: boolean, year: number): unknown[] {
  let shown: unknown[] | null = null;
  for (const [index, item] of items.entries()) {
    const value = shownValue(item, known, year);
    if (value !== item) shown ??= items.slice(0, index);
    if (value !== WITHHELD) shown?.push(value);
  }
  return shown ?? items;
}

/**
 * The text of a unit, with that put back which it withholds of its record: for those who may edit it, who would lose it when
 * they send back what they have read.
 */
export function textForEditors({ text, record }: { text: string; record: Fields }, year: number): string {
  const seen = withoutPersonal(record, year);
  return seen === record ? text : JSON.stringify(restored(JSON.parse(text), record, seen));
}

/** @param seen what of `sent` is in `shown`; where both are the same nothing was withheld */
function restored(shown: unknown, sent: unknown, seen: unknown): unknown {
  if (sent === seen || typeof shown !== 'object' || shown === null) return shown;
  if (Array.isArray(sent) && Array.isArray(seen) && Array.isArray(shown))
    return restoredItems(shown, sent, seen);
  if (Array.isArray(sent) || Array.isArray(shown)) return sent;
  const [whole, part] = [sent as Fields, seen as Fields];
  const result: Fields = { ...(shown as Fields) };
  for (const name of Object.keys(whole)) {
    if (!Object.hasOwn(part, name)) result[name] = whole[name];
    else if (Object.hasOwn(result, name)) result[name] = restored(result[name], whole[name], part[name]);
  }
  return result;
}

// Results may be shown in another order than they were sent in, and rows may be made: a bib tells which is which.
function restoredItems(shown: unknown[], sent: unknown[], seen: unknown[]): unknown[] {
  if (sent.length !== seen.length) return sent;
  const places = new Map<unknown, number[]>();
  for (const [index, item] of sent.entries()) {
    const own = places.get(keyOf(item));
    if (own) own.push(index);
    else places.set(keyOf(item), [index]);
  }
  const turns = new Map<unknown, number>();
  return shown.map((item) => {
    const turn = turns.get(keyOf(item)) ?? 0;
    turns.set(keyOf(item), turn + 1);
    const index = places.get(keyOf(item))?.[turn];
    return index === undefined ? item : restored(item, sent[index], seen[index]);
  });
}

function keyOf(item: unknown): unknown {
  const bib = typeof item === 'object' && item !== null ? (item as Fields)['bib'] : undefined;
  return typeof bib === 'object' ? undefined : bib;
}
