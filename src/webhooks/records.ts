// The records of webhooks and deliveries, as their owners see them: without secrets. Pure.
import type { ChangeType } from '../changes/change.ts';
import { cursorText } from '../changes/cursor.ts';
import type { Delivery } from './deliveries-store.ts';
import type { Webhook } from './store.ts';

const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;

export const webhookRecord = (webhook: Webhook, now: Date) => ({
  id: webhook.id,
  url: webhook.url,
  types: webhook.types as ChangeType[] | null,
  country: webhook.countryId,
  competition_id: webhook.competitionId,
  disabled: webhook.disabledAt !== null,
  disabled_reason: webhook.disabledReason,
  disabled_at: text(webhook.disabledAt),
  failing_since: text(webhook.failingSince),
  former_secret_until: webhook.formerUntil && webhook.formerUntil > now ? text(webhook.formerUntil) : null,
  cursor: cursorText({ epoch: webhook.epoch, number: webhook.cursor, begun: 0 }),
  created_at: webhook.createdAt.toISOString(),
});

export const deliveryRecord = (delivery: Delivery) => ({
  id: delivery.id,
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  last_attempt_at: text(delivery.lastAttemptAt),
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  next_attempt_at: delivery.state === 'waiting' ? text(delivery.nextAttemptAt) : null,
  delivered_at: text(delivery.deliveredAt),
  created_at: delivery.createdAt.toISOString(),
});
