// Shapes of what the competition endpoints accept and answer, field for field as published. Unknown fields pass and are kept.
import { z } from 'zod';
import { EmailAddress } from '../accounts/schemas.ts';
import { toIso } from '../countries.ts';
import {
  blankAsAbsent,
  day,
  openObject,
  optionalDay,
  optionalGuid,
  optionalInteger,
  optionalList,
  optionalLink,
  optionalNumber,
  optionalText,
  requiredText,
  textList,
  Warning,
  withRules,
} from '../http/schemas.ts';
import { MAX_UNITS_PER_EVENT } from '../units/rules/rounds.ts';
import { sentResults, SentUnit } from '../units/schemas.ts';
import { LAST_EVENT_NO } from './event-numbers.ts';
import { RECORD_EXAMPLE, UPLOAD_EXAMPLE } from './examples.ts';
import { RESERVED_SLUGS } from './names.ts';
import { crossFieldIssues, MAX_PER_UPLOAD } from './rules.ts';

/** Codes of World Rankings categories, in the order of their numbers 1 to 11. */
export const RANKINGS_CATEGORIES = [
  'OW',
  'DF',
  'GW',
  'GL',
  'A',
  'B',
  'C',
  'D',
  'E',
  'F',
  'UNCLASSIFIED',
] as const;

const rankingsCategory = z
  .preprocess((value) => {
    if (typeof value !== 'string') return value;
    const code = value.trim().toUpperCase();
    const number = (RANKINGS_CATEGORIES as readonly string[]).indexOf(code) + 1;
    return code === '' ? null : number || (/^\d{1,2}$/.test(code) ? Number(code) : value);
  }, z.int('Must be a number from 1 to 11 or a category code such as DF').min(1).max(11).nullable())
  .optional();

/** A country as stored: ISO alpha-3, whatever accepted spelling was sent. */
export const country = z
  .string()
  .transform((code, context) => {
    const iso = toIso(code.trim());
    if (iso) return iso;
    context.addIssue({
      code: 'custom',
      message: `Unknown country code ${JSON.stringify(code.slice(0, 20))}`,
    });
    return z.NEVER;
  })
  .meta({
    description: 'Three-letter country code, ISO 3166-1 alpha-3 (World Athletics spellings are accepted)',
  });

const ageGroups = z
  .preprocess((value) => {
    // As many as the list may have, of the greatest length; a text that is longer is no list of age groups.
    if (typeof value !== 'string' || value.length > 200 * 52) return value;
    const groups = value.split(',').map((group) => group.trim());
    return value.trim() === '' ? null : groups.filter(Boolean);
  }, textList(50, 200).nullable())
  .optional();

const slug = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() || null : value),
    z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9_-]{0,79}$/,
        'Must be 1 to 80 of a-z, 0-9, _ and -, starting with a letter or digit',
      )
      .refine((value) => !RESERVED_SLUGS.has(value), 'This slug is reserved')
      .nullable(),
  )
  .optional()
  .describe(
    'Last part of the address, made of the full name where none is sent; `json`, `csv` and `ics` are reserved',
  );

const fields = {
  short_name: optionalText(100),
  slug,
  name_local: optionalText(250),
  address: optionalText(500),
  city: optionalText(200),
  venue_id: optionalGuid,
  latitude: optionalNumber(-90, 90),
  longitude: optionalNumber(-180, 180),
  altitude: optionalNumber(-1e6, 1e6),
  finish_date: optionalDay,
  wa_rankings_category_id: rankingsCategory,
  age_groups: ageGroups,
  national_id: optionalText(100),
  basic_description: optionalText(20_000),
  contact_details: optionalText(20_000),
  organiser_id: optionalGuid,
  website: optionalLink,
  entry_link: optionalLink,
  results_link: optionalLink,
  override_token: optionalText(200),
  id: optionalGuid,
  year: optionalInteger(1, 9999),
};

const key = requiredText(64);

export const SentEntry = openObject({ event_id: optionalText(64), event_code: optionalText(64) });

export const SentCompetitor = openObject({
  competitor_id: key,
  first_name: optionalText(200),
  last_name: optionalText(200),
  date_of_birth: optionalDay,
  // Up to the present year, which requireBorn knows.
  year_of_birth: optionalInteger(1850, 9999),
  gender: z
    .string()
    .regex(/^[A-Za-z]?$/, 'Must be a single letter')
    .nullish(),
  age_group: optionalText(100),
  category: optionalText(100),
  team_id: optionalText(64),
  events_entered: z.array(SentEntry).max(500).nullish(),
}).meta({ id: 'Competitor' });

export const SentTeam = openObject({ team_id: key, team_name: optionalText(200) }).meta({ id: 'Team' });

const eventId = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string().min(1).max(64))
  .refine((id) => !/^\.+$/.test(id), 'May not consist of dots only')
  // Slashes would break the addresses of units; control characters the channel names of old clients.
  .refine((id) => !/[/\p{Cc}]/u.test(id), 'May not contain slashes or control characters')
  .refine((id) => id.trim() !== '', 'Field required');

export const SentRelayTeam = openObject({
  relay_team_id: key,
  event_id: eventId,
  name: optionalText(200),
  team_id: optionalText(64),
  runners: textList(64, 100).nullish(),
}).meta({ id: 'RelayTeam' });

export const SentEvent = openObject({
  event_id: eventId,
  event_code: optionalText(64),
  name: optionalText(200),
  genders: optionalText(20),
  category: optionalText(100),
  age_groups: ageGroups,
  rounds: optionalText(2000),
  parent: optionalText(64),
  lynx_event_no: optionalInteger(1, LAST_EVENT_NO).describe(
    'Number by which photo-finish programs know the event, unique in its competition; given once where none is sent',
  ),
  units: optionalList(SentUnit, {
    max: MAX_UNITS_PER_EVENT,
    holder: 'an event',
    remedy: 'make it several events',
  }),
  results: sentResults.describe(
    'Of a combined event: the results of its round 1, heat 1; points that are not sent follow from its parts',
  ),
}).meta({ id: 'Event' });

const ofUpload = <Item extends z.ZodType>(item: Item, max: number) =>
  optionalList(item, {
    max,
    holder: 'an upload',
    remedy: 'send them in several, each adds to what is stored',
  });

const nested = {
  competitors: ofUpload(SentCompetitor, MAX_PER_UPLOAD.competitors),
  teams: ofUpload(SentTeam, MAX_PER_UPLOAD.teams),
  relay_teams: ofUpload(SentRelayTeam, MAX_PER_UPLOAD.relay_teams),
  events: ofUpload(SentEvent, MAX_PER_UPLOAD.events),
};

export const CompetitionCreate = withRules(
  crossFieldIssues,
  openObject({
    full_name: requiredText(250),
    country_id: country,
    date: day,
    ...fields,
    ...nested,
  }).meta({ id: 'CompetitionCreate', example: UPLOAD_EXAMPLE }),
);

export const CompetitionUpdate = withRules(
  crossFieldIssues,
  openObject({
    full_name: requiredText(250).optional(),
    country_id: country.optional(),
    date: day.optional(),
    ...fields,
    ...nested,
  }).meta({ id: 'CompetitionUpdate', example: { events: UPLOAD_EXAMPLE.events } }),
);

/** The calendar record, every field always present. Loose: fields sent beyond these come back too. */
export const CompetitionRecord = z
  .looseObject({
    id: z.string().meta({ format: 'uuid' }),
    full_name: z.string(),
    short_name: z.string(),
    slug: z.string(),
    name_local: z.string(),
    country_id: z.string(),
    address: z.string(),
    city: z.string(),
    venue_id: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    altitude: z.number().nullable(),
    date: z.string(),
    finish_date: z.string(),
    year: z.int(),
    wa_rankings_category_id: z.int().nullable(),
    age_groups: z.array(z.string()).nullable(),
    national_id: z.string(),
    basic_description: z.string(),
    contact_details: z.string(),
    organiser_id: z.string().nullable(),
    website: z.string().nullable(),
    entry_link: z.string().nullable(),
    results_link: z.string().nullable(),
    override_token: z.null(),
    events: z.null(),
  })
  .meta({ id: 'Competition', example: RECORD_EXAMPLE });

/** What a create is refused with when the competition exists already. */
export const DuplicateProblem = z
  .object({
    detail: z.union([
      z.string(),
      z.object({
        error: z.string(),
        override_token: z.string(),
        mathing_competitions: z.array(CompetitionRecord),
      }),
    ]),
  })
  .meta({
    id: 'DuplicateProblem',
    description: 'A duplicate (an object with a token), or a taken slug or id (a text)',
  });

export const TestAnswer = z
  .object({
    valid: z.literal(true),
    warnings: z.array(Warning),
    competition: CompetitionRecord,
  })
  .meta({
    id: 'TestAnswer',
    example: {
      valid: true,
      warnings: [
        { loc: ['body', 'full_nmae'], msg: 'Unknown field: it is kept as sent', type: 'unknown_field' },
      ],
      competition: RECORD_EXAMPLE,
    },
  });

export const Settings = z.object({ push_notifications: z.boolean(), directors: z.array(z.string()) }).meta({
  id: 'CompetitionSettings',
  example: { push_notifications: true, directors: ['director@example.org'] },
});

export const SettingsUpdate = z
  .object({
    push_notifications: z.boolean().optional(),
    directors: z.array(EmailAddress).max(200).optional(),
  })
  .meta({ example: { push_notifications: true } });

export const ListQuery = z.object({
  country: z.preprocess(blankAsAbsent, country.optional()),
  from_date: z.preprocess(blankAsAbsent, day.optional()),
  to_date: z.preprocess(blankAsAbsent, day.optional()),
  updated_since: z
    .preprocess(blankAsAbsent, z.iso.datetime({ offset: true }).optional())
    .describe('Only records changed at or after this time, ISO 8601'),
  limit: z.preprocess(blankAsAbsent, z.coerce.number().int().min(1).max(100_000).optional()),
  offset: z.preprocess(blankAsAbsent, z.coerce.number().int().min(0).max(100_000_000).optional()),
});

export const INCLUDABLE = ['competitors', 'teams', 'relay_teams', 'events'] as const;

export const ReadQuery = z.object({
  include: z
    .string()
    .default('')
    .transform((list, context) => {
      const names = list
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);
      const unknown = names.filter((name) => !(INCLUDABLE as readonly string[]).includes(name));
      if (unknown.length)
        context.addIssue({ code: 'custom', message: `Can include ${INCLUDABLE.join(', ')}` });
      return INCLUDABLE.filter((name) => names.includes(name));
    })
    .describe('Comma-separated: competitors, teams, relay_teams, events (with their units)'),
});

/** An object as a client sent it, judged or not. */
export type Sent = Record<string, unknown>;

export type Includable = (typeof INCLUDABLE)[number];
export type ListQuery = z.output<typeof ListQuery>;
export type Settings = z.output<typeof Settings>;
export type SettingsUpdate = z.output<typeof SettingsUpdate>;

export type CompetitionCreate = z.output<typeof CompetitionCreate>;
export type CompetitionUpdate = z.output<typeof CompetitionUpdate>;
