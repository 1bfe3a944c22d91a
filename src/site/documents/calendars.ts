// The calendars: the competitions of a year, and of a country in it.
import { z } from 'zod';

import { CompetitionRecord } from '../../competitions/schemas.ts';
import type { DocumentOfCalendar } from './definition.ts';
import { mapped, separated } from './pieces.ts';
import { calendarKey, calendarRecords, calendarVersions } from './store.ts';
import { SPELLINGS, type Style } from './style.ts';

const read: DocumentOfCalendar['read'] = async (db, calendar, { style }) => {
  const key = calendarKey(calendar);
  const revision = (await calendarVersions(db, [key])).get(key)!;
  return { pieces: recordList(await calendarRecords(db, calendar), style), revision };
};

export const yearCalendar: DocumentOfCalendar = {
  of: 'calendar',
  path: '/x/:year/json',
  operationId: 'readYearCalendar',
  summary: 'The competitions of a year',
  schema: z.array(CompetitionRecord),
  reading: 'snapshot, in turn',
  empty: () => ['[]'],
  read,
};

export const countryCalendar: DocumentOfCalendar = {
  of: 'calendar',
  path: '/x/:year/:country_id/json',
  operationId: 'readCountryCalendar',
  summary: 'The competitions of a country in a year; GBR includes the home nations',
  schema: z.array(CompetitionRecord),
  reading: 'snapshot, in turn',
  empty: () => ['[]'],
  read,
};

function* recordList(records: string[], { naming }: Style): Iterable<string> {
  yield '[';
  yield* separated(mapped(records, (text) => SPELLINGS[naming].record(text)));
  yield ']';
}
