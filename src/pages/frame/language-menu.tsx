// The menu of languages: the same page in each of them. It opens and closes without a script.
import { LANGUAGE_TAGS, LANGUAGES, type Language, prefixOf } from '../locales/languages.ts';
import type { Setting } from './page.ts';

/** The address of the page in a language. */
export const pathIn = (tag: Language, path: string, { defaultLanguage }: Setting): string =>
  prefixOf(tag, defaultLanguage) + path;

/** @param path of the page, without the language */
export function LanguageMenu({ path, setting }: { path: string; setting: Setting }) {
  const { language, words } = setting;
  return (
    <details class="languages">
      <summary>
        <Globe />
        <span class="spoken">{words.language}: </span>
        {LANGUAGES[language].name}
      </summary>
      <ul>
        {LANGUAGE_TAGS.map((tag) => (
          <li key={tag}>
            <a
              href={pathIn(tag, path, setting)}
              hreflang={tag}
              lang={tag}
              aria-current={tag === language ? 'true' : undefined}
            >
              {LANGUAGES[tag].name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

const Globe = () => (
  <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor">
    <circle cx="10" cy="10" r="8" stroke-width="1.5" />
    <path d="M2 10h16M10 2c-5 5-5 11 0 16M10 2c5 5 5 11 0 16" stroke-width="1.2" />
  </svg>
);
