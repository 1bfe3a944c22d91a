// A high jump: the bar rises, three failures in a row eliminate. Pure; what happened is the list of trials.
import { talent } from './people.ts';
import { verticalCard, verticalStandings } from '../units/rules/standings.ts';
import { inOrderOfPlace, type Result } from './places.ts';
import type { Random } from './random.ts';

export type HighJumpTrial = { bib: string; height: string; result: 'o' | 'x' | '-' };
type Next = { bib: string; height: string };

const TRIES = 3;
export const HEIGHTS = ['1.90', '1.95', '2.00', '2.04', '2.08', '2.11', '2.14', '2.17', '2.20'];

/** Who jumps next, and over which height; null when nobody is left or the last height is done. */
export function nextOver(order: string[], trials: HighJumpTrial[]): Next | null {
  const alive = order.filter((bib) => !isOut(bib, trials));
  for (const height of HEIGHTS) {
    for (let tried = 0; tried < TRIES; tried += 1) {
      const bib = alive.find((candidate) => isDue(seriesAt(candidate, height, trials), tried));
      if (bib !== undefined) return { bib, height };
    }
  }
  return null;
}

const isDue = (series: string, tried: number) => !/[o-]/.test(series) && series.length === tried;

/** The signs of one athlete at one height: "xxo". */
export function seriesAt(bib: string, height: string, trials: HighJumpTrial[]): string {
  return trials
    .filter((trial) => trial.bib === bib && trial.height === height)
    .map(({ result }) => result)
    .join('');
}

const isOut = (bib: string, trials: HighJumpTrial[]) =>
  verticalCard(trials.filter((trial) => trial.bib === bib)).out;

/** One attempt: easy heights are cleared or passed, those above what the athlete can do are failed. */
export function attempt(next: Next, trials: HighJumpTrial[], random: Random): HighJumpTrial {
  const best = 1.96 + 0.2 * talent(next.bib);
  const reserve = best - Number(next.height);
  const first = seriesAt(next.bib, next.height, trials) === '';
  if (first && reserve > 0.12 && random() < 0.4) return { ...next, result: '-' };
  return { ...next, result: random() < 0.55 + 3 * reserve ? 'o' : 'x' };
}

/** Best first, then those who cleared nothing. */
export const highJumpResults = (order: string[], trials: HighJumpTrial[]): Result[] =>
  inOrderOfPlace(verticalStandings(trials, order));
