// The thread in which the server hashes passwords, one after another: started for the first, gone when there are none.
import type { Worker } from 'node:worker_threads';
import { Busy } from '../errors.ts';
import type { Log } from '../log.ts';
import { type PackedError, unpackError } from '../packed-error.ts';
import type { StartThread } from '../threads.ts';
import type { hashPassword, verifyPassword } from './passwords.ts';

/** What is asked of the thread, and what it says. */
export type Asked =
  | { work: 'hash'; with: Parameters<typeof hashPassword> }
  | { work: 'verify'; with: Parameters<typeof verifyPassword> };
export type Said = { result: string | boolean } | { error: PackedError };

/** As the functions of these names in passwords.ts. @throws Busy when the thread ended in the midst of it */
export type Passwords = {
  hash(...asked: Parameters<typeof hashPassword>): Promise<string>;
  verify(...asked: Parameters<typeof verifyPassword>): Promise<boolean>;
};
export type HashThread = Passwords & { close(): Promise<void> };
export type HashThreadOptions = { startWorker: StartThread; idleMs?: number };

const IDLE_MS = 60_000;
const RETRY_SECONDS = 2;

type Thread = { worker: Worker; asking: Asking[] };
type Asking = { resolve: (result: string | boolean) => void; reject: (error: Error) => void };

export function createHashThread(
  { log }: { log: Pick<Log, 'error'> },
  { startWorker, idleMs = IDLE_MS }: HashThreadOptions,
): HashThread {
  let thread: Thread | undefined;
  let rest: NodeJS.Timeout | undefined;

  function start(): Thread {
    const worker = startWorker({ name: 'passwords' });
    const started: Thread = { worker, asking: [] };
    // Whoever waits for an answer keeps the process; a thread at rest does not.
    worker.unref();
    // Answers come in the order of what was asked.
    worker.on('message', (said: Said) => {
      const asked = started.asking.shift()!;
      if (started.asking.length === 0) rest = setTimeout(() => void stop(), idleMs).unref();
      if ('error' in said) asked.reject(unpackError(said.error));
      else asked.resolve(said.result);
    });
    worker.on('error', (error) => log.error({ err: error }, 'the thread of passwords ended by itself'));
    worker.on('exit', () => {
      if (thread === started) thread = undefined;
      for (const { reject } of started.asking) reject(endedEarly());
    });
    return started;
  }
  async function stop(): Promise<void> {
    clearTimeout(rest);
    // Whoever comes meanwhile starts another one.
    const ending = thread;
    thread = undefined;
    await ending?.worker.terminate();
  }
  function ask(asked: Asked): Promise<string | boolean> {
    clearTimeout(rest);
    const { worker, asking } = (thread ??= start());
    return new Promise((resolve, reject) => {
      asking.push({ resolve, reject });
      worker.postMessage(asked, []);
    });
  }
  return {
    hash: async (...asked) => (await ask({ work: 'hash', with: asked })) as string,
    verify: async (...asked) => (await ask({ work: 'verify', with: asked })) as boolean,
    close: stop,
  };
}

const endedEarly = () =>
  new Busy(
    `The password could not be looked at; nothing was changed. Try again in ${RETRY_SECONDS} s`,
    RETRY_SECONDS,
  );
