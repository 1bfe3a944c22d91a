import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPersonalName } from '../../src/privacy/personal-names.ts';
import { looksPersonal } from '../../src/privacy/personal-values.ts';
import { ageOn, publicCompetitor, publicExtra } from '../../src/privacy/public-fields.ts';
import { camelName } from '../../src/site/documents/camel.ts';
import { textForEditors, withoutPersonal, withoutPersonalText } from '../../src/privacy/public-view.ts';

/** Names under which people were found in payloads, and their relatives. */
const PERSONAL = (
  'date_of_birth dateOfBirth dob birth_date date_of__birth DOB D.O.B. yob year_of_birth birthYear birth-day born ' +
  'athlete_dob athleteDOB geburtsdatum Geburtsjahr jahrgang fodselsdato fødselsdato fodselsår födelsedatum naissance ' +
  'date_de_naissance fecha_nacimiento fecha_de_nacimiento data_nascita data_nascimento geboortedatum syntymaaika ' +
  'syntymäaika data_urodzenia datum_narozeni rok_urodzenia дата_рождения ｄｏｂ email e-mail e_mail eMail contact_email ' +
  'mailaddress epost e-post courriel correo_electronico phone phone_number telephone Telefon tel tlf mobile mobil gsm ' +
  'handynummer teléfono téléphone address home_address Adresse adresse direccion indirizzo postcode zip PLZ licence ' +
  'license licence_no Lizenznummer lisens numero_licence licencia national_id nationalId NationalID personnummer passport ' +
  'passport_no ssn tax_id codice_fiscale emergency_phone parent_email'
).split(' ');

const ATHLETIC = (
  'bib lane order place performance points qualified reaction_time record_flags catpos wind rounds heights trials splits ' +
  'nationality national_record team_name club coach status day_no time_posted distance precision female adobe ' +
  'flag_url callroom_checked initial_height nation remarks phase telemetry mobility'
).split(' ');

test('fields of people’s lives are known by name', () => {
  expect(PERSONAL.filter((name) => !isPersonalName(name))).toEqual([]);
});

test('a name is judged alike in both spellings', () => {
  expect(PERSONAL.filter((name) => !isPersonalName(camelName(name)))).toEqual([]);
});

test('fields of athletics are not taken for them', () => {
  expect(ATHLETIC.filter(isPersonalName)).toEqual([]);
});

describe('a value in a competition of 2026', () => {
  test.for([
    'ana@example.org',
    'ask ana.bo@club.example.org',
    '+44 7700 900123',
    '0044 7700 900123',
    '07700900123',
    '(555) 123-4567',
    'tel: +47 22 33 44 55',
    '1999-07-31',
    ' 1999-07-31 ',
    '1999-07-31T00:00:00Z',
    '31.07.1999',
    '31. 7. 1999',
    '7/31/1999',
    '19990731',
    '2024-12-31',
  ])('%s is somebody’s', (value) => {
    expect(looksPersonal(value, 2026)).toBe(true);
  });

  test.for([
    '2026-07-18',
    '2025-09-01',
    '2025-01-01T09:30:00Z',
    '18.07.2026',
    '9.58',
    '1:43.02',
    '2:03:59',
    '-1.2',
    '+2.0',
    '0.145',
    '131060',
    '14567890',
    '00012345',
    '1234-2026',
    '8-3-1',
    'SP7.26K',
    '@club',
    '@ 2 m',
    'Heat 1 @ 10:30',
    '6f1f0a5e-4a55-4b7e-8f6b-1f2f3f4f5f6f',
    '11.0 22.0 33.0',
    '1999-13-31',
  ])('%s is nobody’s', (value) => {
    expect(looksPersonal(value, 2026)).toBe(false);
  });
});

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>('1999-07-31', 'a@b.no', '5.61', 1, null, true),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('dob', 'e-mail', 'name', 'bib', 'note', 'list'), tie('value'), {
    maxKeys: 4,
  }),
}));
const record = fc.dictionary(fc.constantFrom('dob', 'note', 'results', 'trials', 'status'), value);

const PRIVATE = /"(dob|e-mail)":|"(note|list)":"(1999-07-31|a@b.no)"/;

test('what is personal is gone at any depth, and what is left comes back as it is', () => {
  fc.assert(
    fc.property(record, (given) => {
      const shown = withoutPersonal(given, 2026);
      expect(JSON.stringify(shown)).not.toMatch(PRIVATE);
      expect(withoutPersonal(shown, 2026)).toBe(shown);
      const text = JSON.stringify(shown);
      expect(withoutPersonalText(text, 2026)).toBe(text);
    }),
  );
});

test('those who may edit read all that was sent', () => {
  fc.assert(
    fc.property(record, (given) => {
      const text = JSON.stringify(withoutPersonal(given, 2026));
      expect(JSON.parse(textForEditors({ text, record: given }, 2026))).toEqual(given);
    }),
  );
});

test('what was made for a unit stays beside what those who may edit read', () => {
  const sent = { results: [{ bib: '1', dob: '1999-07-31' }, { bib: '2' }] };
  const text = JSON.stringify({
    event_id: 'E',
    results: [
      { bib: '2', place: 1, athlete_name: 'Bo' },
      { bib: '1', place: 2 },
    ],
  });
  expect(JSON.parse(textForEditors({ text, record: sent }, 2026))).toEqual({
    event_id: 'E',
    results: [
      { bib: '2', place: 1, athlete_name: 'Bo' },
      { bib: '1', place: 2, dob: '1999-07-31' },
    ],
  });
});

test('a competitor shows known fields alone, in entries too, and no objects where a text belongs', () => {
  const sent = {
    competitor_id: '1',
    first_name: 'Ana',
    pb: { dob: '1999-07-31' },
    club_secret: 'x',
    events_entered: [{ event_id: 'E', qp: '6.00', heart_rate: 180, sb: ['a@b.no'] }, 'text'],
  };
  expect(publicCompetitor(sent, '2026-07-18', false)).toStrictEqual({
    competitor_id: '1',
    first_name: 'Ana',
    events_entered: [{ event_id: 'E', qp: '6.00' }, {}],
  });
});

test('beyond its published fields a competition shows what readers of calendars look for', () => {
  const series = [{ series_id: 1, series_name: 'Night', contact_email: 'a@b.no' }];
  expect(publicExtra({ english_name: 'Night', series, note: 'x', email: 'a@b.no' }, 2026)).toEqual({
    english_name: 'Night',
    series: [{ series_id: 1, series_name: 'Night' }],
  });
});

test('who is born on a leap day has a birthday on 1 March of other years', () => {
  expect(ageOn('2026-02-28', '2004-02-29')).toBe(21);
  expect(ageOn('2026-03-01', '2004-02-29')).toBe(22);
  expect(ageOn('2028-02-28', '2004-02-29')).toBe(23);
  expect(ageOn('2028-02-29', '2004-02-29')).toBe(24);
});
