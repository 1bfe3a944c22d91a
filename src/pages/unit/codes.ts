// Abbreviations of the sport that a unit shows, for its legend. Pure.
import { inOrder } from './order.ts';
import { isNoMark, textOf, type Unit } from './unit.ts';

export const CODES = [
  'DNS',
  'DNF',
  'NM',
  'NH',
  'DQ',
  'NT',
  'Q',
  'q',
  'qR',
  'qJ',
  'O',
  'X',
  '–',
  'r',
] as const;
export type Code = (typeof CODES)[number];

const isCode = (text: string): text is Code => (CODES as readonly string[]).includes(text);

/** `qualification` as it is sent by most, else `qualified`. */
export const qualificationOf = (result: Record<string, unknown>): string =>
  textOf(result['qualification']) || textOf(result['qualified']);

/** PB, SB, records and whatever else officials noted beside a result. */
export function noteOf(result: Record<string, unknown>): string {
  const notes = ['record_flags', 'records', 'note', 'notes', 'remark'].map((name) => listed(result[name]));
  return [...new Set(notes.filter((note) => note !== ''))].join(' · ');
}

const listed = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).filter(Boolean).join(' ') : textOf(value);

/** The codes that a unit shows, in the order of CODES. */
export function codesIn(unit: Unit): Code[] {
  const found = new Set<string>();
  for (const result of inOrder(unit.results ?? [], 'place')) {
    const performance = textOf(result.performance);
    if (isNoMark(performance)) found.add(performance.split(/\s/)[0]!.toUpperCase().replace(/^R$/, 'r'));
    found.add(qualificationOf(result));
  }
  for (const { result } of unit.trials ?? []) {
    const mark = textOf(result).toLowerCase();
    found.add({ x: 'X', o: 'O', '-': '–', p: '–', r: 'r' }[mark] ?? '');
  }
  return CODES.filter((code) => isCode(code) && found.has(code));
}
