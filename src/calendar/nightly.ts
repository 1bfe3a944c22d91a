// The nightly build: by the clock of CALENDAR_TIMEZONE, and at start when a file is missing.
import { schedule } from 'node-cron';
import type { Deps } from '../deps.ts';
import { buildCalendar, calendarFolder, currentYears } from './build.ts';
import { takeBuild } from './store.ts';
import { lastBuilt } from './write.ts';

export type Nightly = { stop: () => Promise<void> };

/** Starts the schedule. A build that fails is logged, shows in /readyz by the files' age, and is tried again next night. */
export function startNightly(deps: Deps): Nightly {
  let running: Promise<unknown> = attempt(deps, () => buildMissing(deps));
  const task = schedule(
    deps.config.CALENDAR_CRON,
    (context) => {
      running = running.then(() => attempt(deps, () => buildScheduled(deps, context.date)));
    },
    { timezone: deps.config.CALENDAR_TIMEZONE, name: 'calendar' },
  );
  return {
    stop: async () => {
      await task.destroy();
      await running;
    },
  };
}

async function buildMissing(deps: Deps): Promise<void> {
  if ((await missingYears(deps)).length > 0) await buildCalendar(deps, () => missingYears(deps));
}

async function missingYears(deps: Deps): Promise<number[]> {
  const folder = calendarFolder(deps.config);
  const years = currentYears(deps);
  const present = await Promise.all(years.map((year) => lastBuilt(folder, year)));
  return years.filter((_, index) => present[index] === null);
}

// Replicas wake at the same minute; the first takes the build.
async function buildScheduled(deps: Deps, scheduledFor: Date): Promise<void> {
  const minute = new Date(Math.floor(scheduledFor.getTime() / 60_000) * 60_000);
  if (await takeBuild(deps.db, minute)) await buildCalendar(deps, () => currentYears(deps));
}

async function attempt(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.error({ err: error }, 'the calendar files could not be built');
  }
}
