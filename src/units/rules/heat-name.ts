// Name of a unit within its event, when none was sent. Pure.
import type { RoundHeat } from '../../addresses.ts';
import { areRoundNumbers, heatsByRound, parseRounds } from './rounds.ts';
import { isField } from './disciplines.ts';

type EventShape = { eventCode: string; rounds: string | null };

/** "Final", "Semi-final 2", "Qualification A", "Heat 7", "Round 2 Heat 7". Rounds are counted from `rounds`, else from the units. */
export function heatNames(event: EventShape, unitsOfEvent: RoundHeat[]): (unit: RoundHeat) => string {
  const planned = areRoundNumbers(event.rounds, unitsOfEvent) ? [] : (parseRounds(event.rounds) ?? []);
  const lastRound = unitsOfEvent.reduce((last, { round }) => Math.max(last, round), planned.length);
  const heatsOf = heatsByRound(unitsOfEvent);
  const inField = isField(event.eventCode);
  return (unit) => {
    const heats = Math.max(planned[unit.round - 1] ?? 1, heatsOf.get(unit.round) ?? 0);
    if (unit.round >= lastRound) return heats > 1 ? `Final ${unit.heat}` : 'Final';
    if (inField) {
      const name = `${roundPrefix(unit.round, lastRound - 1)}Qualification`;
      return heats > 1 ? `${name} ${letter(unit.heat)}` : name;
    }
    if (lastRound >= 3 && unit.round === lastRound - 1) return `Semi-final ${unit.heat}`;
    return `${roundPrefix(unit.round, lastRound - 2)}Heat ${unit.heat}`;
  };
}

export const heatName = (event: EventShape, unit: RoundHeat, unitsOfEvent: RoundHeat[]): string =>
  heatNames(event, unitsOfEvent)(unit);

// Two rounds of the same name are told apart by their number.
const roundPrefix = (round: number, alike: number) => (alike > 1 ? `Round ${round} ` : '');

// A to Z, then AA, AB …
function letter(number: number): string {
  const rest = Math.floor((number - 1) / 26);
  return (rest > 0 ? letter(rest) : '') + String.fromCharCode(65 + ((number - 1) % 26));
}
