// Makes, changes and removes an account's webhooks, and exchanges their secrets.
import type { Actor } from '../accounts/permissions.ts';
import { type Action } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import type { Executor, Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Conflict, NotFound } from '../errors.ts';
import { beginAgain, tellSender } from './deliveries-store.ts';
import { disable, hostOf } from './disable.ts';
import type { NewWebhook, WebhookUpdate } from './schemas.ts';
import { newSecret } from './signing.ts';
import {
  countOwn,
  deleteWebhook,
  endOfFeed,
  findWebhook,
  insertWebhook,
  lockWebhook,
  updateWebhook,
  type Webhook,
} from './store.ts';

type WritingDeps = Pick<Deps, 'db' | 'now'>;

export const WEBHOOKS_MAX = 20;
const FORMER_SECRET_MS = 24 * 3600 * 1000;

/** One of one's own: others have none as far as they are told. @throws NotFound */
export async function readOwn(db: Executor, actor: Actor, id: string): Promise<Webhook> {
  return owned(await findWebhook(db, id), actor, id);
}

export async function lockOwn(tx: Tx, actor: Actor, id: string): Promise<Webhook> {
  return owned(await lockWebhook(tx, id), actor, id);
}

function owned(webhook: Webhook | null, actor: Actor, id: string): Webhook {
  if (webhook?.accountId !== actor.id) throw new NotFound(`No webhook ${id}`);
  return webhook;
}

/** It is told of what changes from here on. @throws Conflict when the account has as many as it may */
export function createWebhook(deps: WritingDeps, actor: Actor, sent: NewWebhook): Promise<Webhook> {
  return inTransaction(deps.db, async (tx) => {
    if ((await countOwn(tx, actor.id)) >= WEBHOOKS_MAX)
      throw new Conflict(`An account may have ${WEBHOOKS_MAX} webhooks: delete one that is not needed`);
    const webhook = await insertWebhook(tx, {
      accountId: actor.id,
      url: new URL(sent.url).href,
      types: sent.types ?? null,
      countryId: sent.country ?? null,
      competitionId: sent.competition_id ?? null,
      secret: newSecret(),
      ...(await endOfFeed(tx)),
      createdAt: deps.now(),
    });
    await note(tx, actor, 'webhook.create', webhook);
    return webhook;
  });
}

/**
 * Changes what was sent. Enabled again, or called elsewhere, it is sent all that waits at once, with all retries before it, and
 * is told of everything since it stopped.
 */
export function changeWebhook(
  deps: WritingDeps,
  actor: Actor,
  id: string,
  sent: WebhookUpdate,
): Promise<Webhook> {
  return inTransaction(deps.db, async (tx) => {
    const before = await lockOwn(tx, actor, id);
    const now = deps.now();
    let webhook = before;
    const changed = changesOf(before, sent);
    const names = Object.keys(changed);
    if (names.length > 0) {
      webhook = await updateWebhook(tx, id, changed);
      await note(tx, actor, 'webhook.update', webhook, { fields: names.join(' ') });
    }
    if (sent.disabled === true && !before.disabledAt)
      return disable(tx, { doer: actor, webhook, reason: 'owner', now });
    const isEnabled = sent.disabled === false && before.disabledAt !== null;
    if (isEnabled || changed.url) {
      webhook = await updateWebhook(tx, id, { ...WELL, ...(isEnabled && ENABLED) });
      if (isEnabled) await note(tx, actor, 'webhook.enable', webhook);
      await beginAgain(tx, id, now);
      await tellSender(tx);
    }
    return webhook;
  });
}

const WELL = { failures: 0, failingSince: null, notBefore: null };
const ENABLED = { disabledAt: null, disabledReason: null };

function changesOf(before: Webhook, sent: WebhookUpdate): Partial<Webhook> {
  const wanted = {
    ...(sent.url !== undefined && { url: new URL(sent.url).href }),
    ...(sent.types !== undefined && { types: sent.types }),
    ...(sent.country !== undefined && { countryId: sent.country }),
    ...(sent.competition_id !== undefined && { competitionId: sent.competition_id }),
  };
  const isNew = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Webhook]);
  return Object.fromEntries(Object.entries(wanted).filter(isNew));
}

/** Nothing is sent there any more; what is under way may still arrive. */
export function removeWebhook(deps: WritingDeps, actor: Actor, id: string): Promise<void> {
  return inTransaction(deps.db, async (tx) => {
    const webhook = await lockOwn(tx, actor, id);
    await deleteWebhook(tx, id);
    await note(tx, actor, 'webhook.delete', webhook);
  });
}

/** Gives it another secret; the one before signs as well for a day. */
export function rotateSecret(deps: WritingDeps, actor: Actor, id: string): Promise<Webhook> {
  return inTransaction(deps.db, async (tx) => {
    const before = await lockOwn(tx, actor, id);
    const webhook = await updateWebhook(tx, id, {
      secret: newSecret(),
      formerSecret: before.secret,
      formerUntil: new Date(deps.now().getTime() + FORMER_SECRET_MS),
    });
    await note(tx, actor, 'webhook.rotate', webhook);
    return webhook;
  });
}

function note(
  tx: Tx,
  actor: Actor,
  action: Action,
  webhook: Webhook,
  detail: Record<string, string> = {},
): Promise<void> {
  return writeAudit(tx, actor, { action, target: webhook.id, detail: { host: hostOf(webhook), ...detail } });
}
