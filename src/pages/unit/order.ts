// The order of a unit's rows. Supplied places are printed: nothing is ever sorted by time. Pure.
import { isNoMark, numberOf, type Result, textOf } from './unit.ts';

export type Order = 'place' | 'start';

/** By place, those without one last: first who has a mark, then who may still get one, then who has none for good. */
export function inOrder(results: readonly Result[], order: Order): Result[] {
  return order === 'start'
    ? [...results].sort((one, other) => startOf(one) - startOf(other))
    : [...results].sort((one, other) => placeOf(one) - placeOf(other) || startOf(one) - startOf(other));
}

const LAST = 1e9;

function placeOf(result: Result): number {
  const performance = textOf(result.performance);
  if (isNoMark(performance) || isNoMark(textOf(result.place_text))) return LAST + 2;
  return result.place ?? numberOf(result.place_text) ?? (performance === '' ? LAST + 1 : LAST);
}

const startOf = (result: Result): number => numberOf(result['order']) ?? numberOf(result['lane']) ?? LAST;

/** The place as it is printed: as sent where it is a text ("1=", "A3"), nothing where there is none. */
export const shownPlace = ({ place, place_text }: Result): string => textOf(place_text) || textOf(place);
