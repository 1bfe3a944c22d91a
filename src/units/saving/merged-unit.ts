// Merge of what was sent into a stored unit. Pure.
import { keepGiven, trialsOf } from '../rules/attempts.ts';
import { attemptRounds } from '../rules/attempts-left.ts';
import { isField } from '../rules/disciplines.ts';
import { resultsOf, resultsOfSeries } from '../rules/field-results.ts';
import type { SentResult } from '../schemas.ts';
import type { EventOfUnit } from './record.ts';
import type { UnitRow } from './unit-store.ts';

type Fields = Record<string, unknown>;

// Computed names win over sent ones.
const COMPUTED = new Set(
  'event_id event_code event_name round heat round_no heat_no channel revision updated_at too_large url'.split(
    ' ',
  ),
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
  const stated = before ? withoutMadeUp(sent, before) : sent;
  const merged = { ...stored, ...stated };
  if (!sent['trials']) return merged;
  const { eventCode } = event;
  const trials = keepGiven(trialsOf(stored), trialsOf(sent), eventCode);
  const results = resultsOf(merged);
  const supplied = sent['results'] && results.some(({ performance, place }) => performance || place != null);
  if (supplied || results.length === 0 || !isField(eventCode)) return { ...merged, trials };
  // Nobody says what the series comes to: results follow it where they followed the attempts before.
  const rounds = attemptRounds(merged['rounds'], event.attempts);
  const followed = { ...stored, results, override_places: merged['override_places'] };
  return { ...merged, results: resultsOfSeries(followed, trials, { eventCode, rounds }), trials };
}

const UNIT_DEFAULTS = ['status', 'results_status', 'heat_name'];
const RESULT_DEFAULTS = ['performance', 'athlete_name', 'team_name'];

const isStated = (value: unknown) => value != null && value !== '';

function withoutMadeUp(sent: Fields, { record, text }: UnitRow): Fields {
  const names = UNIT_DEFAULTS.filter((name) => isStated(sent[name]) && !isStated(record[name]));
  const sentResults = resultsOf(sent);
  if (names.length === 0 && sentResults.length === 0) return sent;
  const shown = JSON.parse(text) as Fields;
  const madeUp = new Set(names.filter((name) => sent[name] === shown[name]));
  const kept = Object.fromEntries(Object.entries(sent).filter(([name]) => !madeUp.has(name)));
  return sentResults.length > 0 ? { ...kept, results: statedResults(sentResults, record, shown) } : kept;
}

function statedResults(sent: SentResult[], record: Fields, shown: Fields): SentResult[] {
  const storedOf = new Map(resultsOf(record).map((result) => [result.bib, result]));
  const shownOf = new Map(resultsOf(shown).map((result) => [result.bib, result]));
  return sent.map((result) => {
    const [stored, shownResult] = [storedOf.get(result.bib), shownOf.get(result.bib)];
    const madeUp = RESULT_DEFAULTS.filter(
      (name) => isStated(result[name]) && !isStated(stored?.[name]) && result[name] === shownResult?.[name],
    );
    if (!stored || madeUp.length === 0) return result;
    return Object.fromEntries(
      Object.entries(result).filter(([name]) => !madeUp.includes(name)),
    ) as SentResult;
  });
}
