// The plan of a mirror's work: what to ask for, and what to remove, so that its files are those that the catalogue wants. Pure.
import type { Catalogue, Shelf } from './catalogue.ts';
import { CALENDARS, calendarsOf, documentsOf, isStale } from './places.ts';

/** Places of documents at an address. */
export type Step = { address: string; shelf: Shelf; fetch: string[]; remove: string[] };

/** @param keep while everything is told of anew, nothing can be known to be too much */
export function planOf(catalogue: Catalogue, { keep }: { keep: boolean }): Step[] {
  // Calendars last: they name what can be read by then.
  const addresses = [...catalogue.stale.keys()].toSorted(
    (one, other) => Number(one === CALENDARS) - Number(other === CALENDARS),
  );
  return addresses.flatMap((address) => {
    const shelf = catalogue.shelves.get(address);
    return shelf ? [stepAt(catalogue, address, shelf, keep)] : [];
  });
}

function stepAt(catalogue: Catalogue, address: string, shelf: Shelf, keep: boolean): Step {
  const stale = catalogue.stale.get(address)!;
  const documents = address === CALENDARS ? calendarsIn(catalogue) : competitionAt(catalogue, address, shelf);
  const isMissing = (document: string) => (shelf.files.get(document)?.etag ?? '') === '';
  const isOld = (document: string) =>
    address === CALENDARS ? stale.has(document) : isStale(document, stale);
  const fetch = documents.filter((document) => isMissing(document) || isOld(document));
  const wanted = new Set(documents);
  const remove = keep ? [] : [...shelf.files.keys()].filter((document) => !wanted.has(document));
  // The smallest first: a unit is waited for more than the whole competition.
  return { address, shelf, fetch: fetch.toSorted((one, other) => depth(other) - depth(one)), remove };
}

const depth = (document: string) => document.split('/').length - Number(document === '');

function competitionAt({ refused }: Catalogue, address: string, { competition, places }: Shelf): string[] {
  const prefix = `${address}/event/`;
  for (const key of refused.keys()) if (key.startsWith(prefix)) refused.delete(key);
  if (competition === null) return [];
  const found = documentsOf(places);
  for (const event of found.refused)
    refused.set(prefix + event, 'another event differs from it by case alone');
  return found.documents;
}

function calendarsIn({ shelves }: Catalogue): string[] {
  const calendars = new Set<string>();
  for (const [address, { competition }] of shelves)
    if (competition !== null) for (const calendar of calendarsOf(address)) calendars.add(calendar);
  return [...calendars];
}
