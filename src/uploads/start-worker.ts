// The start of the upload thread's program: beside this one, and in its form, as source or built.
import { extname } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

const FORM = extname(import.meta.url);
const PROGRAM = new URL(`../upload-worker${FORM}`, import.meta.url);

export const startUploadWorker = (options: WorkerOptions): Worker =>
  FORM === '.ts' ? new Worker(fromSource(), { ...options, eval: true }) : new Worker(PROGRAM, options);

// What reads the source for the process does not follow into its threads.
function fromSource(): string {
  const [reader, program] = [import.meta.resolve('tsx/esm/api'), PROGRAM.href].map((url) =>
    JSON.stringify(url),
  );
  return `import(${reader}).then(({ register }) => { register(); return import(${program}); });`;
}
