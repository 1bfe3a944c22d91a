// Comma-separated text as it comes back from spreadsheets: whatever code, tab, semicolon or comma, faults by line. Pure.
import { CsvError, type InfoRecord, parse } from 'csv-parse/sync';
import { unshielded } from './csv-write.ts';
import { decodeText, type FoundEncoding } from './text-encoding.ts';

export type CsvLine = {
  /** Of the file, where the row begins; the first is 1. */
  number: number;
  cells: string[];
};

/** A fault in a file: of a line, of a cell in it, or of the file as a whole. */
export type CsvFault = { line?: number; column?: string; message: string };

export type Csv = {
  encoding: FoundEncoding;
  delimiter: string;
  header: string[];
  rows: CsvLine[];
  faults: CsvFault[];
};

export const MAX_ROWS = 50_000;
const MAX_COLUMNS = 200;
const DELIMITERS = ['\t', ';', ','];

/** Reads any bytes; what is wrong with them is among the faults. */
export function readCsv(bytes: Uint8Array): Csv {
  const { text, encoding } = decodeText(bytes);
  // One kind of line end, which also makes lines countable.
  const { delimiter, body, skipped } = sniffed(text.replaceAll(/\r\n?/g, '\n'));
  const empty = { encoding, delimiter, header: [], rows: [] };
  try {
    const lines = linesOf(body, delimiter, skipped);
    const [first, ...rest] = lines.filter(({ cells }) => cells.some((one) => one !== ''));
    if (!first)
      return { ...empty, faults: [{ message: 'The file is empty: its first line names the columns' }] };
    const faults = sizeFaults(first, rest);
    const rows = faults.length > 0 ? [] : rest;
    return { encoding, delimiter, header: first.cells, rows, faults: [...faults, ...tooWide(first, rows)] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at: unknown = error['lines'];
    const line = typeof at === 'number' ? { line: at + skipped } : {};
    return {
      ...empty,
      faults: [{ ...line, message: 'A quotation mark is not closed, or stands within a cell' }],
    };
  }
}

type Parsed = { info: Pick<InfoRecord, 'lines'>; record: string[] };

function linesOf(text: string, delimiter: string, skipped: number): CsvLine[] {
  const parsed = parse(text, {
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: '\n',
    // One more than may come, to know that there are too many; and the header.
    to: MAX_ROWS + 2,
  }) as unknown as Parsed[];
  let number = 1 + skipped;
  return parsed.map(({ info, record }) => {
    const line = { number, cells: record.map((one) => unshielded(one).trim()) };
    number = info.lines + 1 + skipped;
    return line;
  });
}

// Excel may say itself what the delimiter is, in a line of its own.
const SAID = /^sep=(.)(?:\r\n|\n|\r)/i;

function sniffed(text: string) {
  const said = SAID.exec(text);
  if (said && DELIMITERS.includes(said[1]!))
    return { delimiter: said[1]!, body: text.slice(said[0].length), skipped: 1 };
  const first = firstLine(text);
  const counts = DELIMITERS.map((one) => first.split(one).length);
  const most = Math.max(...counts);
  const delimiter = most === 1 ? ',' : DELIMITERS[counts.indexOf(most)]!;
  return { delimiter, body: text, skipped: 0 };
}

const HEADER_LENGTH = 20_000;

/** The first line that is not blank, without what is quoted in it. */
const firstLine = (text: string): string =>
  /[^\r\n]+/.exec(text.slice(0, HEADER_LENGTH).replaceAll(/"[^"]*"/g, ''))?.[0] ?? '';

function sizeFaults(header: CsvLine, rows: CsvLine[]): CsvFault[] {
  if (rows.length > MAX_ROWS)
    return [{ message: `More than ${MAX_ROWS.toLocaleString('en')} rows: send them in several files` }];
  if (header.cells.length > MAX_COLUMNS)
    return [{ line: header.number, message: `More than ${MAX_COLUMNS} columns` }];
  return [];
}

/** Rows with something behind the last column: mostly a delimiter within a cell that is not quoted. */
const tooWide = ({ cells: { length } }: CsvLine, rows: CsvLine[]): CsvFault[] =>
  rows
    .filter(({ cells }) => cells.slice(length).some((one) => one !== ''))
    .map(({ number, cells }) => ({
      line: number,
      message: `Has ${cells.length} cells, the first line ${length}: is a cell with a delimiter in it not quoted?`,
    }));
