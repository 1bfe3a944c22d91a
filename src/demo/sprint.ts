// Races: a time for each lane. Pure.
import { talent } from './people.ts';
import type { Result } from './places.ts';
import { type Random, spread, wind } from './random.ts';

export type Race = { results: Result[]; wind_assistance: string };

/** Athletes in lanes, before the start. */
export function startList(bibs: string[]): Result[] {
  return bibs.map((bib, index) => ({ bib, lane: index + 1 }));
}

/** The race of these athletes. Equal hundredths may still have different places: the finish photo decides. */
export function race(bibs: string[], base: number, random: Random): Race {
  const times = new Map(
    bibs.map((bib) => [bib, base - 0.05 * base * talent(bib) + 0.02 * base * spread(random)]),
  );
  const order = bibs.toSorted((one, other) => times.get(one)! - times.get(other)!);
  const results = startList(bibs)
    .map(({ bib, ...rest }) => ({
      bib,
      ...rest,
      place: order.indexOf(bib) + 1,
      performance: times.get(bib)!.toFixed(2),
    }))
    .toSorted((one, other) => one.place - other.place);
  return { results, wind_assistance: wind(random) };
}

/** The fastest of several races, for the final. */
export function fastest(races: Race[], count: number): string[] {
  return races
    .flatMap(({ results }) => results)
    .toSorted((one, other) => Number(one.performance) - Number(other.performance))
    .slice(0, count)
    .map(({ bib }) => bib);
}
