import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../src/exchange/csv-read.ts';
import { cell } from '../../src/exchange/csv-write.ts';
import { competitorsIn, fieldOf } from '../../src/exchange/entries-csv.ts';

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const TEXT = 'Bib;Etternavn\r\n7;Grønås\r\n';

test.for([
  ['utf-8', new TextEncoder().encode(TEXT)],
  ['utf-8', new TextEncoder().encode(`\uFEFF${TEXT}`)],
  ['utf-16le', utf16(TEXT)],
  ['utf-16le', utf16(`\uFEFF${TEXT}`)],
  ['utf-16be', swapped(TEXT)],
  ['utf-16be', swapped(`\uFEFF${TEXT}`)],
  ['windows-1252', new Uint8Array(Buffer.from(TEXT, 'latin1'))],
] as const)('a file in %s is read as it was written', ([encoding, bytes]) => {
  expect(readCsv(bytes)).toMatchObject({
    encoding,
    delimiter: ';',
    header: ['Bib', 'Etternavn'],
    rows: [{ number: 2, cells: ['7', 'Grønås'] }],
    faults: [],
  });
});

test('lines are counted as an editor counts them, with blank ones and line ends within cells', () => {
  const { rows } = readCsv(new TextEncoder().encode('sep=,\r\nBib,Note\r\n\r\n1,"a\r\nb"\r\n2,c\r\n'));
  expect(rows.map(({ number }) => number)).toEqual([4, 6]);
});

const faultyLines = (text: string) => readCsv(new TextEncoder().encode(text)).faults.map(({ line }) => line);

test.for([
  ['', undefined],
  ['\r\n \r\n', undefined],
  ['Bib,Name\n1,"open', 2],
  ['Bib,Name\n1,Lind, Ana', 2],
] as const)('%j is refused, at line %j', ([text, line]) => {
  expect(faultyLines(text)).toEqual([line]);
});

test('one of more than 50,000 lines is refused', () => {
  expect(faultyLines(`Bib\n${'1\n'.repeat(50_001)}`)).toEqual([undefined]);
});

test('any bytes have an answer', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .string({
        unit: fc.constantFrom(
          '"',
          ',',
          ';',
          '\t',
          '\r',
          '\n',
          '\0',
          'Bib',
          'Event',
          'PB',
          '1',
          'é',
          '__proto__',
        ),
      })
      .map((text) => new TextEncoder().encode(`Bib${text}`)),
  );
  fc.assert(
    fc.property(bytes, (one) => {
      const csv = readCsv(one);
      expect(competitorsIn(csv).sent.competitors.length).toBeLessThanOrEqual(csv.rows.length);
    }),
    { numRuns: 500 },
  );
});

test('what is written in a cell is read from it', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '1', 'a', '"', ',', ';', '\n', 'é') });
  fc.assert(
    fc.property(text, (value) => {
      const { rows } = readCsv(new TextEncoder().encode(`Bib,Note\r\n7,${cell(value)}\r\n`));
      expect(rows[0]?.cells[1]).toBe(value.trim());
    }),
  );
});

test.for([
  ['DATE OF BIRTH', 'date_of_birth'],
  ['fornavn', 'first_name'],
  ['Øvelse', 'event_id'],
  ['EventID', 'event_id'],
  ['first_name', 'first_name'],
  ['shoeSize', 'shoeSize'],
  ['Dato', undefined],
  ['constructor', 'constructor'],
] as const)('the column %s is the field %s', ([header, field]) => {
  expect(fieldOf(header)).toBe(field);
});
