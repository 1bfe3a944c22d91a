// The state of a mirror on the disk, in .mirror: how far it has read, and for each address which files lie there. What says how
// far is written after everything up to there is in place: a mirror that is killed repeats work, and skips none.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tryStartLock } from '../db/embedded/start-lock.ts';
import { OperatorError } from '../errors.ts';
import { replaceFile } from '../replace-file.ts';
import { type Catalogue, catalogueOf, type Kept, type Shelf } from './catalogue.ts';

/** Up to where was read; `anew` while everything is told of again. */
export type Reading = { cursor: string; anew: boolean };

export type StateFiles = {
  catalogue: Catalogue;
  reading: Reading;
  /** A name that nobody reads, on the disk of the mirror. */
  temporary: () => string;
  writeShelf: (address: string) => Promise<void>;
  writeReading: (reading: Reading) => Promise<void>;
  /** Leaves the folder to another process. */
  close: () => Promise<void>;
};

type StoredReading = Reading & { mirror: 1; generation: number; refused: [string, string][] };
type StoredShelf = Omit<Shelf, 'places' | 'files'> & {
  address: string;
  places: string[];
  files: [place: string, hash: string, etag: string][];
};

const FOLDER = '.mirror';

/** @throws OperatorError when the folder is not a mirror's, or another process keeps it */
export async function openState(folder: string): Promise<StateFiles> {
  const state = join(folder, FOLDER);
  const [readingFile, shelves, drafts] = ['state.json', 'shelves', 'drafts'].map((name) => join(state, name));
  await mkdir(folder, { recursive: true });
  const present = await readdir(folder);
  if (present.length > 0 && !present.includes(FOLDER))
    throw new OperatorError(`${folder} is not empty and no mirror: give a new folder, or an empty one`);
  await mkdir(shelves!, { recursive: true });
  const release = await tryStartLock(state);
  if (!release) throw new OperatorError(`Another process keeps the mirror in ${folder}`);
  await rm(drafts!, { recursive: true, force: true });
  await mkdir(drafts!);
  const stored = (await readJson(readingFile!)) as StoredReading | null;
  const kept = await readShelves(shelves!);
  // Where it does not say how far it is, it begins anew: with another number than that of any reading before.
  const generation = [...kept.values()].reduce(
    (newest, shelf) => Math.max(newest, shelf.generation),
    stored?.generation ?? 0,
  );
  const catalogue = catalogueOf(generation, kept, new Map(stored?.refused));
  let number = 0;
  const temporary = () => join(drafts!, String((number += 1)));
  const replace = (path: string, value: StoredReading | StoredShelf) =>
    replaceFile(path, JSON.stringify(value), { temporary: temporary(), flush: true });
  return {
    catalogue,
    reading: { cursor: stored?.cursor ?? '', anew: stored?.anew ?? true },
    temporary,
    async writeShelf(address) {
      const path = join(shelves!, `${address.replaceAll('/', '-')}.json`);
      const shelf = catalogue.shelves.get(address);
      if (!shelf) return;
      if (shelf.competition !== null || shelf.files.size > 0)
        return replace(path, storedShelf(address, shelf));
      catalogue.shelves.delete(address);
      return rm(path, { force: true });
    },
    writeReading: (reading) =>
      replace(readingFile!, {
        mirror: 1,
        ...reading,
        generation: catalogue.generation,
        refused: [...catalogue.refused],
      }),
    close: release,
  };
}

const storedShelf = (address: string, { places, files, ...shelf }: Shelf): StoredShelf => ({
  address,
  ...shelf,
  places: [...places],
  files: Array.from(files, ([place, { hash, etag }]) => [place, hash, etag]),
});

async function readShelves(folder: string): Promise<Map<string, Shelf>> {
  const shelves = new Map<string, Shelf>();
  for (const name of await readdir(folder)) {
    const { address, places, files, ...shelf } = (await readJson(join(folder, name))) as StoredShelf;
    const kept = files.map(([place, hash, etag]): [string, Kept] => [place, { hash, etag }]);
    shelves.set(address, { ...shelf, places: new Set(places), files: new Map(kept) });
  }
  return shelves;
}

/** Null when there is none. */
async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    const remedy = 'mirror into a new folder, and put it in the place of this one';
    throw new OperatorError(`${path} is damaged: ${remedy}`, { cause: error });
  }
}
