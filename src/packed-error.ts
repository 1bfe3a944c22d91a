// Packed errors, as data that goes from one thread to another: refusals arrive as what they are, others with what is asked of them.
import * as refusals from './errors.ts';

export type PackedError = {
  /** The name of its class in errors.ts; null for one that is not ours. */
  refusal: string | null;
  name: string;
  message: string;
  stack: string | undefined;
  /** Fields of its own. */
  own: Record<string, unknown>;
  cause: PackedError | undefined;
};

const CAUSES_MAX = 5;
// Of errors that are not ours. What else they carry are statements and their parameters.
const ASKED_FOR = new Set(['code', 'constraint', 'statusCode']);

export function packError(error: unknown, causes = CAUSES_MAX): PackedError {
  const known = error instanceof Error ? error : new Error(String(error));
  const refusal = known instanceof refusals.AppError ? known.name : null;
  const kept = Object.entries(known).filter(([name]) => refusal !== null || ASKED_FOR.has(name));
  return {
    refusal,
    name: known.name,
    message: known.message,
    stack: known.stack,
    own: Object.fromEntries(kept),
    cause: known.cause instanceof Error && causes > 0 ? packError(known.cause, causes - 1) : undefined,
  };
}

export function unpackError({ refusal, name, message, stack, own, cause }: PackedError): Error {
  const prototype = refusal === null ? Error.prototype : prototypeOf(refusal);
  // Their constructors take what they please: an object of the class is filled with what the other one had.
  const error = Object.create(prototype) as Error;
  const hidden = {
    message,
    stack,
    ...(cause && { cause: unpackError(cause) }),
    ...(refusal === null && { name }),
  };
  for (const [field, value] of Object.entries(hidden))
    Object.defineProperty(error, field, { value, writable: true, configurable: true });
  return Object.assign(error, own);
}

function prototypeOf(refusal: string): Error {
  const found = (refusals as Record<string, { prototype: Error }>)[refusal];
  return found?.prototype ?? Error.prototype;
}
