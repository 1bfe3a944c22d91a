// JSON texts of a competition's record with its parts, for the API. Pure.
import { publicCompetitor } from '../privacy/public-fields.ts';
import { textForEditors, withoutPersonalText } from '../privacy/public-view.ts';
import { unitsByEvent } from '../units/rules/by-event.ts';
import { openRecord } from './record.ts';
import type { Includable, Sent } from './schemas.ts';

/** A competition and everything in it but its units, from one snapshot. The records of teams and events are JSON texts. */
export type Parts = {
  competition: {
    countryId: string;
    year: number;
    slug: string;
    date: string;
    recordText: string;
    /** What those who may edit it read instead; null when it is the same. */
    privateText: string | null;
    revision: number;
  };
  competitors: { record: Sent }[];
  teams: string[];
  relayTeams: string[];
  events: { eventId: string; text: string }[];
};

export type UnitText = { eventId: string; text: string };

/** A unit with the record that it was rendered from, for those who may see what its text withholds. */
export type UnitWithRecord = UnitText & { record: Record<string, unknown> };

/** And with its units. */
export type PartsWithUnits = Parts & { units: UnitWithRecord[] };

/** The record with some of its parts, as JSON text; `everything` shows them as they were sent. */
export function recordWithParts(
  parts: PartsWithUnits,
  include: Includable[],
  { everything, publishDateOfBirth }: { everything: boolean; publishDateOfBirth: boolean },
): string {
  const { competition } = parts;
  const { year, date, recordText, privateText } = competition;
  const shown = (text: string) => (everything ? text : withoutPersonalText(text, year));
  const texts: Record<Includable, () => string[]> = {
    competitors: () =>
      parts.competitors.map(({ record }) =>
        JSON.stringify(everything ? record : publicCompetitor(record, date, publishDateOfBirth)),
      ),
    teams: () => parts.teams.map(shown),
    relay_teams: () => parts.relayTeams.map(shown),
    events: () => {
      const unitsOf = unitsByEvent(parts.units);
      return parts.events.map(({ eventId, text }) => {
        const units = unitsOf(eventId).map((unit) => (everything ? textForEditors(unit, year) : unit.text));
        return `${shown(text).slice(0, -1)},"units":[${units.join(',')}]}`;
      });
    },
  };
  const members = include.map((name) => `"${name}":[${texts[name]().join(',')}]`);
  const events = include.includes('events') ? [] : ['"events":null'];
  const record = (everything ? privateText : null) ?? recordText;
  return `${openRecord(record)},${[...members, ...events].join(',')}}`;
}
