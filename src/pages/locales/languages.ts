// Languages of the pages: which one an address asks for, and how it writes dates and numbers. Pure.
import type { LANGUAGES as CONFIGURABLE } from '../../languages.ts';
import { de } from './de.ts';
import { el } from './el.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { tagFor } from './moments.ts';
import { nb } from './nb.ts';
import { pl } from './pl.ts';

/** The languages that the environment may choose from, and no other, are those that the pages speak. */
export type Language = (typeof CONFIGURABLE)[number];

/** Every language by its tag, in the order of the menu. */
export const LANGUAGES: Readonly<Record<Language, { name: string; words: Words }>> = {
  en: { name: 'English', words: en },
  de: { name: 'Deutsch', words: de },
  fr: { name: 'Français', words: fr },
  es: { name: 'Español', words: es },
  it: { name: 'Italiano', words: it },
  nb: { name: 'Norsk', words: nb },
  pl: { name: 'Polski', words: pl },
  el: { name: 'Ελληνικά', words: el },
};

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

export const wordsOf = (language: Language): Words => LANGUAGES[language].words;

/** nb-NO is nb, no is nb; undefined for languages that the pages do not speak. */
export function spokenLanguage(locale: string): Language | undefined {
  const [tag = ''] = locale.toLowerCase().split(/[-_]/);
  const language = tag === 'no' || tag === 'nn' ? 'nb' : tag;
  return LANGUAGE_TAGS.find((tag) => tag === language);
}

/** The language of an address, and what comes before its path: nothing for the default language. */
export type Spoken = { language: Language; prefix: string };

/** A locale that we do not speak, or none, shows the default language. */
export function spokenAt(locale: string | undefined, defaultLanguage: Language): Spoken {
  const language = (locale && spokenLanguage(locale)) || defaultLanguage;
  return { language, prefix: prefixOf(language, defaultLanguage) };
}

export const prefixOf = (language: Language, defaultLanguage: Language): string =>
  language === defaultLanguage ? '' : `/${language}`;

// One day of the calendar, whatever the zone of the machine.
const atNoon = (date: string) => new Date(`${date}T12:00:00Z`);

/** A date or a span of days, in words. */
export function shownDates(language: Language, from: string, to: string): string {
  const format = dayFormat(language);
  return from === to ? format.format(atNoon(from)) : format.formatRange(atNoon(from), atNoon(to));
}

// Making one takes longer than a hundred dates.
const dayFormats = new Map<Language, Intl.DateTimeFormat>();

function dayFormat(language: Language): Intl.DateTimeFormat {
  const format =
    dayFormats.get(language) ??
    new Intl.DateTimeFormat(tagFor(language), { dateStyle: 'long', timeZone: 'UTC' });
  dayFormats.set(language, format);
  return format;
}

/** The name of a month, 1 to 12. */
export const shownMonth = (language: Language, month: number): string =>
  new Intl.DateTimeFormat(tagFor(language), { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2000, month - 1, 15)),
  );
