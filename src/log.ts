// The process's log. Message and detail of a failed query hold its parameters (password hashes, personal data): both stay out.
import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

/** The log as it is handed around: also a request's own. */
export type Log = FastifyBaseLogger;

type Logged = { type: string; message: string; code?: string; constraint?: string; stack?: string };

const SECRETS = [
  'authorization',
  'password',
  'current_password',
  'new_password',
  'passwordHash',
  'token',
  'access_token',
  'override_token',
  'secret',
  'date_of_birth',
  'dateOfBirth',
  'year_of_birth',
];

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: loggedError, req: loggedRequest },
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
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
    message: loggedMessage(root),
    ...(typeof root.code === 'string' && { code: root.code }),
    ...(typeof root.constraint === 'string' && { constraint: root.constraint }),
    ...(frames && { stack: frames }),
  };
}

// A value that Postgres cannot read (class 22 of its codes) stands in its message; every other message names columns and
// constraints alone.
function loggedMessage({ message, code }: { message: string; code?: unknown }): string {
  const echoes = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
  return echoes ? message.replaceAll(/"[^"]*"|(?<=: ).+/gs, '[Redacted]') : message;
}

// Headers hold tokens, and queries what clients put there by mistake.
const loggedRequest = ({ method, url }: { method?: string; url?: string }) => ({
  method,
  path: url?.split('?', 1)[0],
});
