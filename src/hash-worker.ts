// The program of the thread that hashes passwords: one after another, when nobody else wants the processor.
import { parentPort } from 'node:worker_threads';
import type { Asked, Said } from './accounts/hash-thread.ts';
import { hashPassword, verifyPassword } from './accounts/passwords.ts';
import { packError } from './packed-error.ts';
import { giveWay } from './threads.ts';

// Strangers can ask for as many hashes as there are places, and readers come first. Still a tenth of a processor on which all
// others want to compute: with less, officials would wait for minutes there.
const NICENESS = 10;
giveWay(NICENESS);

const port = parentPort!;
const say = (said: Said) => port.postMessage(said);

port.on('message', (asked: Asked) => {
  try {
    say({ result: asked.work === 'hash' ? hashPassword(...asked.with) : verifyPassword(...asked.with) });
  } catch (error) {
    say({ error: packError(error) });
  }
});
