// The words of the pages, language by language: none empty, none forgotten in English, none deaf to what it is given.
import { describe, expect, test } from 'vitest';
import { LANGUAGES as CONFIGURABLE } from '../../src/languages.ts';
import { en, type Words } from '../../src/pages/locales/en.ts';
import { LANGUAGE_TAGS, LANGUAGES, shownDates, spokenLanguage } from '../../src/pages/locales/languages.ts';

const KEYS = Object.keys(en) as (keyof Words)[];
const OTHERS = LANGUAGE_TAGS.filter((tag) => tag !== 'en');

/** Words that are the same as in English, by right. */
const AS_IN_ENGLISH: Record<string, (keyof Words)[]> = {
  de: ['live', 'name', 'wind', 'windCaption', 'placeShort', 'links', 'website', 'nationality'],
  fr: ['place', 'placeShort', 'points', 'pages', 'menu'],
  es: ['provisional'],
  it: ['menu'],
  nb: ['placeShort'],
  pl: ['menu'],
  el: [],
};
const EVERYWHERE = new Set<keyof Words>(['json']);

/** What a word says when it is given a number, or a text. */
function said(word: Words[keyof Words], given: number): string {
  if (typeof word === 'string') return word;
  return (word as (...all: unknown[]) => string)(...Array.from({ length: word.length }, () => given));
}

test('the pages speak what the environment offers', () => {
  expect(LANGUAGE_TAGS.toSorted()).toEqual(CONFIGURABLE.toSorted());
});

describe.each(LANGUAGE_TAGS)('in %s', (tag) => {
  const { words } = LANGUAGES[tag];

  test('no word is missing, and all stand in the order of the English ones', () => {
    expect(Object.keys(words)).toEqual(KEYS);
  });

  test('no word is empty, padded or of something that is not there', () => {
    const faulty = /^$|^\s|\s$|\b(undefined|null|NaN)\b|\$\{|\[object/;
    expect(KEYS.filter((key) => faulty.test(said(words[key], 3)))).toEqual([]);
  });

  test('what is given to a word is said', () => {
    const given = KEYS.filter((key) => typeof words[key] === 'function');
    expect(given).toEqual(KEYS.filter((key) => typeof en[key] === 'function'));
    expect(given.filter((key) => said(words[key], 3) === said(words[key], 7))).toEqual([]);
  });
});

test('every language writes dates in words of its own', () => {
  const dates = LANGUAGE_TAGS.map((tag) => shownDates(tag, '2026-05-30', '2026-06-01'));
  expect(new Set(dates).size).toBe(LANGUAGE_TAGS.length);
});

test.each(OTHERS)('no word was left in English in %s', (tag) => {
  const { words } = LANGUAGES[tag];
  const same = KEYS.filter((key) => !EVERYWHERE.has(key) && said(words[key], 3) === said(en[key], 3));
  expect(same.toSorted()).toEqual(AS_IN_ENGLISH[tag]!.toSorted());
});

test.each(LANGUAGE_TAGS)('what the codes of the sport mean is told apart in %s', (tag) => {
  const { words } = LANGUAGES[tag];
  const codes = ['DNS', 'DNF', 'DQ', 'NM', 'NH', 'NT', 'Q', 'q', 'qR', 'qJ'] as const;
  expect(new Set(codes.map((code) => words[code])).size).toBe(codes.length);
  expect(new Set([words.O, words.X, words.passed, words.retired]).size).toBe(4);
});

test.each([
  ['nb-NO', 'nb'],
  ['no', 'nb'],
  ['nn', 'nb'],
  ['EL', 'el'],
  ['fr_CA', 'fr'],
  ['sv', undefined],
  ['constructor', undefined],
])('the locale %s is spoken as %s', (locale, language) => {
  expect(spokenLanguage(locale)).toBe(language);
});
