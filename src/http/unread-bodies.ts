// Bodies that are answered without being read: what is still to come of them is dropped for a while, so that the answer is seen.
import { Readable } from 'node:stream';
import { createInFlight, type Hold } from './bodies-in-flight.ts';

const DROPPED = { bytes: 64 * 1024 * 1024, ms: 3000 };
// For who reads while they send.
const LINGER_MS = 500;

/** What is being dropped at once. Dropping is reading: a crowd of bodies would keep the process from everybody else. */
export const createDropping = () =>
  createInFlight({ totalBytes: 2 * DROPPED.bytes, addressBytes: DROPPED.bytes });

export type Unread = {
  body: Readable;
  /** How long it says it is. */
  declared: number | undefined;
  hold: Hold;
};

/** The answer, which then stays open while the body is dropped; one for which there is no room is not read any more. */
export const answerWhileUnread = (text: string, unread: Unread): Readable =>
  Readable.from(answerThenDrop(text, unread));

// Closing a connection on which more is coming resets it, and the client, who still sends, would not see the answer.
async function* answerThenDrop(text: string, { body, declared, hold }: Unread) {
  yield Buffer.from(text);
  const holds = (bytes: number) => {
    try {
      hold.add(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const known = declared !== undefined;
  const drops = holds(Math.min(declared ?? 0, DROPPED.bytes));
  let bytes = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drops ? DROPPED.ms : LINGER_MS);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    body.once('end', stop).once('close', stop).once('error', stop);
    if (!drops) return;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (known ? bytes > DROPPED.bytes : !holds(chunk.length)) stop();
    });
    body.resume();
  });
  body.pause();
  hold.release();
}
