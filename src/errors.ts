// The refusals the product knows, free of HTTP: verbs and stores throw them, http/errors.ts gives each its status code.

/** One fault in what was sent. `loc` is the path to it, starting at "body", "query" or "path". */
export type Issue = { loc: (string | number)[]; msg: string; type: string };

export class AppError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** What was asked for does not exist, or not for this reader. */
export class NotFound extends AppError {}

/** Nobody is signed in, or the account may no longer be used. */
export class Unauthenticated extends AppError {}

/** Signed in, but without the right. */
export class Forbidden extends AppError {}

/** The request is well formed but its content is not acceptable; carries every fault found. */
export class Invalid extends AppError {
  readonly issues: Issue[];
  constructor(issues: Issue[]) {
    super(issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '));
    this.issues = issues;
  }
}

/** The request contradicts what is stored. `detail` replaces the message where a client needs more than text. */
export class Conflict extends AppError {
  readonly detail: unknown;
  constructor(message: string, detail?: unknown) {
    super(message);
    this.detail = detail ?? message;
  }
}

/** What was asked for was there once; `snapshot` is where to begin anew. */
export class Gone extends AppError {
  readonly snapshot: string | undefined;
  constructor(message: string, snapshot?: string) {
    super(message);
    this.snapshot = snapshot;
  }
}

/** The sent precondition names an older revision; `revision` is the current one. */
export class Stale extends AppError {
  readonly revision: number;
  constructor(message: string, revision: number) {
    super(message);
    this.revision = revision;
  }
}

/** Too many requests; `retryAfterSeconds` says when to come back. */
export class TooMany extends AppError {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** More is under way than the service takes at once; nothing was changed. */
export class Busy extends AppError {
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The upload's thread ended in the midst of it; `mayBeSaved` unless it is known that nothing was changed. */
export class BrokenOff extends AppError {
  readonly mayBeSaved: boolean;
  readonly retryAfterSeconds: number;
  constructor(mayBeSaved: boolean, retryAfterSeconds: number, cause: unknown) {
    super('The upload was broken off', { cause });
    this.mayBeSaved = mayBeSaved;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Something outside the program (the database) is away; nothing was changed. */
export class Unavailable extends AppError {}

/** The answer of the database was lost: what was sent may have been saved. */
export class Uncertain extends AppError {
  /** The Idempotency-Key with which the same request, sent again, changes nothing when it was. */
  readonly repeatKey: string | undefined;
  constructor(message: string, { cause, repeatKey }: { cause: unknown; repeatKey?: string }) {
    super(message, { cause });
    this.repeatKey = repeatKey;
  }
}

/** A mistake of the operator: printed as one line with the remedy, without a stack. */
export class OperatorError extends AppError {}

const REMEDIES: Record<string, string> = {
  EACCES: 'permission denied; start as the user that owns DATA_DIR, or set DATA_DIR to another folder',
  EPERM: 'not permitted; start as the user that owns DATA_DIR, or set DATA_DIR to another folder',
  EROFS: 'the file system is read-only; set DATA_DIR to a folder that can be written',
  ENOSPC: 'the disk is full; free some space, or set DATA_DIR to another disk',
  EDQUOT: 'the disk quota is used up; free some space, or set DATA_DIR to another disk',
  ENOTDIR: 'a file is in the way; set DATA_DIR to a folder',
  ENOENT: 'it cannot be made there; set DATA_DIR to a folder that can be written',
  EEXIST: 'a file is in the way; set DATA_DIR to a folder',
};

/** What the operator can do about a DATA_DIR that cannot be used, where that is known; else the error itself. */
export function explainFolder(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = REMEDIES[code];
  if (error instanceof OperatorError || !remedy) return error;
  const path = error instanceof Error && 'path' in error ? String(error.path) : dataDir;
  return new OperatorError(`DATA_DIR: ${path}: ${remedy}`, { cause: error });
}
