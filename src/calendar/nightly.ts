// The nightly build: by the clock of CALENDAR_TIMEZONE; what was missed (the process stopped, the machine asleep, the build failed)
// is made up for at start and every ten minutes. Each folder tells when it was built: one of its own, or one that replicas share.
import { setTimeout as sleep } from 'node:timers/promises';
import { schedule } from 'node-cron';
import type { Deps } from '../deps.ts';
import type { Log } from '../log.ts';
import { createOutageLog, type OutageLog } from '../outage-log.ts';
import { buildCalendar, type Built, calendarFolder, currentYears } from './build.ts';
import { lastDue } from './due.ts';
import { lastBuilt } from './write.ts';

export type Nightly = {
  /** The last build of this process; undefined before there was one. */
  lastBuild: () => Built | undefined;
  stop: () => Promise<void>;
};

const CHECK_MS = 600_000;
// By the service's clock the minute has not begun yet where this machine's is fast. More than that is left to the next check.
const FAST_MS_MAX = 60_000;

const SAYS = {
  begins: 'the calendar files could not be built',
  lasts: 'the calendar files still cannot be built',
  ends: 'the calendar files are built again',
};

/** Starts the schedule. A build that fails is logged, shows in /readyz by the files' age, and is tried again. */
export function startNightly(deps: Deps, checkMs = CHECK_MS): Nightly {
  let last: Built | undefined;
  const stopping = new AbortController();
  const outage = createOutageLog({
    log: deps.log,
    now: deps.now,
    level: 'error',
    says: SAYS,
    counted: 'builds',
  });
  const run = async (build: () => Promise<Built | null>) => {
    const built = await attempt(outage, build);
    if (built && built.years.length > 0) last = built;
  };
  let running = run(() => buildOverdue(deps));
  const next = (build: () => Promise<Built | null>) => {
    running = running.then(() => run(build));
  };
  const { CALENDAR_CRON, CALENDAR_TIMEZONE: timezone } = deps.config;
  const buildScheduled = async (date: Date) => {
    const earlyMs = Math.min(Math.max(date.getTime() - deps.now().getTime(), 0), FAST_MS_MAX);
    await sleep(earlyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    return buildOverdue(deps);
  };
  const task = schedule(CALENDAR_CRON, ({ date }) => next(() => buildScheduled(date)), {
    timezone,
    name: 'calendar',
    logger: loggerOf(deps.log),
  });
  const check = setInterval(() => next(() => buildOverdue(deps)), checkMs);
  check.unref();
  return {
    lastBuild: () => last,
    stop: async () => {
      clearInterval(check);
      stopping.abort();
      await task.destroy();
      await running;
    },
  };
}

// The scheduler would write lines of its own to standard output, such as that a night was missed.
const loggerOf = (log: Log) => ({
  info: (message: string) => log.info(message),
  warn: (message: string) => log.warn(message),
  error: (message: string | Error, err?: Error) => log.error({ err: err ?? message }, 'the scheduler failed'),
  debug: (message: string | Error) => log.debug(String(message)),
});

/** Builds the years that are missing in the folder, or older than they should be; null when there is none. */
async function buildOverdue(deps: Deps): Promise<Built | null> {
  if ((await overdueYears(deps)).length === 0) return null;
  // Asked again once it is our turn: another replica may share the folder, and have built.
  return buildCalendar(deps, () => overdueYears(deps));
}

async function overdueYears(deps: Deps): Promise<number[]> {
  const due = lastDue(deps.config, deps.now());
  const folder = calendarFolder(deps.config);
  const years = currentYears(deps);
  const built = await Promise.all(years.map((year) => lastBuilt(folder, year)));
  return years.filter((_, index) => {
    const at = built[index];
    return !at || (due !== null && at < due);
  });
}

async function attempt(outage: OutageLog, build: () => Promise<Built | null>): Promise<Built | null> {
  try {
    const built = await build();
    outage.succeeded();
    return built;
  } catch (error) {
    outage.failed({ err: error });
    return null;
  }
}
