// Runs one command: dependencies opened and closed around the work, its outcome as text or JSON, errors as one line.
import type { Readable } from 'node:stream';
import { CommanderError, InvalidArgumentError } from 'commander';
import { destination } from 'pino';
import { loadConfig, type Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import type { Log } from '../log.ts';
import { AppError, Invalid, type Issue, Unavailable } from '../errors.ts';
import { createLog } from '../log.ts';

/** The world outside the program. */
export type Io = {
  env: Record<string, string | undefined>;
  createDeps: (config: Config, log: Log) => Promise<{ deps: Deps; close: () => Promise<void> }>;
  stdin: Readable;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Where somebody watches; undefined when nobody does. */
  terminal?: NodeJS.WritableStream | undefined;
};

/** What a command did: for people, and the same as data for --json. */
export type Outcome = { text: string; data: unknown };

export type Run = (options: { json?: boolean }, work: (deps: Deps) => Promise<Outcome>) => Promise<void>;

export function createRun(io: Io): Run {
  return async (options, work) => {
    const config = loadConfig(io.env);
    // On stderr, so that --json stays readable by programs; and without the server's talk unless asked for.
    const log = createLog(io.env.LOG_LEVEL ? config.LOG_LEVEL : 'warn', destination(2));
    const { deps, close } = await io.createDeps(config, log);
    try {
      const outcome = await work(deps);
      io.out(options.json ? JSON.stringify(outcome.data) : outcome.text);
    } finally {
      await close();
    }
  };
}

/** An option's value that is the id of such a thing. */
const idOf = (what: string) => (text: string) => {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError(`The id of a ${what} is a UUID.`);
};
export const competitionIdOf = idOf('competition');
export const webhookIdOf = idOf('webhook');

/** Says what went wrong and returns the exit code. */
export function report(error: unknown, io: Io): number {
  // Help, version and usage errors: commander has said everything already.
  if (error instanceof CommanderError) return error.exitCode;
  if (error instanceof Invalid) reportIssues(error, io);
  else if (error instanceof AppError && !(error instanceof Unavailable)) io.err(`Error: ${error.message}`);
  else io.err(unexpected(error, io.env.LOG_LEVEL === 'debug' || io.env.LOG_LEVEL === 'trace'));
  return 1;
}

function reportIssues({ issues }: Invalid, io: Io): void {
  for (const issue of issues) io.err(issueLine(issue));
  io.err(`Error: ${issues.length === 1 ? 'one fault' : `${issues.length} faults`}; nothing was changed`);
}

/** events[3].units[0].heat: message */
export function issueLine({ loc, msg }: Issue): string {
  const [, ...path] = loc;
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `${text.replace(/^\./, '') || 'the whole'}: ${msg}`;
}

// A query error carries its parameters in its message and stack, password hashes among them. The cause is what the
// database said; of the stack only the frames are shown.
function unexpected(error: unknown, withStack: boolean): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const [message] = (cause instanceof Error ? cause.message || cause.name : String(cause)).split('\n');
  if (!withStack) return `Error: ${message} (set LOG_LEVEL=debug to see where)`;
  const frames = error instanceof Error ? (error.stack?.match(/^ {4}at .*$/gm) ?? []) : [];
  return [`Error: ${message}`, ...frames].join('\n');
}
