// The data site's documents: each is built once per revision, encoding and naming, and kept in memory within CACHE_MB.
// Every read asks the database for the revision first, so a write through any replica is seen by the next read.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { represent, type Representation } from '../http/cached-json.ts';
import type { Encoding } from '../http/encoding.ts';
import { type Built, createCache } from './cache.ts';
import { createLru } from '../lru.ts';
import { type Frames, readCalendar, readView, type Text } from './read-view.ts';
import { shareQueries } from '../shared-queries.ts';
import {
  type CalendarKey,
  calendarKey,
  calendarVersions,
  competitionKey,
  competitionVersions,
} from './store.ts';
import { createSemaphore } from './semaphore.ts';
import { type Naming, type Style, type View, viewKey } from './views.ts';

export type Wanted = { naming: Naming; encoding: Encoding };

export type Documents = {
  /** Null when the competition has no such part, undefined when there is no competition at this address. */
  ofCompetition(address: Address, view: View, wanted: Wanted): Promise<Representation | null | undefined>;
  ofCalendar(calendar: CalendarKey, wanted: Wanted): Promise<Representation>;
};

// What is being built counts beyond CACHE_MB. A whole competition or year takes megabytes; single units and events do not wait
// behind them.
const LARGE_AT_A_TIME = 1;
// A key, a tag and the objects around them.
const BYTES_BESIDE_BODY = 1000;

export function createDocuments({ db, config }: Pick<Deps, 'db' | 'config'>): Documents {
  const cache = createCache<Representation>(config.cacheBytes.documents);
  const withPermit = createSemaphore(LARGE_AT_A_TIME);
  const frames: Frames = createLru(config.cacheBytes.frames);
  const versionAt = shareQueries((keys) => competitionVersions(db, keys));
  const versionOf = shareQueries((keys) => calendarVersions(db, keys));
  const styleOf = (naming: Naming): Style => ({ naming, publishDateOfBirth: config.PUBLISH_DATE_OF_BIRTH });

  return {
    async ofCompetition(address, view, { naming, encoding }) {
      const found = await versionAt(competitionKey(address));
      if (!found) return undefined;
      const { id, revision } = found;
      const key = `${id} ${naming} ${encoding} ${viewKey(view)}`;
      const known = cache.known(key, revision);
      if (known) return known;
      const read = (from: Executor) => readView(from, id, view, { style: styleOf(naming), frames });
      return cache.get(key, revision, () => {
        if (view.kind === 'unit') return build(db, read, encoding);
        const whole = () => inSnapshot(db, (tx) => build(tx, read, encoding));
        return view.kind === 'whole' ? withPermit(whole) : whole();
      });
    },
    async ofCalendar(calendar, { naming, encoding }) {
      const key = calendarKey(calendar);
      const version = (await versionOf(key))!;
      const read = (from: Executor) => readCalendar(from, calendar, styleOf(naming));
      const document = await cache.get(`${key} ${naming} ${encoding}`, version, () =>
        withPermit(() => inSnapshot(db, (tx) => build(tx, read, encoding))),
      );
      return document!;
    },
  };
}

async function build(
  from: Executor,
  read: (from: Executor) => Promise<Text | null>,
  wanted: Encoding,
): Promise<Built<Representation> | null> {
  const text = await read(from);
  if (!text) return null;
  const document = await represent(text.pieces, wanted);
  return { document, version: text.revision, bytes: document.body.length + BYTES_BESIDE_BODY };
}
