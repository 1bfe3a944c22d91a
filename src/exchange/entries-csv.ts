// Entries as rows of a spreadsheet: headers of many programs and languages, one row for each entry. Pure.
import type { Row } from './csv-write.ts';
import type { Csv, CsvFault } from './csv-read.ts';

type Fields = Record<string, unknown>;

/** What each column is called, first as it is written; compared by letters and digits alone. */
const HEADERS: Record<string, string[]> = {
  competitor_id: ['Competitor Id', 'Bib', 'Startnummer', 'Start No', 'Startnr', 'Dossard'],
  national_id: ['National Id'],
  first_name: [
    'First Name',
    'First',
    'Given Name',
    'Fornavn',
    'Förnamn',
    'Vorname',
    'Prénom',
    'Nombre',
    'Etunimi',
  ],
  last_name: [
    'Last Name',
    'Last',
    'Surname',
    'Family Name',
    'Etternavn',
    'Efternamn',
    'Nachname',
    'Nom',
    'Apellidos',
    'Sukunimi',
  ],
  gender: ['Gender', 'Sex', 'Kjønn', 'Kön', 'Geschlecht', 'Sexe', 'Sexo'],
  date_of_birth: [
    'Date Of Birth',
    'DOB',
    'Birth Date',
    'Fødselsdato',
    'Födelsedatum',
    'Geburtsdatum',
    'Date de naissance',
    'Fecha de nacimiento',
  ],
  year_of_birth: ['Year Of Birth', 'YOB', 'Birth Year', 'Fødselsår', 'Jahrgang'],
  team_id: ['Team Id', 'Team'],
  team_name: ['Team Name', 'Club', 'Klubb', 'Verein', 'Seura'],
  nationality: ['Nationality', 'Nation', 'NAT'],
  age_group: ['Age Group', 'Klasse', 'Klass', 'Altersklasse'],
  category: ['Category', 'Kategori', 'Kategorie'],
  event_id: ['Event', 'Event Id', 'Øvelse', 'Gren', 'Disziplin'],
  event_code: ['Event Code'],
  qp: ['QP', 'Seed', 'Qualifying Performance'],
  pb: ['PB', 'Personal Best'],
  sb: ['SB', 'Season Best', 'Seasons Best'],
};

/** Columns that are said of an entry; where a row has none, of the competitor. */
const OF_ENTRY = new Set(['event_id', 'event_code', 'qp', 'pb', 'sb']);
const MARKS = new Set(['qp', 'pb', 'sb']);

const reduced = (header: string): string =>
  header
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const FIELD_OF = new Map(
  Object.entries(HEADERS).flatMap(([field, names]) =>
    [field, ...names].map((name): [string, string] => [reduced(name), field]),
  ),
);

// A day of the competition is what other programs mean by it, and no field of a competitor.
const IGNORED = new Set(['dato', 'datum', 'date']);

/** The field that a column is; unknown ones keep the name that they have. Undefined for what is not read. */
export const fieldOf = (header: string): string | undefined =>
  IGNORED.has(reduced(header)) ? undefined : (FIELD_OF.get(reduced(header)) ?? header);

export type SentCompetitors = {
  competitors: Fields[];
  /** The line and the header that each field of each competitor was read from, for faults. */
  placeOf(competitor: number, path: (string | number)[]): CsvFault;
  /** Columns that are kept as they are called, and those that are not read. */
  unknown: string[];
  ignored: string[];
  entries: number;
};

const MOST_ENTRIES = 500;

type Column = { header: string; field: string; index: number };
type Kept = { line: number; entryLines: number[] };

/** The competitors of the rows, each once, with their entries in the order of the rows. */
export function competitorsIn(
  csv: Pick<Csv, 'header' | 'rows'>,
  stored: ReadonlyMap<string, Fields> = new Map(),
): { sent: SentCompetitors; faults: CsvFault[] } {
  const { columns, ignored, faults } = columnsOf(csv.header);
  const byId = new Map<string, { fields: Fields; kept: Kept; entries: Fields[] }>();
  if (!columns.some(({ field }) => field === 'competitor_id'))
    faults.push({ line: 1, message: 'A column Competitor Id (or Bib) is missing' });
  else
    for (const { number, cells } of csv.rows) {
      const row = columns.filter(({ index }) => (cells[index] ?? '') !== '');
      const cell = ({ index }: Column) => cells[index]!;
      const key = row.find(({ field }) => field === 'competitor_id');
      if (!key) {
        faults.push({ line: number, column: 'Competitor Id', message: 'Field required' });
        continue;
      }
      const id = cell(key);
      const before = stored.get(id) ?? {};
      const found = byId.get(id) ?? { fields: {}, kept: { line: number, entryLines: [] }, entries: [] };
      byId.set(id, found);
      const isEntry = row.some(({ field }) => field === 'event_id' || field === 'event_code');
      const entry: Fields = {};
      for (const column of row) {
        const { field, header } = column;
        const value = valueOf(field, cell(column));
        if (isEntry && OF_ENTRY.has(field)) entry[field] = value;
        else if (Object.hasOwn(found.fields, field) && !isSame(found.fields[field], value))
          faults.push({
            line: number,
            column: header,
            message: `Differs from line ${found.kept.line}, of the same competitor`,
          });
        else found.fields[field] = asStored(before[field], value);
      }
      if (!isEntry) continue;
      // More than anybody may have are refused, and not looked through.
      const merged = found.entries.length < MOST_ENTRIES ? mergedEntry(before, found.entries, entry) : entry;
      found.entries.push(merged);
      found.kept.entryLines.push(number);
    }
  const all = [...byId.values()];
  const competitors = all.map(({ fields, entries }) => ({
    ...fields,
    ...(entries.length > 0 && { events_entered: entries }),
  }));
  const headerOf = (field: string) => columns.find((one) => one.field === field)?.header ?? field;
  const sent: SentCompetitors = {
    competitors,
    placeOf(index, [field, entry, name]) {
      const { line, entryLines } = all[index]!.kept;
      if (field === 'events_entered' && typeof entry === 'number')
        return { line: entryLines[entry] ?? line, column: headerOf(String(name ?? 'event_id')), message: '' };
      return { line, column: headerOf(String(field ?? 'competitor_id')), message: '' };
    },
    unknown: columns.filter(({ field }) => !Object.hasOwn(HEADERS, field)).map(({ header }) => header),
    ignored,
    entries: all.reduce((sum, { entries }) => sum + entries.length, 0),
  };
  return { sent, faults };
}

function columnsOf(header: string[]) {
  const columns: Column[] = [];
  const ignored: string[] = [];
  const faults: CsvFault[] = [];
  for (const [index, name] of header.entries()) {
    if (name === '') continue;
    const field = fieldOf(name);
    const other = columns.find((one) => one.field === field);
    if (field === undefined) ignored.push(name);
    else if (field === '__proto__' || field === 'events_entered')
      faults.push({ line: 1, column: name, message: 'This name is reserved' });
    else if (other)
      faults.push({ line: 1, column: name, message: `Means the same as the column ${other.header}` });
    else columns.push({ header: name, field, index });
  }
  return { columns, ignored, faults };
}

function valueOf(field: string, cell: string): string {
  if (field === 'date_of_birth') return dayIn(cell);
  if (field === 'gender') return GENDERS.get(cell.toLowerCase()) ?? cell;
  // A decimal comma; never in a list of marks.
  return MARKS.has(field) && /^\d+(:\d+)*,\d+$/.test(cell) ? cell.replace(',', '.') : cell;
}

const GENDERS = new Map(Object.entries({ male: 'M', female: 'F', m: 'M', f: 'F', x: 'X', w: 'F', k: 'F' }));

/** A day as YYYY-MM-DD where it is written day.month.year; anything else as it is, to be judged. */
function dayIn(cell: string): string {
  const [, day, month, year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(cell) ?? [];
  return year === undefined ? cell : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

const plain = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : typeof value === 'string'
      ? value.replaceAll(/\r\n?/g, '\n').trim()
      : value;

const isSame = (one: unknown, other: unknown): boolean => plain(one) === plain(other);

/** What is stored where the cell says the same of it: a number stays a number. */
const asStored = (stored: unknown, cell: string): unknown => (isSame(stored, cell) ? stored : cell);

const eventOf = ({ event_id, event_code }: Fields): string =>
  JSON.stringify(event_id ? [plain(event_id)] : [null, plain(event_code)]);

/** The entry with what else is stored of it: a file of few columns takes nothing away. */
function mergedEntry(before: Fields, earlier: Fields[], entry: Fields): Fields {
  const turn = earlier.filter((one) => eventOf(one) === eventOf(entry)).length;
  const stored = entriesOf(before).filter((one) => eventOf(one) === eventOf(entry))[turn] ?? {};
  const sent = Object.entries(entry).map(([name, value]) => [name, asStored(stored[name], String(value))]);
  return { ...stored, ...(Object.fromEntries(sent) as Fields) };
}

const entriesOf = (competitor: Fields): Fields[] => {
  const entries = competitor['events_entered'];
  return Array.isArray(entries) ? (entries as Fields[]) : [];
};

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Notes fields of a competitor's own that come back under the same name. */
export function noteColumns(competitor: Fields, extra: Set<string>): void {
  for (const [name, value] of Object.entries(competitor))
    if (isScalar(value) && !Object.hasOwn(HEADERS, name) && name.trim() === name && fieldOf(name) === name)
      extra.add(name);
}

/** The columns: those of the template, and fields of the competitors' own. */
export function columnsFor(extra: Iterable<string>, withBirth: boolean): string[] {
  const known = Object.keys(HEADERS).filter((field) => withBirth || !/_of_birth$|^national_id$/.test(field));
  return [...known, ...extra];
}

/** The header of a field, as it is written. */
export const headerOf = (field: string): string =>
  (Object.hasOwn(HEADERS, field) && HEADERS[field]![0]) || field;

/** A row for each entry of a competitor; one row for whoever has none. */
export function* entryRows(competitor: Fields): Iterable<Row> {
  const entries = entriesOf(competitor);
  const person = {
    ...competitor,
    ...(entries.length > 0 && { pb: undefined, sb: undefined, qp: undefined }),
  };
  if (entries.length === 0) yield person;
  for (const entry of entries) {
    const of = Object.entries(entry).filter(([name]) => OF_ENTRY.has(name));
    yield { ...person, ...Object.fromEntries(of) };
  }
}
