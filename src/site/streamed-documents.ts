// Documents that are too large for memory: each reader has them made anew, piece by piece, from a snapshot of its own.
import { finished } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { Db, Executor } from '../db/client.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { Streamed } from '../http/cached-json.ts';
import { encodeAsTaken, type Encoding } from '../http/encoding.ts';
import { paced } from '../http/paced.ts';
import { createSemaphore } from '../semaphore.ts';
import { RENDER_VERSION } from '../units/saving/record.ts';
import type { Text } from './documents/definition.ts';
import type { Style } from './documents/style.ts';

const READERS_AT_A_TIME = 2;
// Each holds a connection as long as it reads: so it has to read at the speed of a proxy or of a fair line.
const PACE = { bytesPerSecond: 100_000, graceMs: 10_000 };
// One piece may be of many megabytes.
const IDLE_MS = 120_000;

export type Wanted = { version: string; style: Style; encoding: Encoding };

/** @param connections of the database, of which one is left to others */
export function createStreamedDocuments(db: Db, connections: number) {
  const inTurn = createSemaphore(Math.min(READERS_AT_A_TIME, connections - 1));

  function open(wanted: Wanted, read: (from: Executor) => Promise<Text | null>) {
    return new Promise<{ etag: string; body: Readable } | null>((resolve, reject) => {
      const toItsEnd = async (from: Executor) => {
        const text = await read(from);
        if (!text) return resolve(null);
        const body = paced(encodeAsTaken(text.pieces, wanted.encoding), PACE);
        const end = finished(body, { writable: false }).catch(() => {});
        resolve({ etag: etagOf({ ...wanted, version: text.revision }), body });
        await end;
      };
      inTurn(() => inSnapshot(db, toItsEnd, IDLE_MS)).catch(reject);
    });
  }

  return (wanted: Wanted, read: (from: Executor) => Promise<Text | null>): Streamed => ({
    etag: etagOf(wanted),
    encoding: wanted.encoding,
    open: () => open(wanted, read),
  });
}

// Of all that the text depends on but the program, whose new versions show at the next save.
const etagOf = ({ version, style }: Wanted): string =>
  `W/"${version}.${RENDER_VERSION}.${style.naming}${style.publishDateOfBirth ? '.dob' : ''}"`;
