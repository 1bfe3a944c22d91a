// The thread in which the server hashes passwords, one after another: started for the first, gone when there are none.
import { Busy } from '../errors.ts';
import type { Log } from '../log.ts';
import { type PackedError, unpackError } from '../packed-error.ts';
import { keepThread, type StartThread } from '../threads.ts';
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

type Asking = { resolve: (result: string | boolean) => void; reject: (error: Error) => void };

export function createHashThread(
  { log }: { log: Pick<Log, 'error'> },
  { startWorker, idleMs = IDLE_MS }: HashThreadOptions,
): HashThread {
  const thread = keepThread((onEnd) => {
    const worker = startWorker({ name: 'passwords' });
    const waiting: Asking[] = [];
    // Whoever waits for an answer keeps the process; a thread at rest does not.
    worker.unref();
    // Answers come in the order of what was asked.
    worker.on('message', (said: Said) => {
      const asking = waiting.shift()!;
      if (waiting.length === 0) thread.letGo();
      if ('error' in said) asking.reject(unpackError(said.error));
      else asking.resolve(said.result);
    });
    worker.on('error', (error) => log.error({ err: error }, 'the thread of passwords ended by itself'));
    worker.on('exit', () => {
      onEnd();
      for (const { reject } of waiting) reject(endedEarly());
    });
    return {
      ask: (asked: Asked) =>
        new Promise<string | boolean>((resolve, reject) => {
          waiting.push({ resolve, reject });
          worker.postMessage(asked, []);
        }),
      stop: () => worker.terminate(),
    };
  }, idleMs);
  return {
    hash: async (...asked) => (await thread.take().ask({ work: 'hash', with: asked })) as string,
    verify: async (...asked) => (await thread.take().ask({ work: 'verify', with: asked })) as boolean,
    close: thread.close,
  };
}

const endedEarly = () =>
  new Busy(
    `The password could not be looked at; nothing was changed. Try again in ${RETRY_SECONDS} s`,
    RETRY_SECONDS,
  );
