// The graceful stop of a long-running process, on a signal or an unexpected error, and the end of one that could not start.
import closeWithGrace from 'close-with-grace';
import type { Log } from './log.ts';
import { AppError } from './errors.ts';

const GRACE_MS = 10_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// npm hands Ctrl-C on to a process that has heard it from the terminal already: that is no second wish to stop.
const ECHO_MS = 1000;
// Read at once: the parent may be gone before the start is over.
const PARENT = process.ppid;
const PARENT_CHECK_MS = 250;

type Stop = {
  log: Log;
  close: () => Promise<void>;
  /**
   * Run by npm as this script, also stop when the parent is gone: npm's shell dies of a signal without handing it on. Whoever
   * starts the program otherwise may well leave it running.
   */
  npmScript: string;
};

/** Closes on the first signal and exits with 0; a second one, a moment later, exits at once. */
export function stopGracefully({ log, close, npmScript }: Stop): void {
  const grace = closeWithGrace({ delay: GRACE_MS, logger: log, skip: [...SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error');
    await close();
  });
  let stoppingSince: number | undefined;
  const stop = (reason: string) => {
    stoppingSince = performance.now();
    log.info(`${reason}: stopping`);
    grace.close();
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === undefined) stop(signal);
      else if (performance.now() - stoppingSince > ECHO_MS) process.exit(1);
    });
  }
  if (process.env['npm_lifecycle_event'] === npmScript)
    onParentGone(() => stoppingSince === undefined && stop('its parent is gone'));
}

function onParentGone(act: () => void): void {
  const check = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(check);
    act();
  }, PARENT_CHECK_MS);
  check.unref();
}

/** Ends a process that could not start. A mistake of the operator is one line with the remedy; anything else keeps its stack. */
export function failStart(error: unknown): never {
  const unexpected = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${error instanceof AppError ? error.message : unexpected}\n`);
  process.exit(1);
}
