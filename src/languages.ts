// The languages of the pages, by their tags. Pure.

export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nb', 'pl', 'el'] as const;
