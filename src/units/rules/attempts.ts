// Attempts as they stand in a unit's `trials`, in the order they happened. Pure.
import { isDeepStrictEqual } from 'node:util';
import { isVertical } from './disciplines.ts';
import { parseMetres } from './marks.ts';
import type { SentTrial } from '../schemas.ts';

export const trialsOf = (record: Record<string, unknown>): SentTrial[] =>
  (record['trials'] as SentTrial[] | null) ?? [];

/** What one attempt is known by: (bib, round), or (bib, height, jump-off, which of the tries at it). */
function identities(trials: SentTrial[], eventCode: string): string[] {
  const tries = new Map<string, number>();
  return trials.map((trial) => {
    const key = isVertical(eventCode)
      ? [trial.bib, parseMetres(trial.height ?? '') ?? trial.height, trial['jump_off'] ?? 0]
      : [trial.bib, trial.round ?? null];
    const at = JSON.stringify(key);
    const nth = (tries.get(at) ?? 0) + 1;
    tries.set(at, nth);
    return `${at}#${nth}`;
  });
}

// Given by the service to attempts that come through the attempt endpoint; on input these names are ignored.
const GIVEN = ['attempt_id', 'sequence', 'recorded_at'] as const;

export const isRecorded = (trial: SentTrial): boolean => typeof trial['attempt_id'] === 'string';

/** A sent series as it is stored: attempts that were recorded one by one keep their id, number and time. */
export function keepGiven(before: SentTrial[], sent: SentTrial[], eventCode: string): SentTrial[] {
  // The common case of an upload: nothing was recorded one by one, and nothing claims to be.
  if (!before.some(isRecorded) && !sent.some(claimsGiven)) return sent;
  const known = new Map(identities(before, eventCode).map((identity, index) => [identity, before[index]!]));
  const keys = identities(sent, eventCode);
  return sent.map((trial, index) => {
    const own = Object.fromEntries(Object.entries(trial).filter(([name]) => !isGiven(name))) as SentTrial;
    const recorded = known.get(keys[index]!);
    return recorded ? { ...own, ...givenOf(recorded) } : own;
  });
}

const claimsGiven = (trial: SentTrial) => GIVEN.some((name) => name in trial);
const isGiven = (name: string) => (GIVEN as readonly string[]).includes(name);
const givenOf = (trial: SentTrial) =>
  Object.fromEntries(Object.entries(trial).filter(([name]) => isGiven(name)));

/** The attempts of `after` that are new or differ from those of `before`, as indices in array order. */
export function changedAttempts(before: SentTrial[], after: SentTrial[], eventCode: string): number[] {
  const known = new Map(identities(before, eventCode).map((identity, index) => [identity, before[index]]));
  return identities(after, eventCode).flatMap((identity, index) =>
    isDeepStrictEqual(known.get(identity), after[index]) ? [] : [index],
  );
}

/** For each attempt, by index: the marks of that athlete at that height up to and including it: x, x, o. */
export function marksAtHeights(trials: SentTrial[]): (index: number) => string[] {
  const series = new Map<string, string[]>();
  const placed = trials.map(({ bib, height, jump_off: jumpOff, result }) => {
    const key = JSON.stringify([bib, height ?? null, jumpOff ?? null]);
    const marks = series.get(key) ?? [];
    series.set(key, marks);
    return { marks, count: marks.push(result ?? '') };
  });
  return (index) => {
    const { marks, count } = placed[index]!;
    return marks.slice(0, count);
  };
}
