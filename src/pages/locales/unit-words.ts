// The words with which a unit is drawn. Scripts for other sites hold these of every language, and no others. Pure.
import type { Words } from './en.ts';

export const UNIT_WORDS = [
  'before',
  'seeded',
  'live',
  'provisional',
  'official',
  'cancelled',
  'postponed',
  'interrupted',
  'provisionalBanner',
  'noStartList',
  'noResults',
  'scheduled',
  'connected',
  'reconnecting',
  'polling',
  'paused',
  'off',
  'pause',
  'resume',
  'place',
  'placeShort',
  'lane',
  'order',
  'bib',
  'name',
  'team',
  'performance',
  'best',
  'wind',
  'qualification',
  'note',
  'points',
  'reaction',
  'attempt',
  'jumpOff',
  'failuresAtBest',
  'failures',
  'windCaption',
  'windAided',
  'codes',
  'DNS',
  'DNF',
  'DQ',
  'NM',
  'NH',
  'NT',
  'Q',
  'q',
  'qR',
  'qJ',
  'O',
  'X',
  'passed',
  'retired',
  'latest',
  'latestResults',
  'events',
] as const satisfies (keyof Words)[];

export type UnitWords = Pick<Words, (typeof UNIT_WORDS)[number]>;

/** Those of a language, as the text of a script: functions among them name nothing but what they are given. */
export const unitWordsText = (words: Words): string =>
  `{${UNIT_WORDS.map((key) => {
    const word = words[key];
    return `${JSON.stringify(key)}:${typeof word === 'function' ? word.toString() : JSON.stringify(word)}`;
  }).join(',')}}`;
