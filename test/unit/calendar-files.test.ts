import { expect, test } from 'vitest';
import {
  calendarYears,
  countriesWithFile,
  countryOfName,
  filesOf,
  namesOf,
} from '../../src/calendar/files.ts';
import { EUROPEAN_ATHLETICS } from '../../src/countries.ts';

test('a European country is in the European file and its own', () => {
  expect(filesOf('DEU')).toEqual(['european', { countryId: 'DEU' }]);
  expect(filesOf('BRA')).toEqual([{ countryId: 'BRA' }]);
});

test('a home nation is in the file of GBR too', () => {
  expect(filesOf('SCO')).toEqual(['european', { countryId: 'SCO' }, { countryId: 'GBR' }]);
  expect(filesOf('GBR')).toEqual(['european', { countryId: 'GBR' }]);
});

test('a domestic file has the ISO code, the World Athletics spelling, and both in lower case', () => {
  expect(namesOf({ countryId: 'DEU' }, 2026)).toEqual([
    'domestic_calendar_DEU_2026.json',
    'domestic_calendar_deu_2026.json',
    'domestic_calendar_GER_2026.json',
    'domestic_calendar_ger_2026.json',
  ]);
  expect(namesOf({ countryId: 'FRA' }, 2026)).toHaveLength(2);
  expect(namesOf('european', 2026)).toEqual(['european_calendar_2026.json']);
});

test('the members of European Athletics have a file each, and so has every other country with competitions', () => {
  expect(countriesWithFile([])).toEqual(EUROPEAN_ATHLETICS);
  const [bra, sco] = [countriesWithFile(['BRA', 'DEU']), countriesWithFile(['SCO'])];
  expect([bra.size, bra.has('BRA')]).toEqual([52, true]);
  expect([sco.size, sco.has('SCO'), sco.has('GBR')]).toEqual([52, true, true]);
});

test('every name of a domestic file leads back to its country, and only in its year', () => {
  for (const name of namesOf({ countryId: 'CHE' }, 2026)) expect(countryOfName(name, 2026)).toBe('CHE');
  expect(countryOfName('domestic_calendar_CHE_2025.json', 2026)).toBeNull();
  expect(countryOfName('european_calendar_2026.json', 2026)).toBeNull();
});

test('the years are those of the time zone', () => {
  const newYear = new Date('2026-12-31T23:30:00Z');
  expect(calendarYears(newYear, 'Europe/London')).toEqual([2026, 2027]);
  expect(calendarYears(newYear, 'Europe/Berlin')).toEqual([2027, 2028]);
});
