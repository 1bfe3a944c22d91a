// Shapes of a unit (a heat, a round, a flight) as it is sent and answered. Unknown fields pass and are kept.
import { z } from 'zod';
import {
  blankAsNull,
  integer,
  openObject,
  optionalDecimal,
  optionalInteger,
  optionalList,
  optionalText,
  requiredText,
  textAsNumber,
  textList,
  withRules,
} from '../http/schemas.ts';
import { attemptFaults } from './rules/attempt-limit.ts';
import { withPlaceText } from './rules/places.ts';
import { RESULTS_STATUSES } from './rules/state.ts';

const placeText = z
  .string()
  .max(20)
  .regex(/^\P{Cc}*$/u, 'May not contain control characters');

// "3" is the number 3, and "1." a text: so it was sent, and so it is kept.
const asPlace = (value: unknown) =>
  typeof value === 'string' && value.trim().endsWith('.') ? value : textAsNumber(value);

// In metres a second: +0.4, or a number; or a text such as NWI.
const wind = z.union([z.string().max(20), z.number()]).nullish();

const ResultFields = openObject({
  bib: requiredText(64),
  place: z
    .preprocess(
      asPlace,
      z
        .union([z.int().min(1).max(100_000), placeText], 'Must be a whole number, or a text such as 1= or DQ')
        .nullable(),
    )
    .optional()
    .describe(
      'A number, or a text such as `1=` or `DQ`, which is kept as `place_text` beside the number in it',
    ),
  place_text: z.preprocess(blankAsNull, placeText.nullable()).optional(),
  performance: optionalText(100),
  points: optionalDecimal(-1_000_000, 1_000_000),
  wind: wind.describe(
    'Of the performance; in long and triple jump that of the best attempt when none is sent',
  ),
  // Shown only where the bib resolves to nobody.
  athlete_name: optionalText(400),
  team_name: optionalText(400),
  runner_names: textList(400, 100).nullish(),
}).meta({ id: 'Result', description: 'A result, or a starter without a performance yet' });

export const SentResult = ResultFields.transform(withPlaceText);

export const SentTrial = openObject({
  bib: requiredText(64),
  round: optionalInteger(0, 1000),
  height: optionalText(20),
  result: optionalText(40),
  wind,
  // 0, as some send it, is none.
  jump_off: optionalInteger(0, 100),
}).meta({
  id: 'Trial',
  description: 'One attempt: with `round` in throws and horizontal jumps, with `height` in HJ, SHJ and PV',
});

const ofUnit = <Item extends z.ZodType>(item: Item, max: number) =>
  optionalList(item, { max, holder: 'a unit', remedy: 'make it several heats' });

export const sentResults = ofUnit(SentResult, 20_000);

export const unitFields = {
  status: optionalText(40),
  results_status: z.preprocess(blankAsNull, z.enum(RESULTS_STATUSES).nullable()).optional(),
  heat_name: optionalText(200),
  scheduled_start_time: optionalText(100),
  wind_assistance: optionalText(20),
  heights: textList(20, 200).nullish(),
  results: sentResults,
  trials: ofUnit(SentTrial, 50_000),
};

export const SentUnit = openObject({ round: integer(1, 1000), heat: integer(1, 1000), ...unitFields }).meta({
  id: 'Unit',
});

/** A partial save of one unit: sent fields replace, sent arrays replace whole. */
export const UnitUpdate = withRules(
  (unit) => attemptFaults((unit as { trials?: unknown } | null)?.trials),
  openObject(unitFields).meta({
    id: 'UnitUpdate',
    example: { results_status: 'official', results: [{ bib: '101', place: 1, performance: '11.82' }] },
  }),
);

/** One attempt as a field judge sends it. */
export const SentAttempt = openObject({
  bib: requiredText(64),
  round: optionalInteger(1, 1000),
  height: optionalText(20),
  result: requiredText(40),
  wind,
  jump_off: optionalInteger(1, 100),
  attempt: optionalInteger(1, 3).describe(
    'Vertical: which of the three at this height; makes a repeated request harmless',
  ),
}).meta({ id: 'Attempt', example: { bib: '101', round: 2, result: '6.21', wind: '+0.4' } });

export const StoredAttempt = z
  .looseObject({
    // Not of one that was uploaded, and is recorded again as it is.
    attempt_id: z.string().optional(),
    sequence: z.int().optional(),
    recorded_at: z.string().optional(),
    bib: z.string(),
    result: z.string(),
  })
  .meta({ id: 'RecordedAttempt' });

export type UnitUpdate = z.output<typeof UnitUpdate>;
export type SentAttempt = z.output<typeof SentAttempt>;
export type SentUnit = z.output<typeof SentUnit>;
export type SentResult = z.output<typeof SentResult>;
export type SentTrial = z.output<typeof SentTrial>;
