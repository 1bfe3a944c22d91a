// How large the competitions of the benchmark are: counts that the generator meets exactly.

export type Shape = {
  competitors: number;
  entries: number;
  teams: number;
  relayTeams: number;
  /** Events of each kind. A relay is one final; every field event has the same number of units; track events share the rest. */
  events: { track: number; horizontal: number; vertical: number; relay: number };
  units: number;
  unitsPerFieldEvent: number;
  results: number;
  /** Results in each unit of a field event, on average. */
  athletesPerFieldUnit: number;
  attempts: number;
};

/** A national championship over a week: about 2.7 MB of JSON. */
export const BIG: Shape = {
  competitors: 3000,
  entries: 7500,
  teams: 250,
  relayTeams: 60,
  events: { track: 130, horizontal: 44, vertical: 16, relay: 10 },
  units: 1200,
  unitsPerFieldEvent: 3,
  results: 15_000,
  athletesPerFieldUnit: 17,
  attempts: 20_000,
};

/** A club's evening meeting: about 119 kB of JSON. */
export const SMALL: Shape = {
  competitors: 200,
  entries: 520,
  teams: 20,
  relayTeams: 12,
  events: { track: 19, horizontal: 7, vertical: 2, relay: 2 },
  units: 60,
  unitsPerFieldEvent: 1,
  results: 600,
  athletesPerFieldUnit: 9,
  attempts: 450,
};
