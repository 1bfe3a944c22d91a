// Table of the older naming: names that are not simply respelled, and fields made for those who read them there. Pure.

export type Json = Record<string, unknown>;

/** Names in the competition, from which fields are made. */
export type Names = {
  team: (teamId: string) => string | undefined;
  runner: (competitorId: string) => string | undefined;
};

type Thing = 'record' | 'competitor' | 'relayTeam' | 'event' | 'unit' | 'result' | 'trial';

export type Fields = {
  /** Names that are not simply respelled. */
  renamed?: Record<string, string>;
  /** Names that the document uses beside these fields: what was sent under them is left out. */
  taken?: string[];
  /** Fields made of the respelled ones. Undefined leaves the field as it is, or absent. */
  made?: Record<string, (fields: Json, names: Names) => unknown>;
  /** Lists of things that have a line of their own here. */
  lists?: Record<string, Thing>;
  /** What the competition's timetable tells of it, and from which field. */
  timetable?: Record<string, string>;
};

export const CAMEL_FIELDS: Record<Thing, Fields> = {
  record: {
    renamed: { country_id: 'country', venue_id: 'venue', organiser_id: 'organiser' },
    taken: ['channels', 'revision', 'competitors', 'teams', 'relayTeams', 'timetable'],
  },
  competitor: {
    made: {
      teamName: ({ teamName, teamId }, names) => given(teamName) ?? nameOf(names.team, teamId),
      sortBib: ({ sortBib, competitorId }) => given(sortBib) ?? padded(String(competitorId)),
      category: ({ category }) => category ?? '',
      ageGroup: ({ ageGroup }) => ageGroup ?? '',
    },
  },
  relayTeam: {
    made: {
      bib: ({ bib, relayTeamId }) => String(given(bib) ?? relayTeamId),
      runnerNames: ({ runnerNames, runners }, names) => given(runnerNames) ?? namesOf(names.runner, runners),
    },
  },
  event: {
    made: {
      category: ({ category }) => category ?? '',
      ageGroup: ({ ageGroup }) => ageGroup ?? '',
    },
  },
  unit: {
    made: { id: ({ id, eventId, round, heat }) => given(id) ?? [eventId, round, heat].join('-') },
    lists: { results: 'result', trials: 'trial' },
    timetable: {
      eventId: 'eventId',
      eventName: 'eventName',
      round: 'round',
      heat: 'heat',
      heatName: 'heatName',
      day: 'day',
      time: 'scheduledStartTime',
    },
  },
  result: {
    made: { wind: ({ wind }) => windSpeed(wind) },
  },
  trial: {
    made: { wind: ({ wind }) => windSpeed(wind) },
  },
};

const given = (value: unknown): unknown => (value === null || value === '' ? undefined : value);

// As text it sorts by number.
const padded = (bib: string): string => (/^\d+$/.test(bib) ? bib.padStart(5, '0') : bib);

type Lookup = (id: string) => string | undefined;

const nameOf = (lookup: Lookup, id: unknown): string | undefined =>
  typeof id === 'string' ? lookup(id) : undefined;

const namesOf = (lookup: Lookup, ids: unknown): string[] =>
  Array.isArray(ids) ? ids.flatMap((id) => nameOf(lookup, id) ?? []) : [];

const windSpeed = (wind: unknown): number | undefined =>
  typeof wind === 'string' && /^[+-]?\d+(\.\d+)?$/.test(wind.trim()) ? Number(wind) : undefined;
