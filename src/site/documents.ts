// The data site's documents: each is built once per revision, encoding and naming, and kept in memory within CACHE_MB.
// Every read asks the database for the revision first, so a write through any replica is seen by the next read.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { represent, type Representation } from '../http/cached-json.ts';
import type { Encoding } from '../http/encoding.ts';
import { createCache } from './cache.ts';
import { readCalendar, readView, type Text } from './read-view.ts';
import { shareQueries } from './shared-queries.ts';
import {
  type Address,
  addressKey,
  type CalendarKey,
  calendarKey,
  calendarVersions,
  competitionVersions,
} from './store.ts';
import { type Naming, type Style, type View, viewKey } from './views.ts';

export type Wanted = { naming: Naming; encoding: Encoding };

export type Documents = {
  /** Null when the competition has no such part, undefined when there is no competition at this address. */
  ofCompetition(address: Address, view: View, wanted: Wanted): Promise<Representation | null | undefined>;
  ofCalendar(calendar: CalendarKey, wanted: Wanted): Promise<Representation>;
};

// What is being built counts beyond CACHE_MB: two whole competitions at a time keep both processors of a small machine busy.
const BUILDS_AT_A_TIME = 2;
// A key, a tag and the objects around them.
const BYTES_BESIDE_BODY = 1000;

export function createDocuments({ db, config }: Pick<Deps, 'db' | 'config'>): Documents {
  const cache = createCache<Representation>({
    maxBytes: config.CACHE_MB * 1024 * 1024,
    concurrency: BUILDS_AT_A_TIME,
  });
  const versionAt = shareQueries((keys) => competitionVersions(db, keys));
  const versionOf = shareQueries((keys) => calendarVersions(db, keys));
  const styleOf = (naming: Naming): Style => ({ naming, publishDateOfBirth: config.PUBLISH_DATE_OF_BIRTH });

  return {
    async ofCompetition(address, view, { naming, encoding }) {
      const found = await versionAt(addressKey(address));
      if (!found) return undefined;
      const key = `${found.id} ${naming} ${encoding} ${viewKey(view)}`;
      return cache.get(key, found.revision, () =>
        build(() => readView(db, found.id, view, styleOf(naming)), encoding),
      );
    },
    async ofCalendar(calendar, { naming, encoding }) {
      const key = calendarKey(calendar);
      const version = (await versionOf(key))!;
      const read = () => readCalendar(db, calendar, styleOf(naming));
      const document = await cache.get(`${key} ${naming} ${encoding}`, version, () => build(read, encoding));
      return document!;
    },
  };
}

async function build(read: () => Promise<Text | null>, encoding: Encoding) {
  const text = await read();
  if (!text) return null;
  const document = await represent(await assemble(text.pieces), encoding);
  return { document, version: text.revision, bytes: document.body.length + BYTES_BESIDE_BODY };
}

const SLICE_MS = 5;

// Other requests are served between the slices of a large document.
async function assemble(pieces: Iterable<string>): Promise<string> {
  const parts: string[] = [];
  let since = performance.now();
  for (const piece of pieces) {
    parts.push(piece);
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
  return parts.join('');
}
