// Streams of what is too large for memory: each reader has it made anew, piece by piece, from a snapshot of its own.
import { finished } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { Db, Tx } from './db/client.ts';
import { inSnapshot } from './db/transaction.ts';
import { encodeAsTaken, type Encoding, type Pieces } from './http/encoding.ts';
import { paced } from './http/paced.ts';
import { createSemaphore } from './semaphore.ts';

const READERS_AT_A_TIME = 2;
// Each holds a connection as long as it reads: so it has to read at the speed of a proxy or of a fair line.
const PACE = { bytesPerSecond: 100_000, graceMs: 10_000 };
// One piece may be of many megabytes.
const IDLE_MS = 120_000;

/** What is read, from its first piece on; `revision` is that of the snapshot. */
export type Read = (from: Tx) => Promise<{ pieces: Pieces; revision: string } | null>;
/** Begins to read; null when there is nothing of the kind. */
export type OpenStream = (
  encoding: Encoding,
  read: Read,
) => Promise<{ revision: string; body: Readable } | null>;

/** @param connections of the database, of which one is left to others */
export function createSnapshotStreams(db: Db, connections: number): OpenStream {
  const inTurn = createSemaphore(Math.max(1, Math.min(READERS_AT_A_TIME, connections - 1)));

  return (encoding, read) =>
    new Promise((resolve, reject) => {
      const toItsEnd = async (from: Tx) => {
        const found = await read(from);
        if (!found) return resolve(null);
        const body = paced(encodeAsTaken(found.pieces, encoding), PACE);
        const end = finished(body, { writable: false }).catch(() => {});
        resolve({ revision: found.revision, body });
        await end;
      };
      inTurn(() => inSnapshot(db, toItsEnd, IDLE_MS)).catch(reject);
    });
}
