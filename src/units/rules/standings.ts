// Standings of field events from their attempts; browsers draw them too, so nothing newer than they know. Pure. Rule numbers are
// those of the World Athletics technical rules.
import { seriesByBib } from './series.ts';
import { centimetres, parseMetres, parseSymbol } from './marks.ts';

export type Attempt = {
  bib: string;
  round?: number | null | undefined;
  height?: string | null | undefined;
  result?: string | null | undefined;
  jump_off?: unknown;
};

/** An athlete's standing: the performance shown, and the place where there is one. */
export type Standing = { bib: string; performance: string | null; place: number | null };

/** Numbers to compare athletes by, the most important first; the larger wins. */
type Key = number[];
type Ranked = { bib: string; performance: string | null; key: Key | null };

/**
 * Throws and horizontal jumps (TR 25.22): the best mark, then the second best, and so on; still equal is a tie.
 * @param rounds after which an athlete without a mark has none: NM
 */
export function horizontalStandings(attempts: Attempt[], bibs: string[], rounds: number): Standing[] {
  const series = seriesByBib(attempts);
  return placed(
    bibs.map((bib) => {
      const own = series.get(bib) ?? [];
      const marks = own.flatMap(({ result }) => centimetres(result) ?? []);
      marks.sort((a, b) => b - a);
      const best = marks[0];
      if (best !== undefined) return { bib, performance: (best / 100).toFixed(2), key: marks };
      const over = own.length >= rounds || own.some(isRetirement);
      return { bib, performance: over ? 'NM' : null, key: null };
    }),
  );
}

/**
 * High jump and pole vault (TR 26.8): the greatest height; then the fewest failures at it; then the fewest failures up to
 * and including it; then, for the first place, the jump-off. Equal athletes share a place.
 */
export function verticalStandings(attempts: Attempt[], bibs: string[]): Standing[] {
  // Those that there were, in their order: a key has as many numbers, whatever number somebody gave to the last.
  const jumpOffs = [...new Set(attempts.map(jumpOffOf).filter((number) => number > 0))];
  jumpOffs.sort((a, b) => a - b);
  const series = seriesByBib(attempts);
  return placed(
    bibs.map((bib) => {
      const own = series.get(bib) ?? [];
      const card = verticalCard(own);
      if (card.best === null) return { bib, performance: card.out ? 'NH' : null, key: null };
      const key = [
        centimetres(card.best)!,
        -card.failuresAtBest,
        -card.failuresToBest,
        ...jumpOffKey(own, jumpOffs),
      ];
      return { bib, performance: card.best, key };
    }),
  );
}

const MAX_JUMP_OFFS = 100;

/** The number of the jump-off that an attempt is of; 0 for none. */
export const jumpOffOf = ({ jump_off: jumpOff }: Attempt): number =>
  typeof jumpOff === 'number' && jumpOff > 0 && jumpOff <= MAX_JUMP_OFFS ? jumpOff : 0;

export const isRetirement = ({ result }: Attempt): boolean => parseSymbol(result ?? '') === 'r';

export type VerticalCard = {
  best: string | null;
  failuresAtBest: number;
  failuresToBest: number;
  /** Three failures in a row, at whatever heights (TR 26.2), or retired. */
  out: boolean;
  retired: boolean;
};

/** What an athlete's attempts come to, jump-offs apart. */
export function verticalCard(own: Attempt[]): VerticalCard {
  const card: VerticalCard = { best: null, failuresAtBest: 0, failuresToBest: 0, out: false, retired: false };
  let failures = 0;
  let inARow = 0;
  const failuresAt = new Map<string, number>();
  for (const { height, result } of own.filter((attempt) => jumpOffOf(attempt) === 0)) {
    const metres = parseMetres(height ?? '') ?? '';
    const symbol = parseSymbol(result ?? '');
    if (symbol === 'x') {
      failures++;
      inARow++;
      failuresAt.set(metres, (failuresAt.get(metres) ?? 0) + 1);
    } else if (symbol === 'o') {
      inARow = 0;
      Object.assign(card, {
        best: metres,
        failuresAtBest: failuresAt.get(metres) ?? 0,
        failuresToBest: failures,
      });
    } else if (symbol === 'r') card.retired = true;
    if (inARow >= 3 || card.retired) card.out = true;
  }
  return card;
}

// One attempt each per jump-off (TR 26.8.4): clearing beats failing, and failing beats not jumping any more.
function jumpOffKey(own: Attempt[], jumpOffs: number[]): Key {
  return jumpOffs.map((number) => {
    const first = own.find((attempt) => jumpOffOf(attempt) === number);
    const symbol = parseSymbol(first?.result ?? '');
    return symbol === 'o' ? 2 : symbol === 'x' ? 1 : 0;
  });
}

// The place is one more than how many are ahead.
function placed(ranked: Ranked[]): Standing[] {
  const sorted = ranked.flatMap(({ key }) => (key ? [key] : []));
  sorted.sort((a, b) => compare(b, a));
  const places = new Map<Key, number>();
  for (const [index, key] of sorted.entries()) {
    const before = sorted[index - 1];
    places.set(key, before && compare(before, key) === 0 ? places.get(before)! : index + 1);
  }
  return ranked.map(({ bib, performance, key }) => ({ bib, performance, place: key && places.get(key)! }));
}

// A missing number loses: who has no third mark is behind who has one.
function compare(a: Key, b: Key): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? -Infinity) - (b[at] ?? -Infinity);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}
