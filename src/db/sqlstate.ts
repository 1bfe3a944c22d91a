// Reasons of failed queries. Drizzle wraps the driver's error: code and constraint are on its cause.

type PgError = Error & { code: string; constraint?: string };

const hasCode = (error: unknown): error is PgError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 4; at = at.cause) chain.push(at);
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

const AWAY =
  /^(08...|53300|57P0[123]|ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const AWAY_TEXT =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** The database cannot be reached or is shutting down; nothing was changed. */
export function isUnavailable(error: unknown): boolean {
  const code = pgError(error)?.code;
  return code ? AWAY.test(code) : causes(error).some(({ message }) => AWAY_TEXT.test(message));
}
