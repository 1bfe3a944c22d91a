import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionOn, placeIn, withPlaceText } from '../../src/units/rules/places.ts';

test.for([
  ['1=', 1],
  ['=1', 1],
  ['1.', 1],
  ['12.=', 12],
  ['= 3', 3],
  ['T2', 2],
  [' 4= ', 4],
  ['DQ', null],
  ['DQ R17.8', null],
  ['DNS', null],
  ['-', null],
  ['2 (h)', null],
  ['0=', null],
  ['1-2', null],
] as const)('%s speaks of place %j', ([text, place]) => {
  expect(placeIn(text)).toBe(place);
});

describe('a result is stored with', () => {
  test.for<[string, object, object]>([
    ['a number as it is', { place: 3 }, { place: 3 }],
    ['nothing as it is', {}, {}],
    ['null as it is', { place: null }, { place: null }],
    ['a shared place as number and text', { place: '1=' }, { place: 1, place_text: '1=' }],
    ['a code as text alone', { place: 'DQ' }, { place: null, place_text: 'DQ' }],
    ['a text that came alone', { place_text: '1=' }, { place: 1, place_text: '1=' }],
    [
      'the new place instead of what came back',
      { place: 2, place_text: '1=' },
      { place: 2, place_text: undefined },
    ],
    [
      'the new text instead of what came back',
      { place: '2=', place_text: '1=' },
      { place: 2, place_text: '2=' },
    ],
    [
      'the place of one who is no longer out',
      { place: 3, place_text: 'DQ' },
      { place: 3, place_text: undefined },
    ],
    [
      'no place where it was taken away',
      { place: null, place_text: '1=' },
      { place: null, place_text: undefined },
    ],
  ])('%s', ([, sent, stored]) => {
    expect(withPlaceText(sent)).toEqual(stored);
  });

  test('what it was read as, however often it comes back', () => {
    const place = fc.oneof(
      fc.constantFrom(1, null, undefined, '1=', '=2', 'DNF', '-'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(place, (place) => {
        const once = withPlaceText({ bib: '1', place });
        expect(withPlaceText(once)).toStrictEqual(once);
      }),
    );
  });
});

test('a decision may stand in place of the mark or of the place', () => {
  expect(decisionOn({ performance: 'DQ R 163.3a', place_text: '-' })).toBe('DQ R 163.3a');
  expect(decisionOn({ performance: '6.50', place_text: 'DQ' })).toBe('DQ');
  expect(decisionOn({ performance: '6.50', place_text: '1=' })).toBeUndefined();
  expect(decisionOn({ performance: 'NM', place_text: '-' })).toBeUndefined();
});
