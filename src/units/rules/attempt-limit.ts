// Limit of the attempts of one athlete in one unit, over a series as it was sent. Pure.

/** A high jump of sixty heights. Judging a correction takes the whole series once for each attempt in it. */
export const MAX_ATTEMPTS_PER_ATHLETE = 200;

export const TOO_MANY_ATTEMPTS = `An athlete has up to ${MAX_ATTEMPTS_PER_ATHLETE} attempts in a unit: those of another round or contest go into another`;

type Fault = { path: (string | number)[]; message: string };

/** One fault for each athlete with more, where the first of them stands. `trials` may be anything. */
export function attemptFaults(trials: unknown, unit: Fault['path'] = []): Fault[] {
  if (!Array.isArray(trials) || trials.length <= MAX_ATTEMPTS_PER_ATHLETE) return [];
  const counts = new Map<string, number>();
  return (trials as unknown[]).flatMap((trial, index) => {
    const bib = (trial as { bib?: unknown } | null)?.bib;
    if (typeof bib !== 'string' && typeof bib !== 'number') return [];
    const count = (counts.get(String(bib)) ?? 0) + 1;
    counts.set(String(bib), count);
    return count === MAX_ATTEMPTS_PER_ATHLETE + 1
      ? [{ path: [...unit, 'trials', index], message: TOO_MANY_ATTEMPTS }]
      : [];
  });
}
