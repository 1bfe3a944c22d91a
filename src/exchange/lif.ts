// .lif: results of one race as a photo-finish program writes them. Any bytes are read; what is wrong is told by line and field. Pure.
import { linesOf, type NumberedLine, splitLine } from './csv-line.ts';
import { decodeText } from './text-encoding.ts';
import { type ReadTime, readTime, windText } from './times.ts';

export type LifHeader = {
  line: number;
  event: number;
  round: number;
  heat: number;
  name: string;
  /** Such as `+2.0`, or NWI; null where none is written. */
  wind: string | null;
};

export type LifStatus = 'DNS' | 'DNF' | 'DQ' | 'SCR';

export type LifRow = {
  line: number;
  place: number | null;
  /** In place of a place. */
  status: LifStatus | null;
  /** The bib; empty where none is written, as in relays. */
  id: string;
  lane: number | null;
  /** Of a relay: the team. */
  last: string;
  first: string;
  affiliation: string;
  time: ReadTime | null;
  reaction: string;
  splits: LifSplit[];
};

export type LifSplit = { cumulative: ReadTime; lap: ReadTime };

/** What is wrong, and where: the number of the line and the name of the field. */
export type LifProblem = { line: number; field: string; msg: string };

export type Lif = { header: LifHeader | null; rows: LifRow[]; problems: LifProblem[] };

const MAX_ROWS = 5000;
const MAX_PROBLEMS = 100;
const MAX_NAME = 200;
const STATUSES: Record<string, LifStatus> = { DNS: 'DNS', DNF: 'DNF', DQ: 'DQ', DSQ: 'DQ', SCR: 'SCR' };

// DOS ended files with Ctrl-Z.
const withoutEndMark = (text: string) => {
  const end = text.trimEnd();
  return end.endsWith('\u001a') ? end.slice(0, -1) : text;
};

// Text has tabs and line breaks.
// oxlint-disable-next-line no-control-regex
const BINARY = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;

export function readLif(bytes: Uint8Array): Lif {
  const text = withoutEndMark(decodeText(bytes).text);
  const lif: Lif = { header: null, rows: [], problems: [] };
  const problem = (line: number, field: string, msg: string) => void lif.problems.push({ line, field, msg });
  if (BINARY.test(text)) {
    problem(1, 'file', 'Not a text: a .lif file is wanted');
    return lif;
  }
  const [first, ...lines] = linesOf(text, MAX_ROWS + 2);
  if (!first) {
    problem(1, 'file', 'Nothing in it');
    return lif;
  }
  lif.header = readHeader(first, problem);
  if (!lif.header) return lif;
  if (lines.length > MAX_ROWS) problem(lines.at(-1)!.line, 'file', `More than ${MAX_ROWS} rows`);
  for (const line of lines.slice(0, MAX_ROWS)) {
    if (lif.problems.length >= MAX_PROBLEMS) break;
    lif.rows.push(readRow(line, problem));
  }
  judgeRows(lif, problem);
  return lif;
}

type Report = (line: number, field: string, msg: string) => void;

function readHeader({ line, text }: NumberedLine, problem: Report): LifHeader | null {
  const [event = '', round = '', heat = '', name = '', wind = ''] = splitLine(text).map(trimmed);
  let isSound = true;
  const number = (value: string, field: string, max: number): number => {
    const read = integerIn(value, 1, max);
    if (read === null) {
      problem(
        line,
        field,
        `The first line of a .lif file begins with event, round, heat: ${field} must be 1 to ${max}`,
      );
      isSound = false;
    }
    return read ?? 0;
  };
  const numbers = { event: number(event, 'event', 999), round: number(round, 'round', 1000) };
  const header = { line, ...numbers, heat: number(heat || '1', 'heat', 1000), name, wind: windText(wind) };
  if (wind !== '' && header.wind === null) problem(line, 'wind', 'Must be metres a second, such as +2.0');
  return isSound ? header : null;
}

function readRow({ line, text }: NumberedLine, problem: Report): LifRow {
  const fields = splitLine(text).map(trimmed);
  const [place = '', id = '', lane = '', last = '', first = '', affiliation = '', time = ''] = fields;
  const [, , , , , , , , , reaction = '', splits = ''] = fields;
  const status = Object.hasOwn(STATUSES, place.toUpperCase()) ? STATUSES[place.toUpperCase()]! : null;
  const row: LifRow = {
    line,
    place: status === null ? integerIn(place, 1, 100_000) : null,
    status,
    id: id === '0' ? '' : id,
    lane: integerIn(lane, 1, 9999),
    last,
    first,
    affiliation,
    time: readTime(time),
    reaction: readTime(reaction.replace(/^[+-]/, '')) ? reaction.replace(',', '.') : '',
    splits: readSplits(splits),
  };
  const fault = (field: string, msg: string) => problem(line, field, msg);
  if (place !== '' && status === null && row.place === null)
    fault('place', 'Must be a number, or DNS, DNF, DQ, SCR');
  if (lane !== '' && Number(lane) !== 0 && row.lane === null) fault('lane', 'Must be a number');
  if (time !== '' && row.time === null) fault('time', 'Must be a time such as 11.285 or 1:50.526');
  if (time === '' && row.place !== null) fault('time', 'A place comes with a time');
  if (row.id.length > 64) fault('id', 'May have up to 64 characters');
  for (const field of ['last', 'first', 'affiliation'] as const)
    if (row[field].length > MAX_NAME) fault(field, `May have up to ${MAX_NAME} characters`);
  return row;
}

const trimmed = (text: string) => text.trim();

function integerIn(text: string, min: number, max: number): number | null {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return number >= min && number <= max ? number : null;
}

/** `35.120 (35.120),1:11.400 (36.280)`: the time so far, and that of the lap. What cannot be read is left out. */
function readSplits(text: string): LifSplit[] {
  return text.split(')').flatMap((pair) => {
    const [so, of = ''] = pair.split('(');
    const cumulative = readTime(so!.replace(/^[,;\s]+/, ''));
    const lap = readTime(of);
    return cumulative && lap ? [{ cumulative, lap }] : [];
  });
}

function judgeRows({ header, rows }: Lif, problem: Report): void {
  if (rows.length === 0) return problem(header!.line, 'file', 'No rows: nobody has run');
  if (!rows.some(({ place, status, time }) => place ?? status ?? time))
    return problem(rows[0]!.line, 'place', 'No row has a place or a time: this looks like a start list');
  const seen = new Map<string, number>();
  for (const { id, line } of rows) {
    if (id === '') continue;
    if (seen.has(id)) problem(line, 'id', `The same ID as in line ${seen.get(id)}`);
    else seen.set(id, line);
  }
}
