// Every event that the service pushes: its fields, and what becomes of a unit too large to be pushed whole. Pure.
import { z } from 'zod';

const unitRef = { event_id: z.string(), round_no: z.int(), heat_no: z.int(), heat_name: z.string() };

// Of the unit's save: who has an event of the same attempt, or of the same unit's results, with a revision that is not lower has it.
const revision = z.int();
// Given to attempts that were recorded one by one.
const attempt_id = z.string().optional();

/** On the overview channel, when a unit gets its results. */
export const ResultsArrived = z.strictObject({
  ...unitRef,
  winner_performance: z.string(),
  winner_name: z.string(),
  revision,
});

/** On the overview channel, for each throw and horizontal jump. */
export const HorizontalAttempt = z.strictObject({
  ...unitRef,
  event_code: z
    .string()
    .refine((code) => code !== 'HJ' && code !== 'PV', 'HJ and PV have the vertical shape'),
  bib: z.string(),
  round: z.int(),
  result: z.string(),
  athlete_name: z.string(),
  attempt_id,
  revision,
});

/** On the overview channel, for each try at a height; consumers tell the two shapes apart by event_code. */
export const VerticalAttempt = z.strictObject({
  ...unitRef,
  event_code: z.enum(['HJ', 'PV']),
  bib: z.string(),
  height: z.string(),
  attempts_at_height: z.string(),
  result: z.string(),
  athlete_name: z.string(),
  /** Which of the tries at this height. */
  attempt: z.int(),
  /** Which jump-off it is of, if of one. */
  jump_off: z.int().optional(),
  attempt_id,
  revision,
});

export const LatestAttempt = z.union([VerticalAttempt, HorizontalAttempt]);

const UnitResult = z
  .looseObject({
    bib: z.string(),
    place: z.int().nullish(),
    place_text: z.string().nullish(),
    performance: z.string().nullish(),
    points: z.number().nullish(),
    wind: z.union([z.string(), z.number()]).nullish(),
    athlete_name: z.string().nullish(),
    team_name: z.string().nullish(),
    runner_names: z
      .array(z.string())
      .nullish()
      .describe(
        'Of a relay team whose runners are known, in their order; the bib in place of a name that is not',
      ),
  })
  .meta({ id: 'UnitResult', description: 'Of one athlete or team; or a starter without a performance yet' });

const UnitTrial = z
  .looseObject({
    bib: z.string(),
    round: z.int().nullish(),
    height: z.string().nullish(),
    result: z.string().nullish(),
    attempt_id,
    sequence: z.int().optional(),
    recorded_at: z.string().optional(),
  })
  .meta({ id: 'UnitTrial', description: 'One attempt, with an id when it was recorded one by one' });

/** On the unit's channel, at each save. Loose: what was sent with the unit, its results and its trials comes along. */
export const UnitEvent = z.looseObject({
  ...unitRef,
  event_code: z.string(),
  event_name: z.string(),
  round: z.int(),
  heat: z.int(),
  status: z.string(),
  results_status: z.string(),
  scheduled_start_time: z.string().nullish(),
  wind_assistance: z.union([z.string(), z.number()]).nullish(),
  heights: z.array(z.union([z.string(), z.number()])).nullish(),
  // Absent in the reduced event: an empty list would say that there are none.
  results: z.array(UnitResult).optional(),
  trials: z.array(UnitTrial).optional(),
  revision: z.int(),
  updated_at: z.string(),
  channel: z.string(),
  too_large: z.literal(true).optional(),
  url: z.string().optional(),
});

export type ResultsArrived = z.output<typeof ResultsArrived>;
export type HorizontalAttempt = z.output<typeof HorizontalAttempt>;
export type VerticalAttempt = z.output<typeof VerticalAttempt>;
export type LatestAttempt = z.output<typeof LatestAttempt>;
export type UnitEvent = z.output<typeof UnitEvent>;

/** An event whose revision its save will give it. */
export type Unnumbered<Event> = Event extends unknown ? Omit<Event, 'revision'> : never;

export type PushedEvent =
  | { event: 'results_arrived'; data: ResultsArrived }
  | { event: 'latest_attempt'; data: LatestAttempt }
  | { event: 'unit'; data: UnitEvent };

const Fields = z.record(z.string(), z.unknown());
type Fields = z.output<typeof Fields>;

/** The unit record made smaller step by step: each is a valid unit event that says where the whole one is. */
export function reducedUnits(text: string, url: string): string[] {
  const { trials: _trials, splits: _splits, ...unit } = Fields.parse(JSON.parse(text));
  const { results, ...bare } = unit;
  const steps: Fields[] = [{ ...unit, results: withoutSplits(results) }, bare, namesOnly(bare)];
  return steps.map((fields) => JSON.stringify({ ...fields, too_large: true, url }));
}

function withoutSplits(results: unknown): unknown {
  if (!Array.isArray(results)) return results;
  return results.map((result: unknown) => {
    const { success, data } = Fields.safeParse(result);
    if (!success) return result;
    const { splits: _splits, ...rest } = data;
    return rest;
  });
}

// The last resort, for units whose size is in fields the service does not know.
function namesOnly(unit: Fields): Fields {
  return Object.fromEntries(
    Object.keys(UnitEvent.shape).flatMap((key) => (key in unit ? [[key, unit[key]]] : [])),
  );
}
