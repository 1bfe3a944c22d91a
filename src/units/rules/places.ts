// Places as they are sent: a number, or the text of a result list such as "1=" or "DQ". Pure.
import { isStatus } from './marks.ts';

// 1= and =1 and T1 are ties, 1. is how half of Europe counts; "2 (h)" or "DQ R 17" hold a number that is no place.
const PLACE = /^\s*(?:=|T)?\s*0*([1-9]\d{0,4})\s*\.?\s*=?\s*$/i;

/** The place that a text speaks of; null when it is none. */
export function placeIn(text: string): number | null {
  const [, digits] = PLACE.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

type Place = number | null | undefined;
type SentPlace = { place?: Place | string; place_text?: string | null | undefined };

/**
 * A result with its place as a number, where it is one, and the text beside it that it was sent as. A place replaces both: a
 * `place_text` that came back from an earlier reading is dropped when the place sent with it is another.
 */
export function withPlaceText<Result extends SentPlace>(sent: Result): Result & { place?: Place } {
  type Read = Result & { place?: Place };
  const { place, place_text: text } = sent;
  if (typeof place === 'string') return { ...sent, place: placeIn(place), place_text: place };
  // The common case of an upload: a number or nothing, without a text.
  if (text == null) return sent as Read;
  const read = placeIn(text);
  if (place === undefined || place === read) return { ...sent, place: read };
  const { place_text: _outdated, ...rest } = sent;
  return rest as Read;
}

type Decided = { performance?: string | null | undefined; place_text?: string | null | undefined };

/** What an official has decided about this result, in place of its mark or of its place: no attempt changes it. */
export const decisionOn = ({ performance, place_text: placeText }: Decided): string | undefined =>
  [performance, placeText].find((text) => isStatus(text)) ?? undefined;

export const isDecided = (result: Decided): boolean => decisionOn(result) !== undefined;

type Placed = {
  place?: Place;
  performance?: string | null | undefined;
  athlete_name?: string | null | undefined;
  team_name?: string | null | undefined;
};

/** The winner of a unit: of a tie all names, and the performance of the first. */
export function winnerOf(results: readonly Placed[]): { name: string; performance: string } {
  const first = results.reduce((least, { place }) => Math.min(least, place ?? Infinity), Infinity);
  const winners = results.filter(({ place }) => place === first);
  const names = winners.map((winner) => winner.athlete_name || winner.team_name || '');
  return { name: names.filter(Boolean).join(' / '), performance: winners[0]?.performance ?? '' };
}
