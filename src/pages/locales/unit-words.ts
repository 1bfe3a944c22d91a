// The words that browsers draw with. Scripts for other sites hold those of a unit in every language, and no others. Pure.
import { UNIT_STATES } from '../unit/state.ts';
import type { Words } from './en.ts';

export const UNIT_WORDS = [
  ...UNIT_STATES,
  'provisionalBanner',
  'noStartList',
  'noResults',
  'scheduled',
  'updated',
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
  'up',
  'upNext',
  'underWay',
] as const satisfies (keyof Words)[];

export type UnitWords = Pick<Words, (typeof UNIT_WORDS)[number]>;

/** Those, and what else is said of a competition: our own pages have that from the server. */
export const WIDGET_WORDS = [
  ...UNIT_WORDS,
  'latestAttempts',
  'latestResults',
  'events',
] as const satisfies (keyof Words)[];

export type WidgetWords = Pick<Words, (typeof WIDGET_WORDS)[number]>;

/** Those, and what else the scripts of our own pages say. */
export const PAGE_WORDS = [
  ...UNIT_WORDS,
  'atHeight',
  'inRound',
  'leads',
  'needs',
  'toLead',
  'toTake',
  'toShare',
] as const satisfies (keyof Words)[];

export type PageWords = Pick<Words, (typeof PAGE_WORDS)[number]>;

/** Some words of a language, as the text of a script: functions among them name nothing but what they are given. */
export const wordsText = (words: Words, keys: readonly (keyof Words)[]): string =>
  `{${keys
    .map((key) => {
      const word = words[key];
      return `${JSON.stringify(key)}:${typeof word === 'function' ? word.toString() : JSON.stringify(word)}`;
    })
    .join(',')}}`;
