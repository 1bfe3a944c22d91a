// The log of an outage: one line at its begin, one a minute while it lasts, one at its end; not one for every failure.
import type { Log } from './log.ts';

const REMINDER_MS = 60_000;

type Lines = Pick<Log, 'error' | 'warn'>;

export type OutageLogOptions = {
  log: Lines;
  now: () => Date;
  level: 'error' | 'warn';
  says: { begins: string; lasts: string; ends: string };
  /** What the lines call the failures that they count. */
  counted: string;
};

export type OutageLog = {
  /** Hears of a failure. `told` is what its line says of it; `log` that of the request, where one failed. */
  failed(told: object, log?: Lines): void;
  /** Hears of a success, as often as there is one. Returns whether it ended an outage. */
  succeeded(log?: Lines): boolean;
  /** Another process tells of it from now on, or nobody needs to. */
  forget(): void;
};

export function createOutageLog({ log, now, level, says, counted }: OutageLogOptions): OutageLog {
  let outage: { sinceMs: number; toldMs: number; failures: number } | undefined;
  const figures = ({ sinceMs, failures }: NonNullable<typeof outage>) => ({
    seconds: Math.round((now().getTime() - sinceMs) / 1000),
    [counted]: failures,
  });
  return {
    failed(told, lines = log) {
      const nowMs = now().getTime();
      const begins = outage === undefined;
      outage ??= { sinceMs: nowMs, toldMs: nowMs, failures: 0 };
      outage.failures += 1;
      if (begins) lines[level](told, says.begins);
      else if (nowMs - outage.toldMs >= REMINDER_MS) {
        outage.toldMs = nowMs;
        lines[level]({ ...told, ...figures(outage) }, says.lasts);
      }
    },
    succeeded(lines = log) {
      if (!outage) return false;
      lines.warn(figures(outage), says.ends);
      outage = undefined;
      return true;
    },
    forget: () => void (outage = undefined),
  };
}
