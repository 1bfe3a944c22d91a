// The whole server inside the test's own process: quicker than a process of its own, for tests that kill nothing.
import { loadConfig } from '../../src/config.ts';
import { urlNow } from '../../src/db/client.ts';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { type Environment, untilWritten } from './program.ts';
import { whenOver } from './shared.ts';

/** Runs until it is stopped, or what started it ends. */
export async function serve(env: Environment) {
  const written = { stdout: '', stderr: '' };
  const log = createLog(env['LOG_LEVEL'] ?? 'info', { write: (line) => void (written.stdout += line) });
  const server = await startServer(loadConfig({ PORT: '0', ...env }), log);
  let closing: Promise<void> | undefined;
  const stop = () => (closing ??= server.close());
  whenOver(stop);
  return {
    baseUrl: server.baseUrl,
    databaseUrl: urlNow(server.deps.databaseUrl),
    stop,
    /** What it has told its log. */
    written,
    /** Waits for what it tells its log. */
    until: (pattern: RegExp) => untilWritten(written, pattern),
  };
}

/** The line with which a start ends: of an error that operators can do something about the program prints the message alone. */
export async function refusalOf(env: Environment): Promise<string> {
  const error: unknown = await serve(env).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error.message;
  throw new Error('not refused in words for operators', { cause: error });
}

/** As much of a server as those in processes of their own have, too. */
export type Running = Pick<Awaited<ReturnType<typeof serve>>, 'baseUrl' | 'written' | 'until'>;
