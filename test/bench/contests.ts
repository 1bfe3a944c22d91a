// What happens in one unit of a benchmark's competition: results of races and relays, series of throws, jumps and heights.
import { type Random, spread, wind } from '../../src/demo/random.ts';

export type Result = { bib: string; place?: number; performance: string };
export type Trial = { bib: string; round?: number; height?: string; result: string };
export type Contest = { results: Result[]; trials?: Trial[]; heights?: string[]; wind_assistance?: string };

const CENTIMETRE = 100;

/** A race over so many metres; a wind is measured up to 200 m, and now and then somebody does not finish. */
export function race(random: Random, metres: number, bibs: string[]): Contest {
  const times = bibs.map((bib) => ({
    bib,
    seconds: metres / (8.9 - Math.log10(metres) + spread(random) * 0.4),
  }));
  const unfinished = metres > 400 && random() < 0.2 ? 1 : 0;
  const order = times.toSorted((one, other) => one.seconds - other.seconds);
  const results = order.map(({ bib, seconds }, index): Result =>
    index < order.length - unfinished
      ? { bib, place: index + 1, performance: clock(seconds) }
      : { bib, performance: 'DNF' },
  );
  return metres <= 200 ? { results, wind_assistance: wind(random) } : { results };
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds % 60).toFixed(2);
  return minutes ? `${minutes}:${rest.padStart(5, '0')}` : rest;
}

/** Series of throws or jumps: so many attempts in all, spread over rounds in which everybody still in it has one. */
export function distances(random: Random, bestMetres: number, bibs: string[], attempts: number): Contest {
  const trials = Array.from({ length: attempts }, (_, index): Trial => {
    const foul = random() < 0.2;
    const metres = bestMetres * (0.85 + spread(random) * 0.12);
    return {
      bib: bibs[index % bibs.length]!,
      round: 1 + Math.floor(index / bibs.length),
      result: foul ? 'x' : metres.toFixed(2),
    };
  });
  const best = new Map<string, number>();
  for (const { bib, result } of trials) {
    if (result !== 'x') best.set(bib, Math.max(best.get(bib) ?? 0, Number(result)));
  }
  return { results: ranked(bibs, best), trials };
}

/** A high jump or pole vault: every bar rises until nobody is left, three failures in a row end a series. */
export function heights(random: Random, firstMetres: number, bibs: string[]): Contest {
  const trials: Trial[] = [];
  const best = new Map<string, number>();
  const bars: string[] = [];
  let left = bibs;
  for (let bar = firstMetres * CENTIMETRE; left.length > 0 && bars.length < 8; bar += 5) {
    const height = (bar / CENTIMETRE).toFixed(2);
    const cleared = left.filter((bib) => {
      const results = attemptsAt(random, bars.length);
      for (const result of results) trials.push({ bib, height, result });
      return results.at(-1) === 'o';
    });
    for (const bib of cleared) best.set(bib, bar / CENTIMETRE);
    bars.push(height);
    left = cleared;
  }
  return { results: ranked(bibs, best), trials, heights: bars };
}

// Harder from bar to bar.
function attemptsAt(random: Random, bar: number): string[] {
  const results: string[] = [];
  while (results.length < 3 && results.at(-1) !== 'o') results.push(random() < 0.9 - bar * 0.1 ? 'o' : 'x');
  return results;
}

// Equal marks share a place; without one there is none.
function ranked(bibs: string[], best: Map<string, number>): Result[] {
  const marks = bibs.map((bib) => ({ bib, mark: best.get(bib) ?? 0 }));
  const order = marks.toSorted((one, other) => other.mark - one.mark);
  return order.map(({ bib, mark }) =>
    mark === 0
      ? { bib, performance: 'NM' }
      : { bib, place: 1 + order.findIndex((other) => other.mark === mark), performance: mark.toFixed(2) },
  );
}
