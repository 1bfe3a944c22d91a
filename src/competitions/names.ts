// Names of competitions: the key that tells whether two are the same, and the slug made for an address. Pure.
import slugify from '@sindresorhus/slugify';

const SLUG_LENGTH = 80;

/** Two names are the same when they differ only in letter case, white space or Unicode form. */
export const nameKey = (fullName: string): string =>
  fullName.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/gu, ' ').trim().normalize('NFKC');

/** What stands in the place of a slug in addresses of documents and files. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['json', 'csv', 'ics']);

/** A slug for a name, transliterated; never empty, never reserved. */
export function slugOf(fullName: string, date: string): string {
  const slug = slugify(fullName).slice(0, SLUG_LENGTH).replace(/-+$/, '');
  return slug === '' || RESERVED_SLUGS.has(slug) ? `competition-${date}` : slug;
}

/** The slug itself when free, else the first of slug-2, slug-3 … that is. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const candidate = slug.slice(0, SLUG_LENGTH - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
