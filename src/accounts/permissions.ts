// Permissions: they follow from the account's groups and the competition's directors alone.
import type { Origin } from '../audit/entry.ts';
import { coveredBy, covers, toIso } from '../countries.ts';

/** The signed-in account. Group names are canonical: ADMIN_<ISO code>. Without an origin it acts from the command line. */
export type Actor = { id: string; email: string; groups: string[]; origin?: Origin };

const ADMIN = 'ADMIN_';

/** The canonical name of an administrators' group (admin_ger -> ADMIN_DEU); null for anything else. */
export function canonicalGroup(name: string): string | null {
  const [, code] = /^ADMIN_([A-Z]{3})$/i.exec(name) ?? [];
  const iso = code === undefined ? null : toIso(code);
  return iso === null ? null : ADMIN + iso;
}

/** Whether the account administers this country: through its group, or through ADMIN_GBR for a home nation. */
export function adminOf(actor: Actor, countryId: string): boolean {
  return actor.groups.some(
    (group) => group.startsWith(ADMIN) && covers(group.slice(ADMIN.length), countryId),
  );
}

/** The countries that the account administers. */
export const administered = (actor: Actor): string[] =>
  actor.groups
    .filter((group) => group.startsWith(ADMIN))
    .flatMap((group) => coveredBy(group.slice(ADMIN.length)));
/** Whether there is any country that the account administers. */
export const administersAny = ({ groups }: Actor): boolean => groups.some((group) => group.startsWith(ADMIN));

/** Creating a competition in a country. */
export function mayCreate(actor: Actor, countryId: string): boolean {
  return adminOf(actor, countryId);
}

/** Changing a competition and everything in it; the same right shows what is not public, such as dates of birth. */
export function mayEdit(actor: Actor, competition: { countryId: string; directorIds: string[] }): boolean {
  return adminOf(actor, competition.countryId) || competition.directorIds.includes(actor.id);
}

/** Deleting a whole competition: its directors may not. */
export function mayDelete(actor: Actor, competition: { countryId: string }): boolean {
  return adminOf(actor, competition.countryId);
}
