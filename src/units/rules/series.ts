// Series: the attempts of each athlete, for browsers too. Pure.

/** Each athlete's attempts, in their order. */
export function seriesByBib<Attempt extends { bib: string }>(trials: Attempt[]): Map<string, Attempt[]> {
  const series = new Map<string, Attempt[]>();
  for (const trial of trials) {
    const own = series.get(trial.bib);
    if (own) own.push(trial);
    else series.set(trial.bib, [trial]);
  }
  return series;
}
