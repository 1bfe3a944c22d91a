// A stream of an answer in pieces, made one at a time as its reader takes them; a reader that is too slow is cut off.
import { Readable } from 'node:stream';

/** How fast a reader has to be on the whole, and how long it may fall behind that. */
export type Pace = { bytesPerSecond: number; graceMs: number };

/** For answers that hold nothing but a piece meanwhile: enough for the slowest of lines. */
const SLOWEST: Pace = { bytesPerSecond: 1000, graceMs: 30_000 };

/** Pieces for `reply.send`. The answer to a reader that does not keep the pace ends half-way, which it notices. */
export function paced(pieces: AsyncIterable<string | Buffer>, pace = SLOWEST): Readable {
  // One piece at hand: the next is made when that has gone to the socket.
  const stream: Readable = Readable.from(timed(pieces, pace, tooSlow), {
    objectMode: true,
    highWaterMark: 1,
  });
  function tooSlow(): void {
    stream.destroy(new Error(`The reader takes less than ${pace.bytesPerSecond} bytes a second`));
  }
  return stream;
}

async function* timed(
  pieces: AsyncIterable<string | Buffer>,
  { bytesPerSecond, graceMs }: Pace,
  onTooSlow: () => void,
) {
  let leftMs = graceMs;
  for await (const piece of pieces) {
    leftMs = Math.min(graceMs, leftMs) + (piece.length / bytesPerSecond) * 1000;
    const since = performance.now();
    const timer = setTimeout(onTooSlow, leftMs);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
      leftMs -= performance.now() - since;
    }
  }
}
