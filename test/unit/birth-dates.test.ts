import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutBirthDates } from '../../src/birth-dates.ts';

const NAMES =
  'date_of_birth dateOfBirth dob birth_date year_of_birth yearOfBirth yob birth_year birthYear'.split(' ');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1999-07-31', 1, null, '"dob":'),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...NAMES, 'name', 'dobs', '"dob"'), tie('value'), { maxKeys: 4 }),
}));

/** The slow and obvious way. */
function cleaned(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(cleaned);
  if (typeof given !== 'object' || given === null) return given;
  const kept = Object.entries(given).filter(([name]) => !NAMES.includes(name));
  return Object.fromEntries(kept.map(([name, item]) => [name, cleaned(item)]));
}

test('members that hold a date of birth are gone at any depth, and all others stay', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(JSON.parse(withoutBirthDates(JSON.stringify(given)))).toEqual(cleaned(given));
    }),
  );
});

test('a text without one comes back byte for byte', () => {
  fc.assert(
    fc.property(value, (given) => {
      const text = JSON.stringify(cleaned(given));
      expect(withoutBirthDates(text)).toBe(text);
    }),
  );
});
