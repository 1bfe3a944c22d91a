// The graceful stop of a long-running process, on a signal or an unexpected error, and the end of one that could not start.
import closeWithGrace from 'close-with-grace';
import type { Log } from './log.ts';
import { AppError } from './errors.ts';

const GRACE_MS = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// npm hands Ctrl-C on to a process that has heard it from the terminal already: that is no second wish to stop.
const ECHO_MS = 1000;

/** Closes on the first signal and exits with 0; a second one, a moment later, exits at once. */
export function stopGracefully(log: Log, close: () => Promise<void>): void {
  const grace = closeWithGrace({ delay: GRACE_MS, logger: log, skip: [...SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error');
    await close();
  });
  let stoppingSince: number | undefined;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now();
        log.info(`${signal}: stopping`);
        grace.close();
      } else if (performance.now() - stoppingSince > ECHO_MS) process.exit(1);
    });
  }
}

/** Ends a process that could not start. A mistake of the operator is one line with the remedy; anything else keeps its stack. */
export function failStart(error: unknown): never {
  const unexpected = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${error instanceof AppError ? error.message : unexpected}\n`);
  process.exit(1);
}
