// The process's log. Message and detail of a failed query hold its parameters (password hashes, personal data): both stay out.
import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

/** The log as it is handed around: also a request's own. */
export type Log = FastifyBaseLogger;

type Logged = { type: string; message: string; code?: string; constraint?: string; stack?: string };

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: loggedError },
    redact: [
      'req.headers.authorization',
      '*.password',
      '*.current_password',
      '*.new_password',
      '*.token',
      '*.secret',
    ],
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The logged part of an error. Of a chain of causes: the message of the last, the stack of the first. */
export function loggedError(error: unknown): Logged {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  let root: Error & { code?: unknown; constraint?: unknown } = error;
  for (let depth = 0; root.cause instanceof Error && depth < 5; depth++) root = root.cause;
  const frames = error.stack?.match(/^ {4}at .*$/gm)?.join('\n');
  return {
    type: root.name,
    message: root.message,
    ...(typeof root.code === 'string' && { code: root.code }),
    ...(typeof root.constraint === 'string' && { constraint: root.constraint }),
    ...(frames && { stack: frames }),
  };
}
