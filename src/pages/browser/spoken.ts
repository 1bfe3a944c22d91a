// The words for units in every language, for scripts that are told the language by the page that they are on.
import { SPOKEN as made } from 'spoken-words';
import type { Language } from '../locales/languages.ts';
import type { WidgetWords } from '../locales/unit-words.ts';

export const SPOKEN = made as Record<Language, WidgetWords>;

/** nb-NO is nb, no is nb; undefined for languages that are not spoken here. */
export function spoken(tag: string): Language | undefined {
  const language = tag
    .toLowerCase()
    .split(/[-_]/)[0]!
    .replace(/^(no|nn)$/, 'nb');
  return Object.prototype.hasOwnProperty.call(SPOKEN, language) ? (language as Language) : undefined;
}
