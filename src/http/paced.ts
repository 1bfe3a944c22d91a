// A stream of an answer in pieces, made one at a time as its reader takes them; a reader that is too slow is cut off.
import { Readable } from 'node:stream';

export type Pace = { bytesPerSecond: number; graceMs: number };

/** Enough for a line of the slowest kind; what the answer holds in memory meanwhile is one piece. */
const SLOWEST: Pace = { bytesPerSecond: 1000, graceMs: 30_000 };

/** Pieces for `reply.send`. A reader takes each within the time that its size allows, or the answer ends half-way. */
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

async function* timed(pieces: AsyncIterable<string | Buffer>, pace: Pace, onTooSlow: () => void) {
  for await (const piece of pieces) {
    const timer = setTimeout(onTooSlow, pace.graceMs + (piece.length / pace.bytesPerSecond) * 1000);
    try {
      yield piece;
    } finally {
      clearTimeout(timer);
    }
  }
}
