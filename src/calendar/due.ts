// The moment when a build of the calendar files was due the last time. Pure.
import { Cron } from 'croner';

type Schedule = { CALENDAR_CRON: string; CALENDAR_TIMEZONE: string };

/** Null where the schedule never comes true, as of the 30th of February. */
export function lastDue({ CALENDAR_CRON, CALENDAR_TIMEZONE: timezone }: Schedule, now: Date): Date | null {
  const schedule = new Cron(CALENDAR_CRON, { timezone, paused: true });
  // The second that it is counts.
  const [due] = schedule.previousRuns(1, new Date((Math.floor(now.getTime() / 1000) + 1) * 1000));
  return due ?? null;
}
