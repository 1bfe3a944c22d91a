// Threads of this process: how a program is started in one, in the form of this file, source or built, how long it is kept, and how
// it gives way.
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread with its program. */
export type StartThread = (options: WorkerOptions) => Worker;

const FORM = extname(import.meta.url);

/** The start of a program that stands beside this file. */
export function startOf(program: 'hash-worker' | 'upload-worker'): StartThread {
  const url = new URL(`./${program}${FORM}`, import.meta.url);
  if (FORM !== '.ts') return (options) => new Worker(url, options);
  return (options) => new Worker(fromSource(url), { ...options, eval: true });
}

// What reads the source for the process does not follow into its threads.
function fromSource(url: URL): string {
  const [reader, program] = [import.meta.resolve('tsx/esm/api'), url.href].map((one) => JSON.stringify(one));
  return `import(${reader}).then(({ register }) => { register(); return import(${program}); });`;
}

/** A thread that is there when it is needed, and for a while after. */
export type KeptThread<Thread> = {
  /** The one that there is, else a new one. */
  take(): Thread;
  /** Nobody needs it for now. */
  letGo(): void;
  close: () => Promise<void>;
};

/** @param start is given what to call when the thread has ended by itself */
export function keepThread<Thread extends { stop(): Promise<unknown> }>(
  start: (onEnd: () => void) => Thread,
  idleMs: number,
): KeptThread<Thread> {
  let kept: Thread | undefined;
  let rest: NodeJS.Timeout | undefined;

  async function close(): Promise<void> {
    clearTimeout(rest);
    // Whoever comes meanwhile starts another one.
    const ending = kept;
    kept = undefined;
    await ending?.stop();
  }
  return {
    take() {
      clearTimeout(rest);
      if (kept) return kept;
      const started = start(() => {
        if (kept === started) kept = undefined;
      });
      return (kept = started);
    },
    letGo() {
      clearTimeout(rest);
      rest = setTimeout(() => void close(), idleMs).unref();
    },
    close,
  };
}

/** Has the thread that calls this come after the others where there is too little of the processor for all. */
export function giveWay(niceness: number): void {
  // On Linux each thread has a niceness of its own; elsewhere it would be that of the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(niceness);
  } catch {
    // Where that is forbidden the work is done all the same.
  }
}
