// Shapes of the webhook endpoints.
import { z } from 'zod';
import { CHANGE_TYPES } from '../changes/change.ts';
import { CURSOR_EXAMPLE } from '../changes/cursor.ts';
import { country } from '../competitions/schemas.ts';
import { blankAsAbsent, blankAsNull, guid, requiredText } from '../http/schemas.ts';
import { urlFault } from './addresses.ts';

const TYPES_EXAMPLE = ['unit', 'competition'];

const types = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',').map((type) => type.trim()) : value),
    z
      .array(z.enum(CHANGE_TYPES, `Types are ${CHANGE_TYPES.join(', ')}`))
      .min(1, 'Name a type, or null for all')
      .max(CHANGE_TYPES.length)
      .nullable(),
  )
  .optional()
  .describe('Only changes of these; null is all');

/** What an account sends of a webhook. Which addresses may be called is the installation's. */
function shapeFor(allowPrivate: boolean) {
  return {
    url: requiredText(10_000)
      .superRefine((text, context) => {
        const message = urlFault(text, allowPrivate);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .describe('An https address of the receiver, without user name and password'),
    types: z.preprocess(blankAsNull, types),
    country: z
      .preprocess(blankAsNull, country.nullable())
      .optional()
      .describe('Only of competitions that are in this country, or were; GBR includes the home nations'),
    competition_id: z
      .preprocess(blankAsNull, guid.nullable())
      .optional()
      .describe('Only of this competition'),
  };
}

export type WebhookShapes = ReturnType<typeof shapesFor>;

function shapesFor(allowPrivate: boolean) {
  const { url, ...filters } = shapeFor(allowPrivate);
  // A name stands for one schema in a process: that of most installations has it, the other is written out where it is used.
  const named = (id: string) => (allowPrivate ? {} : { id });
  const create = z.object({ url, ...filters }).meta({
    ...named('NewWebhook'),
    example: { url: 'https://scores.example.org/athletics', types: TYPES_EXAMPLE, country: 'GBR' },
  });
  const update = z
    .object({
      url: url.optional(),
      ...filters,
      disabled: z
        .boolean()
        .optional()
        .describe('false: enabled again, and told of everything since it stopped'),
    })
    .meta({ ...named('WebhookUpdate'), example: { types: ['unit'], disabled: false } });
  return { create, update };
}

const forInternet = shapesFor(false);
const forPrivateToo = shapesFor(true);

export const webhookShapes = (allowPrivate: boolean): WebhookShapes =>
  allowPrivate ? forPrivateToo : forInternet;

const INSTANT = '2026-07-18T13:05:27.412Z';

const record = {
  id: z.string(),
  url: z.string(),
  types: z.array(z.enum(CHANGE_TYPES)).nullable(),
  country: z.string().nullable(),
  competition_id: z.string().nullable(),
  disabled: z.boolean(),
  disabled_reason: z
    .enum(['owner', 'operator', 'gone', 'failed'])
    .nullable()
    .describe('gone: it answered 410; failed: it did not take something after the last retry'),
  disabled_at: z.iso.datetime().nullable(),
  failing_since: z.iso.datetime().nullable().describe('Since when nothing that was sent was taken'),
  former_secret_until: z.iso.datetime().nullable().describe('Until then the secret before signs as well'),
  cursor: z.string().describe('How far it was told of the feed, as far as deliveries were made'),
  created_at: z.iso.datetime(),
};

const RECORD_EXAMPLE = {
  id: '0b5f4c1e-6f2d-4b8e-9d2b-3d1c5a7e9f10',
  url: 'https://scores.example.org/athletics',
  types: TYPES_EXAMPLE,
  country: 'GBR',
  competition_id: null,
  disabled: false,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  former_secret_until: null,
  cursor: CURSOR_EXAMPLE,
  created_at: INSTANT,
};

export const WebhookRecord = z.object(record).meta({ id: 'Webhook', example: RECORD_EXAMPLE });

export const WebhookWithSecret = z
  .object({ ...record, secret: z.string().describe('Shown in this answer alone') })
  .meta({
    id: 'WebhookWithSecret',
    example: { ...RECORD_EXAMPLE, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD4M9vUhXvqgk=' },
  });

const DELIVERY_EXAMPLE = {
  id: 'c3a1f9de-0d4b-4f0e-8a55-0f6a4a0c7d21',
  type: 'unit.changed',
  state: 'delivered',
  attempts: 1,
  last_attempt_at: INSTANT,
  last_status: 204,
  last_error: null,
  next_attempt_at: null,
  delivered_at: INSTANT,
  created_at: INSTANT,
};

export const DeliveryRecord = z
  .object({
    id: z.string().describe('The `webhook-id` that it is sent with, the same each time'),
    type: z.string(),
    state: z
      .enum(['waiting', 'delivered', 'superseded'])
      .describe('superseded: a newer state of the same object is sent instead'),
    attempts: z.int(),
    last_attempt_at: z.iso.datetime().nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookDelivery', example: DELIVERY_EXAMPLE });

export const DeliveriesQuery = z.object({
  limit: z.preprocess(blankAsAbsent, z.coerce.number().int().min(1).max(1000).default(100)),
  offset: z.preprocess(blankAsAbsent, z.coerce.number().int().min(0).max(1_000_000).default(0)),
});

export type NewWebhook = z.output<WebhookShapes['create']>;
export type WebhookUpdate = z.output<WebhookShapes['update']>;
