// Jobs of the upload thread: what goes to it, and what comes back.
import type { Actor } from '../accounts/permissions.ts';
import type { PackedError } from '../packed-error.ts';

/** Who asks for what, and of which competition. */
export type Job = UploadJob | EntriesJob;
export type UploadJob = {
  operation: 'create' | 'update' | 'test';
  actor: Actor;
  competitionId: string | null;
};
/** Entries as a spreadsheet. */
export type EntriesJob = { operation: 'entries'; actor: Actor; competitionId: string; dryRun: boolean };

export type SentJob = {
  job: Job;
  /** The body, in parts. */
  parts: Uint8Array[];
  /** The time by the database's clock. */
  nowMs: number;
  /** Where the database is now: the embedded one may have come back on another port. */
  databaseUrl: string;
};

/** An answer as it goes out. */
export type UploadAnswer = { status: number; headers: Record<string, string>; body: Uint8Array };

/** What the thread says; `lost`: an idle connection to the database broke. */
export type Said = { answer: UploadAnswer } | { error: PackedError } | { lost: PackedError };

export type ThreadData = {
  publishDateOfBirth: boolean;
  /** Shared, one number: the stage of the job. It is there when the thread is not any more. */
  stage: Int32Array;
};

/** From here on only the database knows what became of the job. */
export const COMMITTING = 1;
