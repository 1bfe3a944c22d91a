// The documents in memory: each is built once per revision, encoding and naming, and kept within CACHE_MB.
// Every read asks the database for the revision first, so a write through any replica is seen by the next read.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { represent, type Representation, type Streamed } from '../http/cached-json.ts';
import { type Encoding, TooLargeToKeep } from '../http/encoding.ts';
import { createLru } from '../lru.ts';
import { shareQueries } from '../shared-queries.ts';
import { type Built, createCache } from './cache.ts';
import type {
  Context,
  DocumentDefinition,
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
  EMPTY_CALENDAR,
} from './documents/store.ts';
import type { Naming, Style } from './documents/style.ts';
import { createStreamedDocuments } from './streamed-documents.ts';

export type Wanted = { naming: Naming; encoding: Encoding };
/** From memory, or too large for that. */
export type Document = Representation | Streamed;

export type Documents = {
  /** Null when the competition has no such part, undefined when there is no competition at this address. */
  ofCompetition(
    document: { of: 'competition'; reading: Reading },
    asked: { address: Address; part: Part },
    wanted: Wanted,
  ): Promise<Document | null | undefined>;
  /** Of a competition that was deleted lately. */
  ofGone(document: DocumentOfCompetition, address: Address, wanted: Wanted): Promise<Document | null>;
  ofCalendar(document: DocumentOfCalendar, calendar: CalendarKey, wanted: Wanted): Promise<Document>;
};

// What is being built counts beyond CACHE_MB. A whole competition or year takes megabytes; single units and events do not wait
// behind them, nor competitions behind years.
const LARGE_AT_A_TIME = 1;
// What readers ask for in words of their own (a search, wishes for a screen, another name of the host) has no end: it may push
// out its like alone.
const SHARE_AT_WILL = 1 / 16;
// One that would leave room for few others is not kept, and streamed; small ones never are.
const LARGEST_SHARE = 1 / 4;
const SMALL_BYTES = 1024 * 1024;
// A key, a tag and the objects around them.
const BYTES_BESIDE_BODY = 1000;
const MOST_STREAMED = 1000;

type DocumentDeps = Pick<Deps, 'reads' | 'config'>;

/** @param baseUrl the public address, known when the service listens */
export function createDocuments({ reads: db, config }: DocumentDeps, baseUrl: () => string): Documents {
  const shelves = {
    usual: createShelf(config.cacheBytes.documents * (1 - SHARE_AT_WILL)),
    atWill: createShelf(config.cacheBytes.documents * SHARE_AT_WILL),
  };
  const mostBytes = Math.max(config.cacheBytes.documents * LARGEST_SHARE, SMALL_BYTES);
  const frames: Frames = createLru(config.cacheBytes.frames);
  const inTurn = {
    competition: createSemaphore(LARGE_AT_A_TIME),
    calendar: createSemaphore(LARGE_AT_A_TIME),
  };
  const streamed = createStreamedDocuments(db, config.DATABASE_POOL_SIZE);
  const versionAt = shareQueries((keys) => competitionVersions(db, keys));
  const versionOf = shareQueries((keys) => calendarVersions(db, keys));
  const styleOf = (naming: Naming): Style => ({ naming, publishDateOfBirth: config.PUBLISH_DATE_OF_BIRTH });

  const contextOf = (naming: Naming): Context => ({ style: styleOf(naming), baseUrl: baseUrl() });

  function build({ of, reading }: HowRead, encoding: Encoding, read: Read) {
    const from = (executor: Executor) => buildFrom(executor, { encoding, mostBytes, read });
    if (reading === 'one statement') return from(db);
    const fromSnapshot = () => inSnapshot(db, from);
    return reading === 'snapshot, in turn' ? inTurn[of](fromSnapshot) : fromSnapshot();
  }

  async function documentOf(
    document: HowRead,
    { key, version, shelf: { cache, tooLarge }, madeFor }: Kept,
    { naming, encoding }: Wanted,
    read: Read,
  ): Promise<Document | null> {
    const stream = () => streamed({ version, style: styleOf(naming), encoding, madeFor: madeFor?.() }, read);
    if (tooLarge.get(key)) return stream();
    try {
      return await cache.get(key, version, () => build(document, encoding, read));
    } catch (error) {
      if (!(error instanceof TooLargeToKeep)) throw error;
      tooLarge.set(key, { bytes: 1 });
      return stream();
    }
  }

  return {
    async ofCompetition(document, { address, part }, wanted) {
      const found = await versionAt(competitionKey(address));
      if (!found) return undefined;
      const { id, revision: version } = found;
      const { naming, encoding } = wanted;
      const key = `${id} ${naming} ${encoding} ${part.key}`;
      const read: Read = (from) => part.read(from, id, { ...contextOf(naming), frames });
      const { madeFor } = part;
      const shelf = part.atWill ? shelves.atWill : shelves.usual;
      return (
        shelf.cache.known(key, version) ??
        documentOf(document, { key, version, shelf, madeFor }, wanted, read)
      );
    },
    async ofGone(document, address, { naming, encoding }) {
      const text = await document.gone?.(db, address, contextOf(naming));
      return text ? represent(text.pieces, encoding) : null;
    },
    async ofCalendar(document, calendar, wanted) {
      const asked = calendarKey(calendar);
      const version = (await versionOf(asked))!;
      const { naming, encoding } = wanted;
      // There are two million years and countries without a competition: in memory they would push out what is read.
      if (version === EMPTY_CALENDAR) return represent(document.empty(calendar), encoding);
      const key = `${document.operationId} ${asked} ${naming} ${encoding}`;
      const read: Read = (from) => document.read(from, calendar, contextOf(naming));
      return (await documentOf(document, { key, version, shelf: shelves.usual }, wanted, read))!;
    },
  };
}

type Shelf = ReturnType<typeof createShelf>;
type Kept = { key: string; version: string; shelf: Shelf; madeFor?: (() => string) | undefined };

const createShelf = (maxBytes: number) => ({
  cache: createCache<Representation>(maxBytes),
  /** Found to be too large when they were last built. */
  tooLarge: createLru<{ bytes: number }>(MOST_STREAMED),
});

type HowRead = Pick<DocumentDefinition, 'of' | 'reading'>;
type Read = (from: Executor) => Promise<Text | null>;
type Building = { encoding: Encoding; mostBytes: number; read: Read };

async function buildFrom(
  from: Executor,
  { encoding, mostBytes, read }: Building,
): Promise<Built<Representation> | null> {
  const text = await read(from);
  if (!text) return null;
  const document = await represent(text.pieces, encoding, mostBytes);
  return { document, version: text.revision, bytes: document.body.length + BYTES_BESIDE_BODY };
}
