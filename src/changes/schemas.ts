// Shapes of the change feed: what is asked for, and what is answered.
import { z } from 'zod';
import { country } from '../competitions/schemas.ts';
import { blankAsAbsent, guid } from '../http/schemas.ts';
import { CHANGE_TYPES, type ChangeType } from './change.ts';
import { CURSOR_EXAMPLE, parseCursor } from './cursor.ts';

export const LIMIT = 1000;

const isType = (name: string): name is ChangeType => (CHANGE_TYPES as readonly string[]).includes(name);

const cursor = z
  .preprocess(blankAsAbsent, z.string().optional())
  .transform((text, context) => {
    if (text === undefined) return null;
    const parsed = parseCursor(text);
    if (!parsed)
      context.addIssue({ code: 'custom', message: 'Is no cursor: take `next` or a `cursor` as it is' });
    return parsed;
  })
  .describe('The cursor up to which was read; missing: from the beginning')
  .meta({ example: CURSOR_EXAMPLE });

const types = z
  .preprocess(blankAsAbsent, z.string().optional())
  .transform((list, context) => {
    const names = list?.split(',').map((name) => name.trim());
    if (names && !names.every(isType))
      context.addIssue({ code: 'custom', message: `Types are ${CHANGE_TYPES.join(', ')}` });
    return names?.filter(isType);
  })
  .describe(`Only these, separated by commas: ${CHANGE_TYPES.join(', ')}`);

const filters = {
  country: z
    .preprocess(blankAsAbsent, country.optional())
    .describe('Only of competitions that are in this country, or were; GBR includes the home nations'),
  competition: z.preprocess(blankAsAbsent, guid.optional()).describe('Only of this competition'),
  types,
};

export const StreamQuery = z.object({ after: cursor, ...filters });
export const ChangesQuery = z.object({
  after: cursor,
  limit: z.preprocess(blankAsAbsent, z.coerce.number().int().min(1).max(LIMIT).default(LIMIT)),
  ...filters,
});

const EXAMPLE = {
  cursor: CURSOR_EXAMPLE,
  type: 'unit',
  competition_id: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
  year: 2026,
  country_id: 'GBR',
  slug: 'harbour-town-open',
  event_id: 'T1',
  round_no: 1,
  heat_no: 1,
  competitor_id: null,
  team_id: null,
  relay_team_id: null,
  revision: 4711,
  url: 'https://results.example.org/x/2026/GBR/harbour-town-open/event/T1/1/1/json/',
  deleted: false,
  updated_at: '2026-07-18T13:05:27.412Z',
};

const Change = z
  .object({
    cursor: z.string(),
    type: z.enum(CHANGE_TYPES),
    competition_id: z.string(),
    year: z.int(),
    country_id: z.string(),
    slug: z.string(),
    event_id: z.string().nullable(),
    round_no: z.int().nullable(),
    heat_no: z.int().nullable(),
    competitor_id: z.string().nullable(),
    team_id: z.string().nullable(),
    relay_team_id: z.string().nullable(),
    revision: z.int().describe('Of a competition or unit its own, of others that of the competition'),
    url: z.string().describe('The JSON that shows it'),
    deleted: z.boolean(),
    updated_at: z.iso
      .datetime()
      .describe('When it was saved; of what has no time of its own, when this was noticed'),
  })
  .meta({ id: 'Change', example: EXAMPLE });

export const ChangesAnswer = z
  .object({
    epoch: z.string(),
    changes: z.array(Change),
    next: z.string().describe('What to send as `after` the next time'),
    more: z.boolean().describe('Whether there are more already; a page may be empty and there be more'),
  })
  .meta({
    id: 'Changes',
    example: { epoch: CURSOR_EXAMPLE.split('-')[0], changes: [EXAMPLE], next: CURSOR_EXAMPLE, more: false },
  });

export const GoneProblem = z
  .object({ detail: z.string(), snapshot: z.string().describe('Where to begin anew') })
  .meta({
    id: 'GoneProblem',
    example: {
      detail: 'The cursor is too old: deletions since then are not kept any more',
      snapshot: 'https://results.example.org/api/v1/changes',
    },
  });

export const STREAM_EXAMPLE = `id: ${CURSOR_EXAMPLE}\ndata: ${JSON.stringify(EXAMPLE)}\n\n`;

export type ChangesQuery = z.output<typeof ChangesQuery>;
export type StreamQuery = z.output<typeof StreamQuery>;
