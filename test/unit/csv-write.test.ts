import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cell, headerLine, line, shielded, unshielded } from '../../src/exchange/csv-write.ts';

test('a file begins with its mark and the names of its columns, and every line ends as Excel expects', () => {
  expect(headerLine(['bib', 'first_name'], ';')).toBe('\uFEFFbib;first_name\r\n');
  expect(line(['bib', 'place', 'note'], { place: 1, bib: '7' }, ',')).toBe('7,1,\r\n');
});

test.for([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+49 30 1234', "'+49 30 1234"],
  ['@home', "'@home"],
  ['-cmd|x', "'-cmd|x"],
  ['\t=1', `"'\t=1"`],
  ['-1+2', "'-1+2"],
  // Marks come from us.
  ['-', '-'],
  ['-1.2', '-1.2'],
  ['+0.3', '+0.3'],
  ['4:36.11', '4:36.11'],
  ["O'Neil", "O'Neil"],
  ['Lind, Ana', '"Lind, Ana"'],
  ['a;b', '"a;b"'],
])('%j is written %s', ([text, written]) => {
  expect(cell(text)).toBe(written);
});

test('nothing that a spreadsheet would calculate is left, and every text comes back', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\n', '1', '.', 'a') });
  fc.assert(
    fc.property(text, (value) => {
      const written = shielded(value);
      expect(unshielded(written)).toBe(value);
      expect(!/^[=+\-@\t]/.test(written) || /^[+-]?[\d.,:]*$/.test(written)).toBe(true);
    }),
  );
});
