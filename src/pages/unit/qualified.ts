// The athletes who advance from a round: by place or standard first, then by time or performance. Pure.
import { qualificationOf } from './codes.ts';
import { numberOf, type Result } from './unit.ts';

/** A result, and the unit it stands in. */
export type Qualifier = { round: number; heat: number; result: Result };

/** The rounds in their order, each with who advances from it. */
export function byRound(qualifiers: Qualifier[]): { round: number; qualifiers: Qualifier[] }[] {
  const rounds = new Map<number, Qualifier[]>();
  for (const one of qualifiers) rounds.set(one.round, [...(rounds.get(one.round) ?? []), one]);
  return Array.from(rounds, ([round, own]) => ({ round, qualifiers: [...own].sort(compare) }));
}

const ORDER = ['Q', 'q', 'qR', 'qJ'];
const LAST = 1e9;

// Within a kind by heat and place: times of different heats are never compared here.
const compare = (one: Qualifier, other: Qualifier): number =>
  kindOf(one) - kindOf(other) || one.heat - other.heat || placeOf(one) - placeOf(other);

const kindOf = ({ result }: Qualifier): number => ORDER.indexOf(qualificationOf(result));
const placeOf = ({ result }: Qualifier): number => result.place ?? numberOf(result.place_text) ?? LAST;
