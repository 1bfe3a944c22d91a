// What an open stream of changes takes beside its connection, of memory and of the database: thousands may be open at a time.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { parseCursor } from '../../src/changes/cursor.ts';
import { createChangeStreams } from '../../src/changes/streams.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { numberChanges } from '../helpers/feed.ts';
import { liveBytes } from '../helpers/memory.ts';

const STREAMS = 500;
// What else happens in the process falls into one batch or another, a stream's own memory into each: the quietest but one counts.
const BATCHES = 7;
const EACH_BYTES_MAX = 600;

/** What stays of a response that has been sent its head: something that may be written to, and is heard from. */
class Line extends EventEmitter {
  readonly destroyed = false;
  readonly writableLength = 0;
  write = writes;
  end = ends;
}
const writes = () => true;
const ends = () => {};

/** A feed with something in it, its streams, and how often they turned to the database. */
async function streamsOfFeed() {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  await (await app.as('ADMIN_GBR')).post('/api/v1/competitions/', competition());
  await numberChanges(app.deps);
  const { next } = (await app.get('/api/v1/changes')).body;
  const { reads, log } = app.deps;
  const asked = { times: 0 };
  const db = new Proxy(reads, {
    get(target, name) {
      asked.times += 1;
      return Reflect.get(target, name);
    },
  });
  const streams = createChangeStreams({ db, log, max: BATCHES * STREAMS, maxPerAddress: BATCHES * STREAMS });
  onTestFinished(() => streams.close());
  const open = async (line: Line, cursor = parseCursor(next)) => {
    const request = { after: cursor, filter: {}, origin: 'http://data.test', address: 'one' };
    (await streams.admit(request)).start(line as unknown as ServerResponse);
  };
  return { streams, open, asked };
}

test('a stream that waits holds its place and little else: not the page that it began with, nor what it was asked with', async () => {
  const { streams, open } = await streamsOfFeed();
  const openMany = async () => {
    const lines = Array.from({ length: STREAMS }, () => new Line());
    // Each has its listener already: what the list of them takes is not the stream's, as little as the line itself.
    for (const line of lines) line.on('close', () => {});
    await nextTurn();
    const before = liveBytes();
    // From the beginning: each has read a page of its own.
    await Promise.all(lines.map((line) => open(line, null)));
    await nextTurn();
    return (liveBytes() - before) / STREAMS;
  };
  const bytes: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) bytes.push(await openMany());
  expect(streams.count()).toBe(BATCHES * STREAMS);
  expect(bytes.toSorted((a, b) => a - b)[1]).toBeLessThan(EACH_BYTES_MAX);
});

test('of a crowd that comes back to the end of the feed only the first asks the database', async () => {
  const { streams, open, asked } = await streamsOfFeed();
  await open(new Line());
  await nextTurn();
  const first = asked.times;
  expect(first).toBeGreaterThan(0);
  for (let stream = 0; stream < 20; stream += 1) await open(new Line());
  expect(streams.count()).toBe(21);
  expect(asked.times).toBe(first);
  await open(new Line(), null);
  expect(asked.times).toBeGreaterThan(first);
});
