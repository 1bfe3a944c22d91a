// Marks as the World Athletics result import writes them: results, winds, attempts. Undefined where it has no text for one. Pure.
import { isField, isVertical } from '../units/rules/disciplines.ts';
import { parseMetres, parseSymbol } from '../units/rules/marks.ts';
import { announcedTime, readTime, timeText, windText } from './times.ts';
import { type Fault, fits, NO_WIND_INFORMATION, type WaIndividualResult } from './wa-model.ts';

/** What results of an event are: times, metres of a jump or throw, points of a combined event, metres run in a given time. */
export type MarkKind = 'time' | 'metres' | 'points' | 'distance';

export function markKind(eventCode: string, isCombined: boolean): MarkKind {
  if (isCombined) return 'points';
  if (isField(eventCode)) return 'metres';
  return /^(?:T\d+|\d+HR)$/i.test(eventCode) ? 'distance' : 'time';
}

const FAULT_WORDS: [RegExp, Fault][] = [
  [/^DNS\b/i, 'DNS'],
  [/^(?:DNF\b|R$|RET\b)/i, 'DNF'],
  // Also behind the time that it was run in: 56.03DQ.
  [/(?<![a-z])(?:DQ|DSQ)\b/i, 'DQ'],
  [/^(?:NM|NH|ND)\b/i, 'NM'],
];

const faultIn = (text: string): Fault | undefined => FAULT_WORDS.find(([word]) => word.test(text))?.[1];

/** A result; of its fields these are read. */
type Marked = Record<string, unknown>;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Whether anything is said of how it went. */
export const hasMark = (result: Marked, kind: MarkKind): boolean => marksOf(result, kind).length > 0;

function marksOf(result: Marked, kind: MarkKind): string[] {
  const { performance, place_text: placeText, points } = result;
  const said = [textOf(performance), kind === 'points' ? textOf(points) : ''].filter(Boolean);
  const decided = textOf(placeText);
  return faultIn(decided) ? [...said.filter(faultIn), decided] : said;
}

/** A mark, or what stands in place of one. */
export function waResult(result: Marked, kind: MarkKind): string | undefined {
  const [mark] = marksOf(result, kind);
  if (mark === undefined) return undefined;
  const fault = faultIn(mark);
  if (fault) return fault;
  if (kind === 'time') return waTime(mark);
  const text = kind === 'metres' ? parseMetres(mark) : mark.replace(/^0+(?=\d)/, '');
  return text !== undefined && (kind === 'metres' ? fits.metres : fits.whole)(text) ? text : undefined;
}

/** Hundredths; tenths are of a hand, which the model marks with an h. Whole seconds stand behind minutes. */
function waTime(mark: string): string | undefined {
  const [, digits = mark, hand] = /^(.*\d)\s*(h)$/i.exec(mark) ?? [];
  const time = readTime(digits);
  if (!time) return undefined;
  const tenths = Math.ceil(time.ms / 100) * 100;
  const text =
    hand || time.decimals === 1
      ? `${timeText(tenths, 1)}h`
      : time.decimals === 0
        ? timeText(time.ms, 0)
        : announcedTime(time);
  const whole = /^\d+$/.test(text) ? `0:${text.padStart(2, '0')}` : text;
  return fits.time(whole) ? whole : undefined;
}

/** A wind; undefined when there is none, or nobody can read it. */
export function waWind(wind: unknown): string | undefined {
  const text = windText(textOf(wind).replace(/\s*m\/s$/i, ''));
  return text !== null && fits.wind(text) ? text : undefined;
}

type Trial = { bib: string } & Record<string, unknown>;
export type Detail = NonNullable<WaIndividualResult['detail']>;
export type Attempts = {
  detail: Detail;
  /** Measured attempts whose wind the model asks for, and nobody has sent. */
  withoutWind: number;
};

/** Attempts of one athlete. Undefined when the model has no text for one of them: it knows them by their order alone. */
export function waAttempts(
  trials: Trial[],
  { eventCode, hasWind }: { eventCode: string; hasWind: boolean },
): Attempts | undefined {
  if (isVertical(eventCode)) return waHeights(trials);
  const rounds = inRounds(trials);
  const isJump = /J$/i.test(eventCode);
  const marks = rounds.map((trial) => markOf(trial?.['result'], isJump));
  const known = marks.filter((mark) => mark !== undefined && (isJump ? fits.jump : fits.throw)(mark));
  if (known.length < marks.length) return undefined;
  if (!hasWind) return { detail: known.map((result) => ({ result: result! })), withoutWind: 0 };
  const detail = known.map((result, at) => ({
    result: result!,
    wind: waWind(rounds[at]?.['wind']) ?? NO_WIND_INFORMATION,
  }));
  const isUnknown = ({ result, wind }: (typeof detail)[number]) =>
    fits.metres(result) && wind === NO_WIND_INFORMATION;
  return { detail, withoutWind: detail.filter(isUnknown).length };
}

const MOST_ROUNDS = 100;

/** By round. A round without an attempt, before others, was passed: the order alone says which one it was. */
function inRounds(trials: Trial[]): (Trial | null)[] {
  const rounds: (Trial | null)[] = [];
  for (const trial of trials) {
    const round = trial['round'];
    if (typeof round === 'number' && round >= 1 && round <= MOST_ROUNDS) {
      while (rounds.length < round) rounds.push(null);
      rounds[round - 1] = trial;
    }
  }
  return rounds;
}

function markOf(result: unknown, isJump: boolean): string | undefined {
  const text = textOf(result);
  const symbol = text === '' ? '-' : parseSymbol(text);
  // The model has no retirement in jumps: who retires jumps no more.
  return symbol === 'r' && isJump ? '-' : (symbol ?? parseMetres(text));
}

function waHeights(trials: Trial[]): Attempts | undefined {
  const heights: { height: string; jumpOff: unknown; attempts: string }[] = [];
  for (const { height, jump_off: jumpOff, result } of trials) {
    const metres = parseMetres(textOf(height));
    if (metres === undefined || !fits.metres(metres)) return undefined;
    const attempt = textOf(result).toLowerCase().replaceAll('p', '-');
    const last = heights.at(-1);
    if (last?.height === metres && (last.jumpOff ?? 0) === (jumpOff ?? 0)) last.attempts += attempt;
    else heights.push({ height: metres, jumpOff, attempts: attempt });
  }
  if (!heights.every(({ attempts }) => fits.seriesAtHeight(attempts))) return undefined;
  return { detail: heights.map(({ height, attempts }) => ({ height, attempts })), withoutWind: 0 };
}
