// Merge of what was sent into a stored unit. Pure.
import { isDeepStrictEqual } from 'node:util';
import { keepGiven, trialsOf } from '../rules/attempts.ts';
import { attemptRounds } from '../rules/attempts-left.ts';
import { isCombined, isField } from '../rules/disciplines.ts';
import { resultsOf, resultsOfSeries } from '../rules/field-results.ts';
import type { EventOfUnit } from './record.ts';
import type { SentResult } from '../schemas.ts';
import type { UnitRow } from './unit-store.ts';

type Fields = Record<string, unknown>;

// Computed names win over sent ones.
const COMPUTED = new Set(
  (
    'event_id event_code event_name round heat round_no heat_no channel revision updated_at too_large url ' +
    'warnings'
  ).split(' '),
);

/** What of a sent unit is stored: everything but names that the service computes. */
export function storableUnit(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !COMPUTED.has(name)));
}

/**
 * A stored record with what was sent: fields replace, arrays replace whole, recorded attempts keep their ids. What the service made
 * up and gets back unchanged is no statement: it stays made up.
 * @param before the row as it is stored; null for a new unit
 */
export function mergedUnit(before: UnitRow | null, sent: Fields, event: EventOfUnit): Fields {
  const stored = before?.record ?? {};
  const stated = before ? withoutMadeUp(sent, before, event) : sent;
  const merged = { ...stored, ...stated };
  if (!sent['trials']) return merged;
  const { eventCode } = event;
  const trials = keepGiven(trialsOf(stored), trialsOf(sent), eventCode);
  const results = resultsOf(merged);
  const supplied = sent['results'] && results.some(isSupplied);
  if (supplied || results.length === 0 || !isField(eventCode)) return { ...merged, trials };
  // Nobody says what the series comes to: results follow it where they followed the attempts before.
  const rounds = attemptRounds(merged['rounds'], event);
  const followed = { ...stored, results, override_places: merged['override_places'] };
  return { ...merged, results: resultsOfSeries(followed, trials, { eventCode, rounds }), trials };
}

// Somebody says how the athlete did.
const isSupplied = ({ performance, place, place_text }: SentResult) =>
  performance || place != null || place_text;

const UNIT_DEFAULTS = ['status', 'results_status', 'heat_name'];
const RESULT_DEFAULTS = [
  'performance',
  'place',
  'points',
  'wind',
  'athlete_name',
  'team_name',
  'runner_names',
];

const isStated = (value: unknown) => value != null && value !== '';

/** Of these names those that are sent, though nobody has stated them before. */
const newlyStated = (names: string[], sent: Fields, stored: Fields | undefined) =>
  names.filter((name) => isStated(sent[name]) && !isStated(stored?.[name]));

const without = <Sent extends Fields>(sent: Sent, names: string[]): Sent =>
  names.length === 0
    ? sent
    : (Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name))) as Sent);

function withoutMadeUp(sent: Fields, { record, text }: UnitRow, { eventCode }: EventOfUnit): Fields {
  const storedOf = new Map(resultsOf(record).map((result) => [result.bib, result]));
  const fields = newlyStated(UNIT_DEFAULTS, sent, record);
  const results = resultsOf(sent).map((result) => {
    const stored = storedOf.get(result.bib);
    // The standings of a combined event list people whom nobody has sent.
    const known = stored ?? isCombined(eventCode);
    return { result, names: known ? newlyStated(RESULT_DEFAULTS, result, stored) : [] };
  });
  // The shown text is read only when something may have come from it.
  if (fields.length === 0 && results.every(({ names }) => names.length === 0)) return sent;
  const shown = JSON.parse(text) as Fields;
  const shownOf = new Map(resultsOf(shown).map((result) => [result.bib, result]));
  const stated = results.map(({ result, names }) => {
    const madeUp = names.filter((name) => isDeepStrictEqual(result[name], shownOf.get(result.bib)?.[name]));
    return without(result, madeUp);
  });
  const kept = without(
    sent,
    fields.filter((name) => sent[name] === shown[name]),
  );
  return stated.length > 0 ? { ...kept, results: stated } : kept;
}
