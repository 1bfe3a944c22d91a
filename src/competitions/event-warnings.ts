// Warnings about the events of an upload: no code, rounds that units contradict, a bib twice in a unit, implausible marks. Pure.
import type { Issue } from '../errors.ts';
import { implausibleMarks } from '../units/rules/marks-of-unit.ts';
import { areRoundNumbers } from '../units/rules/rounds.ts';
import type { SentUnit } from '../units/schemas.ts';
import type { CompetitionCreate } from './schemas.ts';

type UploadedEvent = NonNullable<CompetitionCreate['events']>[number];

/** One after the other, as far as they are asked for. */
export function* eventWarnings({ events }: CompetitionCreate): Iterable<Issue> {
  for (const [index, event] of (events ?? []).entries()) {
    const loc = ['body', 'events', index];
    yield* ownWarnings(event, loc);
    for (const [at, unit] of (event.units ?? []).entries()) {
      yield* repeatedBibs(unit, [...loc, 'units', at]);
      yield* implausibleMarks({ unit, eventCode: event.event_code ?? '', loc: [...loc, 'units', at] });
    }
  }
}

function* ownWarnings(
  { event_code: code, rounds, units }: UploadedEvent,
  loc: Issue['loc'],
): Iterable<Issue> {
  if (!code?.trim()) {
    const msg =
      'Without a code the service cannot tell a race from a throw: send one, such as 100, LJ or 4x100';
    yield { loc: [...loc, 'event_code'], msg, type: 'no_event_code' };
  }
  if (areRoundNumbers(rounds, units ?? [])) {
    const msg =
      `Taken as round numbers, since the units say so; rounds is the number of heats in each round: ` +
      `${heatsIn(units ?? []).join(',')} for these units`;
    yield { loc: [...loc, 'rounds'], msg, type: 'round_numbers' };
  }
}

/** The number of heats in each round, as `rounds` has it. */
function heatsIn(units: SentUnit[]): number[] {
  const heats: number[] = [];
  for (const { round, heat } of units) heats[round - 1] = Math.max(heat, heats[round - 1] ?? 0);
  return heats;
}

function* repeatedBibs({ results }: SentUnit, loc: Issue['loc']): Iterable<Issue> {
  const first = new Map<string, number>();
  for (const [index, { bib }] of (results ?? []).entries()) {
    const earlier = first.get(bib);
    if (earlier === undefined) first.set(bib, index);
    else {
      const msg = `Bib ${bib} is in result ${earlier} of this unit already`;
      yield { loc: [...loc, 'results', index, 'bib'], msg, type: 'repeated_bib' };
    }
  }
}
