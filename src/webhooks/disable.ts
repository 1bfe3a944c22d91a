// The end of service to a webhook, by its owner, an operator, its receiver, or for want of success. What waits goes on waiting.
import { type Doer, OPERATOR } from '../audit/entry.ts';
import { writeAudit } from '../audit/store.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { NotFound } from '../errors.ts';
import { type DisabledReason, lockWebhook, updateWebhook, type Webhook } from './store.ts';

type Disabling = { doer: Doer; webhook: Webhook; reason: DisabledReason; now: Date };

export async function disable(tx: Tx, { doer, webhook, reason, now }: Disabling): Promise<Webhook> {
  const { id } = webhook;
  const detail = { host: hostOf(webhook), reason };
  await writeAudit(tx, doer, { action: 'webhook.disable', target: id, detail });
  return updateWebhook(tx, id, { disabledAt: now, disabledReason: reason });
}

/** Of a URL what may be told: paths and queries hold keys. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;

/** By an operator. May be repeated. */
export function disableAnyWebhook(deps: Pick<Deps, 'db' | 'now'>, id: string): Promise<Webhook> {
  return inTransaction(deps.db, async (tx) => {
    const webhook = await lockWebhook(tx, id);
    if (!webhook) throw new NotFound(`There is no webhook ${id}; "webhook list" shows those there are`);
    if (webhook.disabledAt) return webhook;
    return disable(tx, { doer: OPERATOR, webhook, reason: 'operator', now: deps.now() });
  });
}
