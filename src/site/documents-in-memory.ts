// The documents in memory: each is built once per revision, encoding and naming, and kept within CACHE_MB.
// Every read asks the database for the revision first, so a write through any replica is seen by the next read.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { represent, type Representation } from '../http/cached-json.ts';
import type { Encoding } from '../http/encoding.ts';
import { createLru } from '../lru.ts';
import { shareQueries } from '../shared-queries.ts';
import { type Built, createCache } from './cache.ts';
import type {
  DocumentOfCalendar,
  DocumentOfCompetition,
  Frames,
  Part,
  Reading,
  Text,
} from './documents/definition.ts';
import { createSemaphore } from '../semaphore.ts';
import {
  type CalendarKey,
  calendarKey,
  calendarVersions,
  competitionKey,
  competitionVersions,
} from './documents/store.ts';
import type { Naming, Style } from './documents/style.ts';

export type Wanted = { naming: Naming; encoding: Encoding };

export type Documents = {
  /** Null when the competition has no such part, undefined when there is no competition at this address. */
  ofCompetition(
    document: DocumentOfCompetition,
    asked: { address: Address; part: Part },
    wanted: Wanted,
  ): Promise<Representation | null | undefined>;
  ofCalendar(document: DocumentOfCalendar, calendar: CalendarKey, wanted: Wanted): Promise<Representation>;
};

// What is being built counts beyond CACHE_MB. A whole competition or year takes megabytes; single units and events do not wait
// behind them.
const LARGE_AT_A_TIME = 1;
// A key, a tag and the objects around them.
const BYTES_BESIDE_BODY = 1000;

export function createDocuments({ reads: db, config }: Pick<Deps, 'reads' | 'config'>): Documents {
  const cache = createCache<Representation>(config.cacheBytes.documents);
  const frames: Frames = createLru(config.cacheBytes.frames);
  const withPermit = createSemaphore(LARGE_AT_A_TIME);
  const versionAt = shareQueries((keys) => competitionVersions(db, keys));
  const versionOf = shareQueries((keys) => calendarVersions(db, keys));
  const styleOf = (naming: Naming): Style => ({ naming, publishDateOfBirth: config.PUBLISH_DATE_OF_BIRTH });

  function build(reading: Reading, encoding: Encoding, read: Read) {
    if (reading === 'one statement') return buildFrom(db, encoding, read);
    const fromSnapshot = () => inSnapshot(db, (tx) => buildFrom(tx, encoding, read));
    return reading === 'snapshot, in turn' ? withPermit(fromSnapshot) : fromSnapshot();
  }

  return {
    async ofCompetition({ reading }, { address, part }, { naming, encoding }) {
      const found = await versionAt(competitionKey(address));
      if (!found) return undefined;
      const { id, revision } = found;
      const key = `${id} ${naming} ${encoding} ${part.key}`;
      return (
        cache.known(key, revision) ??
        cache.get(key, revision, () =>
          build(reading, encoding, (from) => part.read(from, id, { style: styleOf(naming), frames })),
        )
      );
    },
    async ofCalendar(document, calendar, { naming, encoding }) {
      const key = calendarKey(calendar);
      const version = (await versionOf(key))!;
      const built = await cache.get(`${key} ${naming} ${encoding}`, version, () =>
        build(document.reading, encoding, (from) => document.read(from, calendar, styleOf(naming))),
      );
      return built!;
    },
  };
}

type Read = (from: Executor) => Promise<Text | null>;

async function buildFrom(
  from: Executor,
  encoding: Encoding,
  read: Read,
): Promise<Built<Representation> | null> {
  const text = await read(from);
  if (!text) return null;
  const document = await represent(text.pieces, encoding);
  return { document, version: text.revision, bytes: document.body.length + BYTES_BESIDE_BODY };
}
