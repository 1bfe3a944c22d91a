// Lines of comma-separated files of photo-finish programs. Ours, and not a library's: there a record is a line, so that a quote left
// open spoils its line alone, and no bytes whatsoever may stop the reading; csv-parse ends at the first such quote. Pure.

/** A line that holds something, with its number in the file. */
export type NumberedLine = { line: number; text: string };

/** The lines of a text without blank ones and comments, at most so many. */
export function linesOf(text: string, max: number): NumberedLine[] {
  const found: NumberedLine[] = [];
  let line = 0;
  for (const [one] of text.matchAll(/[^\r\n]+|\r\n|\r|\n/g)) {
    const isEnd = one[0] === '\r' || one[0] === '\n';
    if (isEnd) line++;
    else if (one.trim() !== '' && !one.startsWith(';') && found.push({ line: line + 1, text: one }) === max)
      break;
  }
  return found;
}

/** The fields of a line. */
export function splitLine(line: string): string[] {
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    let field = '';
    if (line[at] === '"') [field, at] = quoted(line, at + 1);
    const comma = line.indexOf(',', at);
    const end = comma < 0 ? line.length : comma;
    fields.push(field + line.slice(at, end));
    at = end;
    if (at === line.length) return fields;
  }
}

/** What stands from here to the closing quote, and the place after that. A quote is written twice. */
function quoted(line: string, from: number): [field: string, after: number] {
  let field = '';
  for (let at = from; ;) {
    const end = line.indexOf('"', at);
    if (end < 0) return [field + line.slice(at), line.length];
    field += line.slice(at, end);
    if (line[end + 1] !== '"') return [field, end + 1];
    field += '"';
    at = end + 2;
  }
}

/** A line of these fields, with its end. Line breaks within a field become blanks. */
export const joinLine = (fields: (string | number)[]): string => `${fields.map(written).join(',')}\r\n`;

function written(field: string | number): string {
  const text = String(field).replace(/[\r\n]+/g, ' ');
  // A line that begins with a semicolon would be a comment.
  return /[",]|^;/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
