// Sends a ping, or a delivery once more, because the owner of a webhook asks for it.
import type { Actor } from '../accounts/permissions.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Conflict, NotFound } from '../errors.ts';
import { countWaiting, type Delivery, insertDelivery, sendAgain, tellSender } from './deliveries-store.ts';
import { lockOwn } from './manage.ts';
import { pingMessage } from './messages.ts';
import { updateWebhook } from './store.ts';

type WritingDeps = Pick<Deps, 'db' | 'now'>;

// Beyond what the feed may have waiting; nobody fills the table with pings of a receiver that is away.
const WAITING_MAX = 200;

/** @throws NotFound; Conflict while it is disabled, or when too much waits */
export function ping(deps: WritingDeps, actor: Actor, id: string): Promise<Delivery> {
  return byHand(deps, actor, id, (tx, now) => insertDelivery(tx, id, pingMessage(id, now), now));
}

/** The same again, under its own id. @throws as ping */
export function redeliver(
  deps: WritingDeps,
  actor: Actor,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<Delivery> {
  return byHand(deps, actor, id, async (tx, now) => {
    const delivery = await sendAgain(tx, id, deliveryId, now);
    if (!delivery) throw new NotFound(`No delivery ${deliveryId}`);
    return delivery;
  });
}

function byHand(
  deps: WritingDeps,
  actor: Actor,
  id: string,
  queue: (tx: Tx, now: Date) => Promise<Delivery>,
): Promise<Delivery> {
  return inTransaction(deps.db, async (tx) => {
    const { disabledAt } = await lockOwn(tx, actor, id);
    const delivery = await queue(tx, deps.now());
    if (disabledAt) throw new Conflict('The webhook is disabled: enable it first');
    if ((await countWaiting(tx, id)) > WAITING_MAX)
      throw new Conflict(`More than ${WAITING_MAX} deliveries wait already`);
    // Who asks knows that somebody is there again.
    await updateWebhook(tx, id, { notBefore: null });
    await tellSender(tx);
    return delivery;
  });
}
