// Writes calendar files: each grows under a temporary name and takes its place whole, so that no reader sees half a file.
// Beside each lie its compressed forms, for web servers that send those to clients who take them.
import { createReadStream } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { type CalendarFile, countryOfName, namesOf } from './files.ts';

// Not served: the static route knows only *.json names without a leading dot.
const TEMPORARY = '.building-';
const ABANDONED_MS = 3_600_000;
// Made once a day and read all day, but a hundred files must not take minutes.
const BROTLI_QUALITY = 6;
const FORMS = {
  '': null,
  '.gz': () => createGzip({ level: 9 }),
  '.br': () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
};
const SUFFIXES = Object.keys(FORMS) as (keyof typeof FORMS)[];

export type Drafts = {
  /** Adds records, JSON texts in their final order. */
  append(file: CalendarFile, records: string[]): Promise<void>;
  /**
   * Closes every file and puts all in place, each under all its names. Of these countries, and of those that had a file
   * before, the ones without a record get an empty file. Returns the number of files.
   */
  publish(countries: Iterable<string>): Promise<number>;
  /** Gives up: removes what was written. */
  discard(): Promise<void>;
};

type Draft = { names: string[]; path: string; handle: FileHandle; empty: boolean };

/** The one content of all countries without a record. */
const NOTHING = 'nothing';

/** `builtAt` becomes the files' time: the service's clock, not that of the machine with the folder. */
type Build = { buildId: string; builtAt: Date };

/** Starts the files of one year in a folder. */
export async function startDrafts(
  folder: string,
  year: number,
  { buildId, builtAt }: Build,
): Promise<Drafts> {
  await mkdir(folder, { recursive: true });
  const drafts = new Map<string, Draft>();
  const start = async (key: string, names: string[]): Promise<Draft> => {
    const path = join(folder, `${TEMPORARY}${buildId}-${year}-${key}`);
    const draft = { names, path, handle: await open(path, 'w', 0o644), empty: true };
    drafts.set(key, draft);
    return draft;
  };
  const draftOf = async (file: CalendarFile): Promise<Draft> => {
    const key = file === 'european' ? file : file.countryId;
    return drafts.get(key) ?? (await start(key, namesOf(file, year)));
  };
  return {
    async append(file, records) {
      const draft = await draftOf(file);
      await draft.handle.write((draft.empty ? '[' : ',\n') + records.join(',\n'));
      draft.empty = false;
    },
    async publish(countries) {
      const european = await draftOf('european');
      const wanted = new Set([...countries, ...(await countriesBefore(folder, year))]);
      const idle = [...wanted].filter((countryId) => !drafts.has(countryId));
      const files = drafts.size + idle.length;
      const idleNames = idle.flatMap((countryId) => namesOf({ countryId }, year));
      if (idle.length > 0) await start(NOTHING, idleNames);
      for (const draft of drafts.values()) await finish(draft, builtAt);
      for (const draft of drafts.values()) if (draft !== european) await putInPlace(folder, draft);
      // Last, because it tells when the year was built: a build killed before that was none.
      await putInPlace(folder, european);
      return files;
    },
    async discard() {
      for (const { handle, path } of drafts.values()) {
        await handle.close().catch(() => {});
        for (const suffix of SUFFIXES) await rm(path + suffix, { force: true });
      }
    },
  };
}

async function finish({ handle, path, empty }: Draft, builtAt: Date): Promise<void> {
  await handle.write(empty ? '[]\n' : ']\n');
  // On the disk before its name is: after a power cut a name never leads to an empty file.
  await handle.sync();
  await handle.close();
  for (const suffix of SUFFIXES) {
    await compress(path, suffix);
    await utimes(path + suffix, builtAt, builtAt);
  }
}

async function compress(path: string, suffix: keyof typeof FORMS): Promise<void> {
  const compressor = FORMS[suffix]?.();
  if (!compressor) return;
  const file = await open(path + suffix, 'w', 0o644);
  await pipeline(createReadStream(path), compressor, file.createWriteStream({ flush: true }));
}

// Several names are links to one content; a rename replaces each at once.
async function putInPlace(folder: string, { names, path }: Draft): Promise<void> {
  for (const suffix of SUFFIXES.toReversed()) {
    const place = async (name: string, index: number) => {
      const alias = `${path}-${index}${suffix}`;
      // Some volumes know no links.
      await link(path + suffix, alias).catch(() => copyFile(path + suffix, alias));
      await rename(alias, join(folder, name + suffix));
      // Renaming a link onto another name of the same content does nothing at all, and leaves it behind.
      await rm(alias, { force: true });
    };
    await Promise.all(names.map(place));
    await rm(path + suffix);
  }
}

async function countriesBefore(folder: string, year: number): Promise<Set<string>> {
  const names = await readdir(folder);
  return new Set(names.flatMap((name) => countryOfName(name, year) ?? []));
}

/** When the files of that year were last built; null when they are missing. */
export async function lastBuilt(folder: string, year: number): Promise<Date | null> {
  const [name] = namesOf('european', year);
  const found = await stat(join(folder, name!)).catch(() => null);
  return found?.mtime ?? null;
}

/** Removes what builds that were killed have left. */
export async function sweep(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(TEMPORARY))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && now.getTime() - found.mtime.getTime() > ABANDONED_MS) await rm(path, { force: true });
  }
}
