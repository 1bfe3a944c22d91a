// The upload thread's program: connections of its own, and the verbs of the API for one job after another.
import { parentPort, workerData } from 'node:worker_threads';
import { runUpload, type UploadDeps } from './competitions/large-uploads.ts';
import { connectUploads } from './db/client.ts';
import { beforeCommits } from './db/transaction.ts';
import { runEntries } from './exchange/large-entries.ts';
import { packError } from './packed-error.ts';
import { giveWay } from './threads.ts';
import { COMMITTING, type Said, type SentJob, type ThreadData } from './uploads/job.ts';

const { publishDateOfBirth, stage } = workerData as ThreadData;
const port = parentPort!;
const say = (said: Said, transfer: ArrayBuffer[] = []) => port.postMessage(said, transfer);

let url = '';
const db = connectUploads(
  () => url,
  (error) => say({ lost: packError(error) }),
);
beforeCommits(db, () => Atomics.store(stage, 0, COMMITTING));

// Requests come first.
const NICENESS = 5;
giveWay(NICENESS);

port.on('message', (job: SentJob) => void work(job));

async function work({ parts, nowMs, databaseUrl, job }: SentJob): Promise<void> {
  url = databaseUrl;
  const startedMs = performance.now();
  const deps: UploadDeps = {
    db,
    reads: db,
    now: () => new Date(nowMs + performance.now() - startedMs),
    config: { PUBLISH_DATE_OF_BIRTH: publishDateOfBirth },
  };
  try {
    // Let go of at once: the body is in memory once, not twice.
    const bytes = Buffer.concat(parts.splice(0));
    const answer =
      job.operation === 'entries' ? await runEntries(deps, job, bytes) : await runUpload(deps, job, bytes);
    say({ answer }, [answer.body.buffer as ArrayBuffer]);
  } catch (error) {
    say({ error: packError(error) });
  }
}
