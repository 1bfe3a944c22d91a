// The page of a refusal: what is the matter, and what to do next. It needs no database.
import type { Address } from '../addresses.ts';
import { competitionPath } from './definition.ts';
import type { Page, Setting } from './frame/page.ts';
import type { Words } from './locales/en.ts';

/** The competition that an address without a page lies in. */
export type Nearby = { address: Address; fullName: string };

const TEXTS: Record<number, (words: Words) => [title: string, text: string]> = {
  404: (words) => [words.notFound, words.notFoundText],
  429: (words) => [words.tooMany, words.tooManyText],
  503: (words) => [words.unavailable, words.unavailableText],
};

/** Whether a refusal with this status has a page. */
export const hasErrorPage = (status: number): boolean => Object.hasOwn(TEXTS, status);

export function errorPage(status: number, { words }: Setting, nearby: Nearby | undefined): Page {
  const [title, text] = TEXTS[status]!(words);
  return {
    name: 'error',
    title: `${title} · ${status}`,
    path: null,
    hidden: true,
    main: ({ prefix }) => (
      <div class="error" data-error={status}>
        <p class="status" aria-hidden="true">
          {status}
        </p>
        <h1>{title}</h1>
        <p>{text}</p>
        <ul class="ways">
          {nearby && (
            <li>
              <a href={prefix + competitionPath(nearby.address)}>{nearby.fullName}</a>
            </li>
          )}
          <li>
            <a href={`${prefix}/`}>{words.toStart}</a>
          </li>
        </ul>
      </div>
    ),
  };
}
