// Names of countries in each language. Pure.
import { twoLetters } from '../countries.ts';
import type { Language } from './locales/languages.ts';

const known = new Map<Language, Intl.DisplayNames>();

/** The name of a country; of the home nations, which no standard lists, the code that everybody knows. */
export function countryName(language: Language, iso: string): string {
  const letters = twoLetters(iso);
  if (!letters) return iso;
  const names = known.get(language) ?? new Intl.DisplayNames(language, { type: 'region' });
  known.set(language, names);
  return names.of(letters) ?? iso;
}
