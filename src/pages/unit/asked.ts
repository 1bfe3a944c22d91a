// Values asked for in an address, or by a program: what is unknown or out of bounds falls back. Pure.
import { textOf } from './unit.ts';

export function oneOf<Value extends string>(asked: unknown, known: readonly Value[], usual: Value): Value {
  return known.find((value) => value === asked) ?? usual;
}

/** A number within bounds: one beyond them is the nearest that is not. */
export function within(asked: unknown, bounds: { least: number; most: number; usual: number }): number {
  const text = textOf(asked);
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text)) return bounds.usual;
  return Math.min(Math.max(Number(text), bounds.least), bounds.most);
}

export const isOn = (asked: unknown): boolean => asked === '1' || asked === 'true' || asked === 'on';

type UnitAsked = { eventId: string; round: number; heat: number };

const MOST_UNITS = 20;

/** `T1-1-1,F1-1-2`: units by the names of `data-unit`. What names none is left out. */
export function unitsAsked(asked: string | undefined): UnitAsked[] {
  const units = (asked ?? '').split(',').flatMap((name) => {
    const [, eventId, round, heat] = /^(.{1,64})-(\d{1,4})-(\d{1,4})$/.exec(name.trim()) ?? [];
    return eventId === undefined ? [] : [{ eventId, round: Number(round), heat: Number(heat) }];
  });
  return units.slice(0, MOST_UNITS);
}
