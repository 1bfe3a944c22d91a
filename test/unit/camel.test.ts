import { expect, test } from 'vitest';
import { camelRecordText, camelText } from '../../src/site/documents/camel.ts';

const camel = (value: unknown): unknown => JSON.parse(camelText(JSON.stringify(value)));
const camelRecord = (value: unknown): unknown => JSON.parse(camelRecordText(JSON.stringify(value)));

test.for<[string, string]>([
  ['full_name', 'fullName'],
  ['r1_time', 'r1Time'],
  ['r2_day', 'r2Day'],
  ['ot_athlete_id', 'otAthleteId'],
  ['ce_score_formula', 'ceScoreFormula'],
  ['wind_assistance', 'windAssistance'],
  ['relay_teams', 'relayTeams'],
  ['bib', 'bib'],
  ['rawTime', 'rawTime'],
  ['_private', '_private'],
  ['odd__name_', 'oddName_'],
  ['', ''],
])('%s is called %s', ([snake, expected]) => {
  expect(camel({ [snake]: 1 })).toEqual({ [expected]: 1 });
});

test('names change at every depth, values never', () => {
  const value = { a_b: [{ c_d: 'e_f' }, ['g_h', null, 1.5, { i_j: { k_l: true } }]] };
  expect(camel(value)).toEqual({ aB: [{ cD: 'e_f' }, ['g_h', null, 1.5, { iJ: { kL: true } }]] });
});

test('the country, venue and organiser of a competition have no id in their names, those of other things have', () => {
  const record = { country_id: 'GBR', venue_id: null, organiser_id: 'x', series: [{ venue_id: 1 }] };
  expect(camelRecord(record)).toEqual({
    country: 'GBR',
    venue: null,
    organiser: 'x',
    series: [{ venueId: 1 }],
  });
  expect(camel({ country_id: 'GBR' })).toEqual({ countryId: 'GBR' });
});

test('a field sent under a name that ours is respelled to gives way, and no name occurs twice', () => {
  expect(camelRecordText('{"full_name":"A","country_id":"GBR","fullName":"B","country":"Britain"}')).toBe(
    '{"fullName":"A","country":"GBR"}',
  );
});

test.for<[string, string]>([
  ['{"full_name":"A","full__name":"B"}', '{"fullName":"A"}'],
  ['{"full__name":"B","full_name":"A"}', '{"fullName":"A"}'],
  ['{"full__name":"B","fullName":"A"}', '{"fullName":"A"}'],
  ['{"full__name":"B","full_Name":"C","fullName":"A","full_name":"D"}', '{"fullName":"D"}'],
  ['{"full__name":"B"}', '{"fullName":"B"}'],
  ['{"r_1_time":"B","r1_time":"A"}', '{"r1Time":"A"}'],
])('of fields that are spelled alike the plainest stays: %s', ([json, expected]) => {
  expect(camelText(json)).toBe(expected);
});

test('the country of a competition gives way to nothing that was sent', () => {
  expect(camelRecordText('{"country":"Britain","country_id":"GBR"}')).toBe('{"country":"GBR"}');
});
