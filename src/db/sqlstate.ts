// Reasons of failed queries. Drizzle wraps the driver's error: code and constraint are on its cause.
import { Uncertain, Unavailable } from '../errors.ts';

type PgError = Error & { code: string; constraint?: string; syscall?: string };

const hasCode = (error: unknown): error is PgError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  return chain;
}

const pgError = (error: unknown): PgError | undefined => causes(error).find(hasCode);

/** The code of what failed: an SQLSTATE, or a system error's like ECONNREFUSED. */
export const sqlstateOf = (error: unknown): string | undefined => pgError(error)?.code;

/** The unique constraint a write ran into, if that is what failed. */
export function violatedUnique(error: unknown): string | undefined {
  const cause = pgError(error);
  return cause?.code === '23505' ? cause.constraint : undefined;
}

/** Deadlock or serialisation failure: the same transaction may be tried again. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01'].includes(pgError(error)?.code ?? '');

// Postgres refuses, and keeps nothing of the transaction: out of disk, memory or connections, an I/O error, starting up,
// read-only (also one that has become a standby), a lock or a statement that took too long, a deadlock tried too often.
const REFUSED = /^(53...|58030|57P03|57014|55P03|25006|25P0[34]|40001|40P01)$/;
const UNREACHED = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const UNREACHED_TEXT =
  /timeout expired|timeout exceeded when trying to connect|terminated due to connection timeout/;
// The connection ended, or nothing came over it any more: what was asked last may have been done.
const LOST = /^(08...|57P0[125]|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/;
const LOST_TEXT =
  /Connection terminated|Client (has encountered a connection error|was closed)|Query read timeout/;

/** Why there is no answer of the database, and what became of what was asked last. */
export type Outage = 'nothing was changed' | 'unknown';

/** The outage that an error tells of; undefined when it is none. */
export function outageOf(error: unknown): Outage | undefined {
  const chain = causes(error);
  if (chain.some((one) => one instanceof Unavailable)) return 'nothing was changed';
  if (chain.some((one) => one instanceof Uncertain)) return 'unknown';
  const { code, syscall } = pgError(error) ?? {};
  // Over a Unix socket there are other reasons, as that it is not there (ENOENT) or that many wait already (EAGAIN).
  if (syscall === 'connect') return 'nothing was changed';
  const said = (codes: RegExp, texts: RegExp) =>
    code ? codes.test(code) : chain.some(({ message }) => texts.test(message));
  if (said(UNREACHED, UNREACHED_TEXT) || (code && REFUSED.test(code))) return 'nothing was changed';
  return said(LOST, LOST_TEXT) ? 'unknown' : undefined;
}

/** The connection on which this happened must not be used again: it is lost, or leads where nothing can be written. */
export const spoilsConnection = (error: unknown): boolean =>
  outageOf(error) === 'unknown' || ['25006', '25P03', '25P04', '57P03'].includes(sqlstateOf(error) ?? '');
