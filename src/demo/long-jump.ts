// A long jump: three rounds for everyone, three more for the best eight. Pure; what happened is the list of trials.
import { talent } from './people.ts';
import { horizontalStandings } from '../units/rules/standings.ts';
import { inOrderOfPlace, type Result } from './places.ts';
import { type Random, spread, wind } from './random.ts';

export type LongJumpTrial = { bib: string; round: number; result: string; wind: string };

const FINALISTS = 8;
const ROUNDS = { all: 3, final: 6 };

/** Who jumps next; null when the last one has jumped. */
export function nextJumper(order: string[], trials: LongJumpTrial[]): { bib: string; round: number } | null {
  for (let round = 1; round <= ROUNDS.final; round += 1) {
    const jumped = new Set(trials.filter((trial) => trial.round === round).map(({ bib }) => bib));
    const bib = startersOf(round, order, trials).find((candidate) => !jumped.has(candidate));
    if (bib !== undefined) return { bib, round };
  }
  return null;
}

// The leader after three rounds jumps last from then on.
function startersOf(round: number, order: string[], trials: LongJumpTrial[]): string[] {
  if (round <= ROUNDS.all) return order;
  const before = trials.filter((trial) => trial.round <= ROUNDS.all);
  const best = longJumpResults(order, before).filter(({ place = Infinity }) => place <= FINALISTS);
  return best.map(({ bib }) => bib).toReversed();
}

/** One attempt: now and then a foul or a pass, else a mark near what the athlete can do. */
export function jump({ bib, round }: { bib: string; round: number }, random: Random): LongJumpTrial {
  const chance = random();
  const metres = 5.75 + 0.55 * talent(bib) + 0.3 * spread(random);
  const result = chance < 0.2 ? 'x' : chance < 0.23 && round > 1 ? '-' : metres.toFixed(2);
  return { bib, round, result, wind: wind(random) };
}

/** Best first, then those without a mark. Whoever has had no mark in the first three rounds is done. */
export const longJumpResults = (order: string[], trials: LongJumpTrial[]): Result[] =>
  inOrderOfPlace(horizontalStandings(trials, order, ROUNDS.all));
