// Marks as field judges send them: a distance or height in metres, or a symbol. Pure.

/** o cleared, x failed, - passed, r retired. */
export type Symbol = 'o' | 'x' | '-' | 'r';

/** Decisions of officials in place of a mark; a rule may follow ("DQ R 163.3a"). NM and NH are none: they follow from attempts. */
const STATUS_CODES = ['DNS', 'DNF', 'DQ'];
const STATUS = new RegExp(`^(?:${STATUS_CODES.join('|')})\\b`, 'i');

/** Whether an official has decided about this performance: no attempt changes it. */
export const isStatus = (performance: string | null | undefined): boolean => STATUS.test(performance ?? '');

const SYMBOLS: Record<string, Symbol> = { o: 'o', x: 'x', '-': '-', p: '-', r: 'r' };
const METRES = /^(\d{1,3})(?:[.,](\d{1,2}))?$/;

/** The symbol in any letter case, P for a pass; undefined when it is none. */
export const parseSymbol = (text: string): Symbol | undefined => SYMBOLS[text.trim().toLowerCase()];

/** Metres with two decimals, from a decimal point or comma: "5,7" is "5.70". Undefined when it is no such mark. */
export function parseMetres(text: string): string | undefined {
  const [, whole, decimals = ''] = METRES.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : `${Number(whole)}.${decimals.padEnd(2, '0')}`;
}

/** A mark in whole centimetres, to compare by; undefined for symbols and anything else. */
export function centimetres(text: string | null | undefined): number | undefined {
  const metres = parseMetres(text ?? '');
  return metres === undefined ? undefined : Math.round(Number(metres) * 100);
}
