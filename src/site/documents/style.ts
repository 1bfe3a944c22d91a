// The style of the documents: how names are spelled, and whether dates of birth are shown. Pure.
import {
  camelCompetitorText,
  camelEventText,
  camelName,
  camelRecordText,
  camelRelayTeamText,
  camelResultsText,
  camelText,
  camelUnit,
} from './camel.ts';
import type { Names } from './camel-fields.ts';
import { timetableEntry, type TimetableEntry } from './timetable.ts';

export type Naming = 'snake' | 'camel';
export type Style = { naming: Naming; publishDateOfBirth: boolean };

/** Changes the names in stored texts, which are in snake case. */
type Spelling = {
  name: (name: string) => string;
  text: (json: string) => string;
  record: (json: string) => string;
  competitor: (json: string, names: Names) => string;
  relayTeam: (json: string, names: Names) => string;
  event: (json: string) => string;
  results: (json: string) => string;
  /** Puts the unit into the timetable as well, where the naming has one. */
  unit: (json: string, timetable?: TimetableEntry[]) => string;
};

const asStored = (text: string) => text;

function camelUnitText(json: string, timetable?: TimetableEntry[]): string {
  const unit = camelUnit(json);
  const entry = timetable && timetableEntry(unit);
  if (entry) timetable.push(entry);
  return JSON.stringify(unit);
}

export const SPELLINGS: Record<Naming, Spelling> = {
  snake: {
    name: asStored,
    text: asStored,
    record: asStored,
    competitor: asStored,
    relayTeam: asStored,
    event: asStored,
    results: asStored,
    unit: asStored,
  },
  camel: {
    name: camelName,
    text: camelText,
    record: camelRecordText,
    competitor: camelCompetitorText,
    relayTeam: camelRelayTeamText,
    event: camelEventText,
    results: camelResultsText,
    unit: camelUnitText,
  },
};
