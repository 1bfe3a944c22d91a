// Refusals of a configured database, each in one line for whoever starts the program. Never with its password.
import { OperatorError } from '../errors.ts';
import { isUnavailable, sqlstateOf } from './sqlstate.ts';

// Wrong password or user, not allowed from here, no such database. Postgres names users and databases, no passwords.
const REFUSED = new Set(['28P01', '28000', '3D000']);

/** The error to throw instead: what to do about it where that is known, else the error itself. */
export function explainDatabase(error: unknown, url: string): unknown {
  const code = sqlstateOf(error);
  if (code === 'ERR_INVALID_URL') {
    return new OperatorError(
      'DATABASE_URL cannot be read: write special characters of the password as %XX ("#" is %23)',
    );
  }
  if (code !== undefined && REFUSED.has(code)) {
    return new OperatorError(`The database refuses: ${messageOf(error)}; correct DATABASE_URL`);
  }
  if (!isUnavailable(error)) return error;
  const reason = code ?? messageOf(error);
  return new OperatorError(
    `The database at ${placeOf(url)} cannot be reached (${reason}): start it, or correct DATABASE_URL`,
  );
}

function messageOf(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? root.message : String(root);
}

function placeOf(url: string): string {
  const { host, searchParams } = new URL(url);
  return host || (searchParams.get('host') ?? 'this machine');
}
