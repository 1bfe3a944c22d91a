// The catalogue of a mirror: which competition is at which address with which events and units, as the feed told; which files
// there are; and which of them may be out of date. Pure.
import { addressOf, CALENDARS, calendarsOf, faultOf, type Located, placeOf, showing } from './places.ts';

/** A change as a mirror reads it. */
export type Told = Located & { competition_id: string; deleted: boolean };

/** A file as it was received; both are '' until then. */
export type Kept = { hash: string; etag: string };

/** What is at one address. Files that are no more wanted stay in its list until they are removed. */
export type Shelf = {
  competition: string | null;
  /** The reading of everything, of several, in which the competition was last told of. */
  generation: number;
  places: Set<string>;
  files: Map<string, Kept>;
};

export type Catalogue = {
  generation: number;
  shelves: Map<string, Shelf>;
  addresses: Map<string, string>;
  /** What nothing is kept for, and why. */
  refused: Map<string, string>;
  /** Documents that have to be asked for, by address; an address alone is looked through for what is missing or too much. */
  stale: Map<string, Set<string>>;
};

export const emptyShelf = (): Shelf => ({
  competition: null,
  generation: 0,
  places: new Set(),
  files: new Map(),
});

/** The catalogue as it was kept. Where work was left undone it is stale. */
export function catalogueOf(
  generation: number,
  shelves: Map<string, Shelf>,
  refused: Map<string, string>,
): Catalogue {
  const addresses = new Map<string, string>();
  const catalogue: Catalogue = { generation, shelves, addresses, refused, stale: new Map() };
  for (const [address, { competition, files }] of shelves) {
    if (competition !== null) addresses.set(competition, address);
    const isUndone = competition === null || [...files.values()].some(({ etag }) => etag === '');
    if (isUndone) touch(catalogue, address);
    if (isUndone && address !== CALENDARS) touchCalendars(catalogue, address);
  }
  return catalogue;
}

/** Takes in a change. */
export function take(catalogue: Catalogue, change: Told): void {
  const { competition_id: id } = change;
  const object = [id, change.type, placeOf(change)].join(' ');
  catalogue.refused.delete(object);
  if (change.deleted) return forget(catalogue, change);
  const address = addressOf(change);
  const fault = address === null ? 'there is no such address' : faultOf(change);
  if (address === null) leave(catalogue, id);
  if (address === null || fault !== null) {
    catalogue.refused.set(object, fault!);
    return;
  }
  const shelf = enter(catalogue, id, address);
  const place = placeOf(change);
  if (place !== null) shelf.places.add(place);
  touch(catalogue, address, ...showing(change));
  if (change.type === 'competition') touchCalendars(catalogue, address);
}

function forget(catalogue: Catalogue, change: Told): void {
  const { competition_id: id } = change;
  if (change.type === 'competition') return leave(catalogue, id);
  const address = catalogue.addresses.get(id);
  if (address === undefined || faultOf(change) !== null) return;
  const place = placeOf(change);
  if (place !== null) catalogue.shelves.get(address)!.places.delete(place);
  touch(catalogue, address, ...showing(change));
}

/** The competition is no more where it was. */
function leave(catalogue: Catalogue, id: string): void {
  const address = catalogue.addresses.get(id);
  if (address === undefined) return;
  const shelf = catalogue.shelves.get(address)!;
  catalogue.addresses.delete(id);
  shelf.competition = null;
  shelf.places = new Set();
  touch(catalogue, address);
  touchCalendars(catalogue, address);
}

/** The competition is at this address: whichever else was has left it, and will be told of again with everything in it. */
function enter(catalogue: Catalogue, id: string, address: string): Shelf {
  const { generation, addresses, shelves } = catalogue;
  if (addresses.get(id) !== address) leave(catalogue, id);
  const shelf = shelves.get(address) ?? emptyShelf();
  shelves.set(address, shelf);
  if (shelf.competition === id && shelf.generation === generation) return shelf;
  if (shelf.competition !== null) addresses.delete(shelf.competition);
  addresses.set(id, address);
  Object.assign(shelf, { competition: id, generation, places: new Set() });
  touchCalendars(catalogue, address);
  return shelf;
}

/** From here on everything is told of again. */
export function beginReading(catalogue: Catalogue): void {
  catalogue.generation += 1;
  catalogue.refused.clear();
}

/** Everything was told of: what was not is gone. */
export function endReading(catalogue: Catalogue): void {
  const { shelves, generation } = catalogue;
  for (const [address, shelf] of shelves) {
    if (shelf.competition !== null && shelf.generation !== generation) leave(catalogue, shelf.competition);
    touch(catalogue, address);
  }
}

function touch({ stale }: Catalogue, address: string, ...documents: string[]): void {
  const known = stale.get(address) ?? new Set();
  for (const document of documents) known.add(document);
  stale.set(address, known);
}

function touchCalendars(catalogue: Catalogue, address: string): void {
  const { shelves } = catalogue;
  if (!shelves.has(CALENDARS)) shelves.set(CALENDARS, emptyShelf());
  touch(catalogue, CALENDARS, ...calendarsOf(address));
}
