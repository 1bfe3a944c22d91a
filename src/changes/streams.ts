// The open streams of changes. Each reads from its cursor to the end of the feed by itself; from there on what is new is read
// once, and written once for all who came by the same address.
import type { ServerResponse } from 'node:http';
import type { Executor } from '../db/client.ts';
import { Busy } from '../errors.ts';
import type { Log } from '../log.ts';
import { createSemaphore } from '../semaphore.ts';
import { type ChangeFilter, type ChangeRow, changeOf, isWanted } from './change.ts';
import { type Cursor, cursorText, isSameCursor } from './cursor.ts';
import { type ChangesPage, readChanges } from './read-changes.ts';

export type StreamsOptions = {
  db: Executor;
  log: Log;
  /** Of streams that are open at once, in all and from one address. */
  max: number;
  maxPerAddress: number;
  /** How often a stream is heard from when nothing changes; fifteen seconds when unset. */
  beatMs?: number;
};

export type StreamRequest = { after: Cursor | null; filter: ChangeFilter; origin: string; address: string };

export type ChangeStreams = {
  /** The first page of a stream, which then has its place. @throws Busy, Gone */
  admit(request: StreamRequest): Promise<Admitted>;
  /** There may be new changes. */
  wake(): void;
  /** Ends all streams; their readers go on elsewhere, from where they were. */
  close(): void;
  count(): number;
};
export type Admitted = { start(response: ServerResponse): void; leave(): void };

// There may be thousands: what many have in common they share, and what brought them here is let go.
type Stream = Omit<StreamRequest, 'after'> & {
  response: ServerResponse | null;
  /** Everything up to here was written. */
  cursor: Cursor | null;
  /** The last cursor that its reader knows of. */
  told: number;
};
type Hub = StreamsOptions & {
  streams: Set<Stream>;
  byAddress: Map<string, number>;
  /** Those that are at the end of the feed, at `head` or further. */
  live: Set<Stream>;
  head: Cursor | null;
  running: boolean;
  again: boolean;
  closed: boolean;
  inTurn: ReturnType<typeof createSemaphore>;
};

const PAGE = 500;
const BEAT_MS = 15_000;
const RETRY_SECONDS = 5;
// Of those that catch up, so that many who come back at once leave connections of the database to others.
const READS_AT_A_TIME = 3;
// A reader that lets so much wait, or waits so long to take some, is cut off and may come back.
const WAITING_BYTES_MAX = 256 * 1024;
const DRAIN_MS = 30_000;
const BEAT = ':\n\n';
const EVERYTHING: ChangeFilter = {};

export function createChangeStreams(options: StreamsOptions): ChangeStreams {
  const hub: Hub = {
    ...options,
    streams: new Set(),
    byAddress: new Map(),
    live: new Set(),
    head: null,
    running: false,
    again: false,
    closed: false,
    inTurn: createSemaphore(READS_AT_A_TIME),
  };
  const timer = setInterval(() => beat(hub), options.beatMs ?? BEAT_MS);
  timer.unref();
  return {
    admit: (request) => admit(hub, request),
    wake: () => wake(hub),
    close() {
      hub.closed = true;
      clearInterval(timer);
      for (const stream of hub.streams) end(hub, stream);
    },
    count: () => hub.streams.size,
  };
}

async function admit(hub: Hub, request: StreamRequest): Promise<Admitted> {
  const stream = enter(hub, request);
  try {
    const first = await read(hub, stream);
    return {
      start: (response) => start(hub, { stream, first, response }),
      leave: () => leave(hub, stream),
    };
  } catch (error) {
    leave(hub, stream);
    throw error;
  }
}

type Starting = { stream: Stream; first: ChangesPage; response: ServerResponse };

function start(hub: Hub, { stream, first, response }: Starting): void {
  stream.response = response;
  response.on('close', leaving(hub, stream));
  if (hub.closed) return end(hub, stream);
  follow(hub, stream, first).catch((error: unknown) => {
    hub.log.warn({ err: error }, 'a stream of changes was broken off');
    end(hub, stream);
  });
}

// Made where nothing else is in sight: it lasts as long as the stream, and with it whatever it might refer to.
const leaving = (hub: Hub, stream: Stream) => () => leave(hub, stream);

function enter(hub: Hub, request: StreamRequest): Stream {
  const { after, filter, origin, address } = request;
  const ofAddress = hub.byAddress.get(address) ?? 0;
  if (hub.closed || hub.streams.size >= hub.max || ofAddress >= hub.maxPerAddress)
    throw new Busy('As many streams of changes are open as there may be; try again shortly', RETRY_SECONDS);
  // Written out: an object that is spread has a shape of its own, which takes as much again.
  const stream: Stream = {
    filter: filter.countryIds || filter.competitionId || filter.types ? filter : EVERYTHING,
    origin,
    address,
    response: null,
    cursor: after,
    told: after?.number ?? 0,
  };
  hub.streams.add(stream);
  hub.byAddress.set(address, ofAddress + 1);
  return stream;
}

function leave(hub: Hub, stream: Stream): void {
  hub.live.delete(stream);
  if (!hub.streams.delete(stream)) return;
  const left = hub.byAddress.get(stream.address)! - 1;
  if (left > 0) hub.byAddress.set(stream.address, left);
  else hub.byAddress.delete(stream.address);
}

function end(hub: Hub, stream: Stream): void {
  leave(hub, stream);
  stream.response?.end();
}

async function read(hub: Hub, { cursor: after, filter }: Stream): Promise<ChangesPage> {
  const { head, live } = hub;
  // There is nothing for one who is where those are who are live: of a crowd that comes back, not each asks the database.
  if (after && head && live.size > 0 && isSameCursor(after, head))
    return { rows: [], begun: head.begun, next: head, more: false };
  return hub.inTurn(() => readChanges(hub.db, { after, limit: PAGE, filter }));
}

/** Writes page after page up to the end of the feed, as fast as they are taken; from there on the stream is live. */
async function follow(hub: Hub, stream: Stream, first: ChangesPage): Promise<void> {
  for (let page = first; hub.streams.has(stream); page = await read(hub, stream)) {
    const text = page.rows.map((row) => eventText(row, { ...page.next, begun: page.begun }, stream.origin));
    stream.cursor = page.next;
    stream.told = page.rows.at(-1)?.number ?? stream.told;
    if (text.length > 0) await write(stream.response!, text.join(''));
    if (!page.more && joins(hub, stream)) return;
  }
}

/** Whether it is where the others are: what was read for them meanwhile, it has read by itself. */
function joins(hub: Hub, stream: Stream): boolean {
  if (!hub.streams.has(stream)) return true;
  const here = stream.cursor!;
  if (hub.live.size === 0 && !hub.running) hub.head = here;
  if (hub.head === null || hub.head.epoch !== here.epoch || hub.head.number > here.number) return false;
  if (isSameCursor(hub.head, here)) stream.cursor = hub.head;
  hub.live.add(stream);
  // What came since it has read.
  wake(hub);
  return true;
}

function wake(hub: Hub): void {
  hub.again = true;
  if (hub.running || hub.live.size === 0) return;
  hub.running = true;
  void run(hub).finally(() => {
    hub.running = false;
  });
}

async function run(hub: Hub): Promise<void> {
  while (hub.again && hub.live.size > 0) {
    hub.again = false;
    try {
      const page = await readChanges(hub.db, { after: hub.head, limit: PAGE, filter: {} });
      spread(hub, page);
      hub.head = page.next;
      hub.again ||= page.more;
    } catch (error) {
      // Their readers come back, and are told, or wait for the database.
      hub.log.warn({ err: error, streams: hub.live.size }, 'streams of changes were broken off');
      for (const stream of hub.live) end(hub, stream);
    }
  }
}

function spread({ live }: Hub, { rows, begun, next }: ChangesPage): void {
  const texts = new Map<string, (row: ChangeRow) => string>();
  const textFor = (origin: string) => {
    const known = texts.get(origin) ?? remembered((row) => eventText(row, { ...next, begun }, origin));
    texts.set(origin, known);
    return known;
  };
  for (const stream of live) {
    const position = stream.cursor!.number;
    const text = textFor(stream.origin);
    const wanted = rows.filter((row) => row.number > position && isWanted(row, stream.filter));
    if (next.number > position) stream.cursor = next;
    if (wanted.length === 0) continue;
    stream.told = wanted.at(-1)!.number;
    push(stream.response!, wanted.map(text).join(''));
  }
}

function remembered(make: (row: ChangeRow) => string): (row: ChangeRow) => string {
  const made = new Map<number, string>();
  return (row) => {
    const text = made.get(row.number) ?? make(row);
    made.set(row.number, text);
    return text;
  };
}

function eventText(row: ChangeRow, reading: Cursor, origin: string): string {
  const change = changeOf(row, reading, origin);
  return `id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`;
}

/** Says that the line is there; and to a reader whom nothing has concerned for long, where to go on, if that is further. */
function beat({ streams, live }: Hub): void {
  for (const stream of streams) {
    const { response, cursor, told } = stream;
    if (!response) continue;
    const isFurther = live.has(stream) && cursor !== null && cursor.number > told;
    if (isFurther) stream.told = cursor.number;
    push(response, isFurther ? `:\nid: ${cursorText(cursor)}\n\n` : BEAT);
  }
}

function push(response: ServerResponse, text: string): void {
  response.write(text);
  if (response.writableLength > WAITING_BYTES_MAX) response.destroy();
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), DRAIN_MS);
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
