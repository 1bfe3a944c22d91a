// The thread in which large uploads are read, judged and stored, one after another: started for the first, gone when there are none.
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { urlNow } from '../db/client.ts';
import type { Deps } from '../deps.ts';
import { BrokenOff, Busy } from '../errors.ts';
import { createSemaphore } from '../semaphore.ts';
import { keepThread, type StartThread } from '../threads.ts';
import { COMMITTING, type Job, type Said, type SentJob, type ThreadData, type UploadAnswer } from './job.ts';
import { unpackError } from '../packed-error.ts';

export type UploadThread = {
  /**
   * Runs a job. The memory of the body's parts is handed over: they are empty afterwards.
   * @throws what the verb throws; Busy when too many wait; BrokenOff when the thread ended in the midst of it
   */
  run(job: Job, parts: Buffer[]): Promise<UploadAnswer>;
  close(): Promise<void>;
};

export type UploadLimits = {
  /** How many may wait for their turn. */
  waiting: number;
  /** How long one may compute; what waits for the database is bounded there. */
  computingMs: number;
  /** How long the thread and its memory are kept for the next one. */
  idleMs: number;
  memory: ResourceLimits;
};

export type UploadThreadOptions = {
  startWorker: StartThread;
  limits?: Partial<UploadLimits>;
};

type ThreadDeps = Pick<Deps, 'config' | 'databaseUrl' | 'now' | 'log'>;

const LIMITS: UploadLimits = { waiting: 20, computingMs: 60_000, idleMs: 60_000, memory: {} };
const RETRY_SECONDS = 5;
const LOOK_MS = 1000;

export function createUploadThread(deps: ThreadDeps, options: UploadThreadOptions): UploadThread {
  const limits = { ...LIMITS, ...options.limits };
  const inOrder = createSemaphore(1);
  const thread = keepThread((onEnd) => startThread(deps, options.startWorker, limits, onEnd), limits.idleMs);
  let underWay = 0;

  return {
    async run(job, parts) {
      if (underWay > limits.waiting) throw tooMany(limits.waiting);
      underWay += 1;
      try {
        return await inOrder(() => thread.take().run(job, parts));
      } finally {
        underWay -= 1;
        if (underWay === 0) thread.letGo();
      }
    },
    close: thread.close,
  };
}

const tooMany = (waiting: number) =>
  new Busy(
    `${waiting} large uploads wait; nothing was changed. Try again in ${RETRY_SECONDS} s`,
    RETRY_SECONDS,
  );

type Thread = { run: UploadThread['run']; stop: () => Promise<unknown> };
type Current = { resolve: (answer: UploadAnswer) => void; reject: (error: Error) => void };

function startThread(
  { config, databaseUrl, now, log }: ThreadDeps,
  startWorker: StartThread,
  { memory, computingMs }: UploadLimits,
  onEnd: () => void,
): Thread {
  const stage = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const data: ThreadData = { publishDateOfBirth: config.PUBLISH_DATE_OF_BIRTH, stage };
  const worker = startWorker({ name: 'uploads', workerData: data, resourceLimits: memory });
  let current: Current | undefined;
  let failure: unknown;
  // Whoever waits for an answer keeps the process; a thread at rest does not.
  worker.unref();
  worker.on('error', (error) => {
    failure = error;
  });
  worker.on('message', (said: Said) => {
    if ('lost' in said) log.warn({ err: unpackError(said.lost) }, 'an idle database connection was lost');
    else if ('error' in said) current?.reject(unpackError(said.error));
    else current?.resolve(said.answer);
  });
  worker.on('exit', () => {
    onEnd();
    if (!current && failure) log.warn({ err: failure }, 'the thread of large uploads ended by itself');
    current?.reject(new BrokenOff(Atomics.load(stage, 0) === COMMITTING, RETRY_SECONDS, failure));
  });
  return {
    async run(job, parts) {
      Atomics.store(stage, 0, 0);
      const stopWatching = watchComputing(worker, computingMs, (error) => {
        failure = error;
      });
      try {
        return await new Promise((resolve, reject) => {
          current = { resolve, reject };
          const nowMs = now().getTime();
          const sent: SentJob = { job, parts, nowMs, databaseUrl: urlNow(databaseUrl) };
          worker.postMessage(sent, memoryOf(parts));
        });
      } finally {
        current = undefined;
        stopWatching();
      }
    },
    stop: () => worker.terminate(),
  };
}

/** The memory that holds one part and nothing else; small ones share theirs with others, and are copied. */
const memoryOf = (parts: Buffer[]): ArrayBuffer[] =>
  parts.filter((part) => part.length === part.buffer.byteLength).map(({ buffer }) => buffer as ArrayBuffer);

/** Ends a thread that computes for longer. Time in which it waits for the database does not count. */
function watchComputing(worker: Worker, computingMs: number, onLate: (error: Error) => void): () => void {
  const { eventLoopUtilization } = worker.performance;
  const before = eventLoopUtilization();
  const timer = setInterval(
    () => {
      if (eventLoopUtilization(before).active <= computingMs) return;
      onLate(new Error(`An upload took more than ${computingMs} ms of computing`));
      void worker.terminate();
    },
    Math.min(LOOK_MS, computingMs),
  );
  return () => clearInterval(timer);
}
