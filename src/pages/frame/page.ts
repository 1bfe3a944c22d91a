// A page: what its frame shows around it, and what stands in its main part. Pure.
import type { ComponentChildren } from 'preact';
import type { Language } from '../locales/languages.ts';
import type { Words } from '../locales/en.ts';

export type PageName =
  | 'entrance'
  | 'calendar'
  | 'competition'
  | 'event'
  | 'round'
  | 'unit'
  | 'competitors'
  | 'competitor'
  | 'screen'
  | 'overlay'
  | 'embed'
  | 'card'
  | 'error';

/** Where and for whom a page is drawn. */
export type Setting = {
  language: Language;
  defaultLanguage: Language;
  words: Words;
  /** Comes before every path of a page in this language. */
  prefix: string;
  /** Scheme and host, for links that leave the page: canonical, shared, on a QR code. */
  origin: string;
  /** Whether the origin is known to be this service's, and not only what a client called it. */
  isOwnOrigin: boolean;
  /** Scheme and host of the push server, as this reader reaches it. */
  pushOrigin: string;
  /** Path of an asset, by its name. */
  asset: (name: string) => string;
  /** Paths of what an asset loads at once. */
  assetImports: (name: string) => string[];
  /** Changes with any asset. */
  assetVersion: string;
};

/** How a page that changes is kept current. */
export type Live = {
  push: boolean;
  /** The last day of the competition. */
  finish: string;
  /** The channel on which its regions are asked for again; absent when it has none. */
  regions?: string;
};

/** How a page without header and footer is drawn. */
export type Bare = {
  styles: string[];
  /** Whether the script of every page keeps it current. */
  pageScript?: boolean;
  /** Classic scripts of its own. */
  scripts: string[];
  /** Chosen by the address. */
  theme?: string | undefined;
  /** Whether its links open elsewhere. */
  linksLeave?: boolean;
  /** Attributes of its main part, for its scripts. */
  data?: Record<`data-${string}`, string | number | undefined>;
};

/** Names alone; or words in the language of the page. */
type InLanguage = string | ((setting: Setting) => string);

export type Page = {
  name: PageName;
  title: InLanguage;
  description?: InLanguage;
  /** Its path without the language: null for pages that have no address of their own. */
  path: string | null;
  /** Path of the JSON beside it. */
  json?: string;
  /** Kept out of search engines, and without alternates. */
  hidden?: boolean;
  live?: Live;
  /** Whether it has units that are drawn again in the browser. */
  drawsUnits?: boolean;
  /** Other sites may show what is on it: oEmbed tells them how. */
  embeddable?: boolean;
  bare?: Bare;
  /** schema.org data of what it shows. */
  linkedData?: (setting: Setting) => object;
  main: (setting: Setting) => ComponentChildren;
};

/** A page with the texts of its head in the language that it is drawn in. */
export type TitledPage = Omit<Page, 'title' | 'description'> & { title: string; description: string };

export function titled(page: Page, setting: Setting): TitledPage {
  const { title, description = '' } = page;
  const textOf = (text: InLanguage) => (typeof text === 'string' ? text : text(setting));
  return { ...page, title: textOf(title), description: textOf(description) };
}
