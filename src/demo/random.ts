// Chance, handed in wherever it is needed: the same seed always plays the same meeting.

/** A number from 0 up to 1, as Math.random gives it. */
export type Random = () => number;

/** mulberry32: small, and good enough for a meeting that nobody bets on. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Around 0, mostly within 1: the sum of a few dice is near enough to a bell curve. */
export function spread(random: Random): number {
  return (random() + random() + random() + random() - 2) / 1.2;
}

/** Wind in metres per second as scoreboards write it: +0.7, -1.2, 0.0. */
export function wind(random: Random): string {
  const metres = Math.round(spread(random) * 15) / 10;
  return metres > 0 ? `+${metres.toFixed(1)}` : (metres || 0).toFixed(1);
}
