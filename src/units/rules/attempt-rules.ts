// Rules of which attempts a unit takes and where in its series they go. Pure. Uploads are not judged by them.
import { Conflict, Invalid } from '../../errors.ts';
import { MAX_ATTEMPTS_PER_ATHLETE, TOO_MANY_ATTEMPTS } from './attempt-limit.ts';
import { isField, isPushedByHeight, isVertical } from './disciplines.ts';
import { centimetres, parseMetres, parseSymbol } from './marks.ts';
import { markJudge } from './plausible-marks.ts';
import type { SentAttempt, SentTrial } from '../schemas.ts';
import { isRetirement, jumpOffOf, verticalCard } from './standings.ts';

const invalid = (field: string, msg: string) =>
  new Invalid([{ loc: ['body', field], msg, type: field === 'bib' ? 'unknown_bib' : 'value_error' }]);

/** The attempt as it is stored: marks with a point and two decimals, symbols in lower case. @throws Invalid */
export function normalizedAttempt(sent: SentAttempt, eventCode: string, rounds: number): SentTrial {
  if (!isField(eventCode)) {
    throw new Invalid([
      { loc: ['path', 'event_id'], msg: `${eventCode || 'This event'} has no attempts`, type: 'value_error' },
    ]);
  }
  const { attempt: _attempt, jump_off: jumpOff, height, round, wind, ...rest } = sent;
  const common = {
    ...rest,
    ...(wind != null && { wind: typeof wind === 'string' ? wind.replace(',', '.') : wind }),
  };
  if (!isVertical(eventCode))
    return { ...common, round: roundOf(round, rounds), result: horizontalResult(sent.result, eventCode) };
  requirePoint('height', height ?? '', eventCode);
  const metres = parseMetres(height ?? '');
  if (!metres) throw invalid('height', 'The height of the bar in metres is needed, such as 1.85');
  // Elsewhere attempts are pushed by their round, where there is one.
  const byRound = round != null && !isPushedByHeight(eventCode) && { round };
  const vertical = { ...common, ...byRound, height: metres, result: verticalResult(sent.result) };
  return jumpOff == null ? vertical : { ...vertical, jump_off: jumpOff };
}

function roundOf(round: number | null | undefined, rounds: number): number {
  if (round == null) throw invalid('round', 'Field required');
  if (round > rounds) throw invalid('round', `This unit has ${rounds} rounds of attempts`);
  return round;
}

function horizontalResult(result: string, eventCode: string): string {
  requirePoint('result', result, eventCode);
  const symbol = parseSymbol(result);
  const mark = symbol === 'o' ? undefined : (symbol ?? parseMetres(result));
  if (mark === undefined) throw invalid('result', 'Must be a distance in metres, x, - or r');
  return mark;
}

// "612" is not 6.12 to anybody but its sender.
function requirePoint(field: 'height' | 'result', mark: string, eventCode: string): void {
  const question = markJudge(eventCode)?.question?.(mark);
  if (question !== undefined) throw invalid(field, question);
}

function verticalResult(result: string): string {
  const symbol = parseSymbol(result);
  if (symbol === undefined) throw invalid('result', 'Must be o, x, - or r');
  return symbol;
}

/** Where an attempt goes in the series: in place of one that is there, or at the end. */
export type Position = { index: number; existing: SentTrial | null };

/**
 * Horizontal attempts are known by bib and round. Vertical ones by bib, height and which of the three (`attempt`), without
 * which each is a new one; jump-offs by bib and number.
 */
export function positionOf(
  trials: SentTrial[],
  attempt: SentTrial,
  eventCode: string,
  nth: number | null,
): Position {
  const same = trials.flatMap((trial, index) => (isSameTry(trial, attempt, eventCode) ? [index] : []));
  const which = isVertical(eventCode) && jumpOffOf(attempt) === 0 ? nth : 1;
  if (which !== null && which > same.length + 1) {
    throw new Conflict(`Attempt ${which} cannot come before attempt ${same.length + 1} at ${attempt.height}`);
  }
  const index = which === null ? undefined : same[which - 1];
  return index === undefined ? { index: trials.length, existing: null } : { index, existing: trials[index]! };
}

function isSameTry(trial: SentTrial, attempt: SentTrial, eventCode: string): boolean {
  if (trial.bib !== attempt.bib) return false;
  if (!isVertical(eventCode)) return trial.round === attempt.round;
  if (jumpOffOf(trial) !== jumpOffOf(attempt)) return false;
  return jumpOffOf(attempt) > 0 || centimetres(trial.height) === centimetres(attempt.height);
}

/**
 * Judges the attempt at `index` and those of the same athlete after it: a correction may make them impossible.
 * @throws Conflict with the rule that is broken
 */
export function checkAttempts(trials: SentTrial[], index: number, eventCode: string): void {
  const { bib } = trials[index]!;
  const own = trials.slice(0, index).filter((trial) => trial.bib === bib);
  if (own.length >= MAX_ATTEMPTS_PER_ATHLETE) throw new Conflict(`Bib ${bib}: ${TOO_MANY_ATTEMPTS}`);
  for (const attempt of trials.slice(index).filter((trial) => trial.bib === bib)) {
    const fault = isVertical(eventCode) ? verticalFault(own, attempt) : horizontalFault(own, attempt);
    if (fault) throw new Conflict(`Bib ${bib}: ${fault}`);
    own.push(attempt);
  }
}

function horizontalFault(own: SentTrial[], attempt: SentTrial): string | null {
  const retired = own.find(isRetirement);
  return retired && (attempt.round ?? 0) > (retired.round ?? 0) ? 'the athlete has retired' : null;
}

function verticalFault(own: SentTrial[], attempt: SentTrial): string | null {
  const card = verticalCard(own);
  if (card.retired || own.some(isRetirement)) return 'the athlete has retired';
  // TR 26.8.4: in a jump-off each has one attempt at each height, and the bar may come down again.
  if (jumpOffOf(attempt) > 0)
    return parseSymbol(attempt.result ?? '') === '-' ? 'a jump-off has no passes' : null;
  if (card.out) return 'the athlete is out after three failures in a row';
  const regular = own.filter((other) => jumpOffOf(other) === 0);
  const height = centimetres(attempt.height)!;
  const highest = regular.reduce((most, other) => Math.max(most, centimetres(other.height) ?? 0), 0);
  if (height < highest) return `the bar was at ${(highest / 100).toFixed(2)} before`;
  const here = regular.filter((other) => centimetres(other.height) === height);
  if (here.length >= 3) return `a fourth attempt at ${attempt.height}`;
  // TR 26.2: who has passed an attempt at a height may not jump at it again.
  if (here.some(({ result }) => parseSymbol(result ?? '') === 'o'))
    return `${attempt.height} is cleared already`;
  if (here.some(({ result }) => parseSymbol(result ?? '') === '-'))
    return `${attempt.height} was passed already`;
  return null;
}
