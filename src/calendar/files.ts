// Calendar files: their names, and the competitions that go into each. Pure.
import { covers, EUROPEAN_ATHLETICS, toIso, worldAthleticsCode } from '../countries.ts';

/** One file of a year: the European calendar, or the domestic one of a country (ISO code). */
export type CalendarFile = 'european' | { countryId: string };

/** The files that a competition of this country is in. Home nations are in the file of GBR besides their own. */
export function filesOf(countryId: string): CalendarFile[] {
  const domestic = covers('GBR', countryId) ? new Set([countryId, 'GBR']) : [countryId];
  const european = [...EUROPEAN_ATHLETICS].some((member) => covers(member, countryId));
  return [
    ...(european ? (['european'] as const) : []),
    ...Array.from(domestic, (code) => ({ countryId: code })),
  ];
}

/**
 * The countries that have a domestic file in every year, whether or not something is in it: the members of European
 * Athletics, and each country that has had a competition. Home nations bring GBR with them, which is a member.
 */
export const countriesWithFile = (withCompetitions: Iterable<string>): Set<string> =>
  new Set([...EUROPEAN_ATHLETICS, ...withCompetitions]);

/** The names of a file: domestic ones under the ISO code, its lower case, and the World Athletics spelling likewise. */
export function namesOf(file: CalendarFile, year: number): string[] {
  if (file === 'european') return [`european_calendar_${year}.json`];
  const codes = [file.countryId, worldAthleticsCode(file.countryId)];
  const spellings = new Set(codes.flatMap((code) => [code, code.toLowerCase()]));
  return Array.from(spellings, (code) => `domestic_calendar_${code}_${year}.json`);
}

/** The country of a domestic file of that year; null for any other name. */
export function countryOfName(name: string, year: number): string | null {
  const [, code, fileYear] = /^domestic_calendar_([A-Za-z]{3})_(\d{4})\.json$/.exec(name) ?? [];
  return code !== undefined && Number(fileYear) === year ? toIso(code) : null;
}

/** The year it is in that time zone, and the one after it. */
export function calendarYears(now: Date, timeZone: string): [number, number] {
  const year = Number(new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(now));
  return [year, year + 1];
}
