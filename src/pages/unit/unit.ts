// The unit record as pages read it: that of the JSON, the push event and the API. Pure.
import type { z } from 'zod';
import type { UnitEvent } from '../../push/events.ts';

export type Unit = z.output<typeof UnitEvent>;
export type Result = NonNullable<Unit['results']>[number];
export type Trial = NonNullable<Unit['trials']>[number];

/** The name of a unit among those of its competition, as in addresses of screens and in `data-unit`. */
export const unitName = ({ event_id, round_no, heat_no }: Unit): string =>
  `${event_id}-${round_no}-${heat_no}`;

/** A field that was sent as text or number, as text; empty when it is neither. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/** A field that was sent as number or numeric text; undefined when it is neither. */
export function numberOf(value: unknown): number | undefined {
  const text = textOf(value);
  return /^-?\d{1,9}(\.\d{1,4})?$/.test(text) ? Number(text) : undefined;
}

/** A wind with its sign, as the sport writes it. */
export const signedWind = (wind: string): string => (/^\d/.test(wind) ? `+${wind}` : wind);

/** The bib's athlete, else its team, else the bib: somebody stands in every row. */
export const nameOf = (result: Result): string =>
  textOf(result.athlete_name) || textOf(result.team_name) || result.bib;

/** The mark, place or symbol that an official decided on instead of a performance: DNS, DNF, DQ, NM, NH, r. */
export const isNoMark = (performance: string): boolean => /^(DNS|DNF|DQ|NM|NH|NT|r)\b/i.test(performance);
