// The nightly build: by the clock of CALENDAR_TIMEZONE, and at start when a file is missing.
import { schedule } from 'node-cron';
import type { Deps } from '../deps.ts';
import type { Log } from '../log.ts';
import { buildCalendar, type Built, calendarFolder, currentYears } from './build.ts';
import { takeBuild } from './store.ts';
import { lastBuilt } from './write.ts';

export type Nightly = {
  /** The last build of this process; undefined before there was one. */
  lastBuild: () => Built | undefined;
  stop: () => Promise<void>;
};

/** Starts the schedule. A build that fails is logged, shows in /readyz by the files' age, and is tried again next night. */
export function startNightly(deps: Deps): Nightly {
  let last: Built | undefined;
  const run = async (build: () => Promise<Built | null>) => {
    const built = await attempt(deps, build);
    if (built && built.years.length > 0) last = built;
  };
  let running = run(() => buildMissing(deps));
  const task = schedule(
    deps.config.CALENDAR_CRON,
    (context) => {
      running = running.then(() => run(() => buildScheduled(deps, context.date)));
    },
    { timezone: deps.config.CALENDAR_TIMEZONE, name: 'calendar', logger: loggerOf(deps.log) },
  );
  return {
    lastBuild: () => last,
    stop: async () => {
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

async function buildMissing(deps: Deps): Promise<Built | null> {
  if ((await missingYears(deps)).length === 0) return null;
  return buildCalendar(deps, () => missingYears(deps));
}

async function missingYears(deps: Deps): Promise<number[]> {
  const folder = calendarFolder(deps.config);
  const years = currentYears(deps);
  const present = await Promise.all(years.map((year) => lastBuilt(folder, year)));
  return years.filter((_, index) => present[index] === null);
}

// Replicas wake at the same minute; the first takes the build.
async function buildScheduled(deps: Deps, scheduledFor: Date): Promise<Built | null> {
  const minute = new Date(Math.floor(scheduledFor.getTime() / 60_000) * 60_000);
  return (await takeBuild(deps.db, minute)) ? buildCalendar(deps, () => currentYears(deps)) : null;
}

async function attempt(deps: Deps, build: () => Promise<Built | null>): Promise<Built | null> {
  try {
    return await build();
  } catch (error) {
    deps.log.error({ err: error }, 'the calendar files could not be built');
    return null;
  }
}
