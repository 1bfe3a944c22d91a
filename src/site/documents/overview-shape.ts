// The shape of an overview. Pure.
import { z } from 'zod';
import { HorizontalAttempt, ResultsArrived, VerticalAttempt } from '../../push/events.ts';
import { OVERVIEW_EXAMPLE } from './overview-example.ts';

const told = { event_name: z.string() };

export const Overview = z
  .strictObject({
    full_name: z.string(),
    date: z.string(),
    finish_date: z.string(),
    push_notifications: z.boolean(),
    channels: z.strictObject({ overview: z.string() }),
    revision: z.int(),
    events: z.array(
      z.strictObject({
        event_id: z.string(),
        event_code: z.string(),
        event_name: z.string(),
        is_parent: z.boolean().describe('Whether other events name it as theirs: a combined event'),
        max_field_attempts: z.string().nullable(),
        cut_after_round: z.string().nullable(),
        units: z.array(
          z.strictObject({
            round_no: z.int(),
            heat_no: z.int(),
            heat_name: z.string(),
            day: z.string().nullable(),
            scheduled_start_time: z.string().nullable(),
            status: z.string(),
            results_status: z.string(),
            revision: z.int(),
            updated_at: z.string(),
            channel: z.string(),
          }),
        ),
      }),
    ),
    latest_attempts: z
      .array(z.union([VerticalAttempt.extend(told), HorizontalAttempt.safeExtend(told)]))
      .describe('The last of each unit in progress, as pushed, those saved last first'),
    latest_results: z
      .array(ResultsArrived.extend({ ...told, updated_at: z.string() }))
      .describe('As pushed when they arrived, those saved last first'),
  })
  .meta({ id: 'Overview', example: OVERVIEW_EXAMPLE });
export type Overview = z.output<typeof Overview>;
