// Large files of entries from their bytes to the bytes of the answer, as entries-routes.ts has it of small ones; for a thread of its own.
import { authorizeWithin } from '../competitions/access.ts';
import { bytesOf, type UploadDeps } from '../competitions/large-uploads.ts';
import { authorizeUpdate } from '../competitions/update.ts';
import type { EntriesJob, UploadAnswer } from '../uploads/job.ts';
import { importEntries } from './import-entries.ts';
import { ImportAnswer } from './schemas.ts';

/** @throws what is refused, and what the import throws */
export async function runEntries(
  deps: UploadDeps,
  { actor, competitionId: id, dryRun }: EntriesJob,
  bytes: Buffer,
): Promise<UploadAnswer> {
  await authorizeWithin(deps.reads, { id, actor, body: undefined }, authorizeUpdate);
  const answer = await importEntries(deps, actor, id, { bytes, dryRun });
  return { status: 200, headers: {}, body: bytesOf(ImportAnswer, answer) };
}
