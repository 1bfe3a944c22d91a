// Comma-separated text as spreadsheets open it on a double click: UTF-8 with a mark, CRLF, nothing that is a formula. Pure.

export const BYTE_ORDER_MARK = '\uFEFF';

/** How the delimiters are called in addresses: a tab is hard to type there. */
export const DELIMITERS = { ',': ',', ';': ';', tab: '\t' } as const;
export type DelimiterName = keyof typeof DELIMITERS;
export type Delimiter = (typeof DELIMITERS)[DelimiterName];

/** What spreadsheets take for the start of a formula; and what `shielded` has made of such a text, or seems to have. */
const FORMULA = /^'*[=+\-@\t\r\n]/;
const SHIELDED = /^''*[=+\-@\t\r\n]/;
// A pass, a wind, a difference, a time: they begin as formulas do, and hold none.
const MARK = /^[+-]?(?:\d{1,4}(?:[.,:]\d{1,4}){0,3})?$/;

/** A text that a spreadsheet takes for a text. Marks stay as they are. */
export const shielded = (text: string): string =>
  FORMULA.test(text) && !MARK.test(text) ? `'${text}` : text;

/** The text that was shielded. */
export const unshielded = (text: string): string => (SHIELDED.test(text) ? text.slice(1) : text);

// Quoted whatever the delimiter is: who reads it with another one still finds one cell.
const SPECIAL = /[",;\t\r\n]|^\s|\s$/;

/** A cell of one value; objects, lists and what is not there leave it empty. */
export function cell(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  const text = shielded(value);
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type Row = Record<string, unknown>;

/** The line of a row, by the names of the columns. */
export const line = (columns: readonly string[], row: Row, delimiter: Delimiter): string =>
  `${columns.map((name) => cell(row[name])).join(delimiter)}\r\n`;

/** The first line, with the mark before it. */
export const headerLine = (columns: readonly string[], delimiter: Delimiter): string =>
  `${BYTE_ORDER_MARK}${columns.map(cell).join(delimiter)}\r\n`;
