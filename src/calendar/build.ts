// Builds the calendar files of some years, one replica at a time.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { LOCKS } from '../db/locks.ts';
import { withSessionLock } from '../db/session-lock.ts';
import type { Deps } from '../deps.ts';

import { type CalendarFile, calendarYears, countriesWithFile, filesOf } from './files.ts';
import { type CalendarRecord, countriesWithCompetitions, eachRecordPage } from './store.ts';
import { startDrafts, sweep } from './write.ts';

/** The result of a build. Its time leaves out the wait for another process that was building. */
export type Built = { years: number[]; files: number; competitions: number; seconds: number };

type BuildDeps = Pick<Deps, 'config' | 'db' | 'databaseUrl' | 'now' | 'log'>;

/** The folder of the files: STATIC_DIR/live/<group>. */
export const calendarFolder = ({ staticDir, CALENDAR_GROUP }: Deps['config']): string =>
  join(staticDir, 'live', CALENDAR_GROUP);

export const currentYears = ({ now, config }: BuildDeps): [number, number] =>
  calendarYears(now(), config.CALENDAR_TIMEZONE);

/** Waits until no other process is building, then builds the years that `choose` names and puts their files in place. */
export async function buildCalendar(
  deps: BuildDeps,
  choose: () => number[] | Promise<number[]>,
): Promise<Built> {
  const folder = calendarFolder(deps.config);
  let years: number[] = [];
  let startedMs = 0;
  const onWait = () => deps.log.info('waiting for another process that builds the calendar files');
  const built = await withSessionLock(deps.databaseUrl, LOCKS.calendar, { onWait }, async () => {
    startedMs = performance.now();
    years = await choose();
    await sweep(folder, deps.now());
    const countries = countriesWithFile(await countriesWithCompetitions(deps.db));
    const counts: { competitions: number; files: number }[] = [];
    for (const year of years) counts.push(await buildYear(deps, { folder, year, countries }));
    return counts;
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const files = built.reduce((sum, year) => sum + year.files, 0);
  const competitions = built.reduce((sum, year) => sum + year.competitions, 0);
  if (years.length > 0) deps.log.info({ years, files, competitions, seconds }, 'built the calendar files');
  return { years, files, competitions, seconds };
}

type YearOfFiles = { folder: string; year: number; countries: ReadonlySet<string> };

async function buildYear({ db, now }: BuildDeps, { folder, year, countries }: YearOfFiles) {
  // Of this moment: what is saved from now on is not in them.
  const drafts = await startDrafts(folder, year, { buildId: randomUUID(), builtAt: now() });
  let competitions = 0;
  try {
    await eachRecordPage(db, year, async (page) => {
      competitions += page.length;
      for (const { file, records } of byFile(page)) await drafts.append(file, records);
    });
    return { competitions, files: await drafts.publish(countries) };
  } catch (error) {
    await drafts.discard();
    throw error;
  }
}

function byFile(page: CalendarRecord[]): Iterable<{ file: CalendarFile; records: string[] }> {
  const groups = new Map<string, { file: CalendarFile; records: string[] }>();
  for (const { countryId, text } of page) {
    for (const file of filesOf(countryId)) {
      const key = file === 'european' ? file : file.countryId;
      const group = groups.get(key) ?? { file, records: [] };
      group.records.push(text);
      groups.set(key, group);
    }
  }
  return groups.values();
}
