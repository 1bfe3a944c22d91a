// The grammar of locales and of public paths. Pure.

// en, nb-no, zh-hant-tw: taken as it comes, the JSON is the same in every language.
const LOCALE = '[a-z]{2,3}[A-Za-z0-9_-]{0,14}';

/** The prefix of routes below a locale. */
export const LOCALE_PREFIX = `/:locale(^${LOCALE}$)`;

/** Paths of the pages, with their locale. */
export const PAGE_PATH = new RegExp(`^/+(?:(${LOCALE})/+)?x(?:/|$)`);

/** The path of a competition. */
export const COMPETITION = '/x/:year/:country_id/:slug';

/** Routes of the API. */
export const API = /^\/+api\//;

// Of a route as it is registered, or of a path.
const OR_LOCALE = `(?:(?::locale|${LOCALE})(?:\\(.*\\))?/+)?`;

/** Routes whose answers any page may read; and paths that lead to them, for preflights, which have no route of their own. */
export const OPEN_TO_ALL = new RegExp(
  `^/+(?:api/+v1/+(?:ping|push|changes)(?:/|$)|assets/|embed/|oembed(?:/|$))|^/+${OR_LOCALE}x/`,
);

// The entrance, also below a language, and the list of everything public.
const FRONT = '/+(?::locale\\(.*\\))?$|/sitemap';

/** Routes that read or write the database; calendar files and ping go on without it. */
export const PAUSED_IN_MAINTENANCE = new RegExp(
  `^/+api/+(?!v1/+ping(?:/|$))|^/+oembed(?:/|$)|^/+${OR_LOCALE}x/|^(?:${FRONT})`,
);

/** Whether reads of a path need no account: pages, files and probes, and of the API what is open to all. */
export const isReadByAll = (path: string): boolean => !API.test(path) || OPEN_TO_ALL.test(path);
