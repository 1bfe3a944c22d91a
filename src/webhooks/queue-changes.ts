// The way from the feed to deliveries: what changed since a webhook's cursor becomes rows, and the cursor moves on, in one
// transaction. A few wait at a time; of the rest the feed itself keeps the newest states, however long a receiver is away.
import { readChanges, type ChangesPage } from '../changes/read-changes.ts';
import type { ChangeFilter, ChangeType } from '../changes/change.ts';
import { coveredBy } from '../countries.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Gone } from '../errors.ts';
import { countWaiting, queueMessages } from './deliveries-store.ts';
import { changeMessage, lostMessage, type Message } from './messages.ts';
import { behindFeed, endOfFeed, lockServed, updateWebhook, type Webhook } from './store.ts';

/** Of one webhook so many wait at most, but for what its owner has sent again. */
export const WAITING_MAX = 100;

type QueueDeps = Pick<Deps, 'db' | 'reads' | 'now'> & { origin: () => string };

/** @returns whether there is more already */
export async function queueChanges(deps: QueueDeps): Promise<boolean> {
  let more = false;
  for (const id of await behindFeed(deps.reads, WAITING_MAX)) {
    const isBehind = await inTransaction(deps.db, (tx) => queueFor(tx, id, deps));
    more ||= isBehind;
  }
  return more;
}

async function queueFor(tx: Tx, id: string, deps: QueueDeps): Promise<boolean> {
  const webhook = await lockServed(tx, id);
  if (!webhook) return false;
  const room = WAITING_MAX - (await countWaiting(tx, id));
  if (room <= 0) return false;
  const { messages, epoch, cursor, more } = await messagesFor(tx, { webhook, room, ...deps });
  await queueMessages(tx, id, messages, deps.now());
  await updateWebhook(tx, id, { epoch, cursor });
  return more && messages.length < room;
}

type Found = { messages: Message[]; epoch: string; cursor: number; more: boolean };
type Looking = QueueDeps & { webhook: Webhook; room: number };

async function messagesFor(tx: Tx, { webhook, room, origin, now }: Looking): Promise<Found> {
  const after = { epoch: webhook.epoch, number: webhook.cursor, begun: webhook.cursor };
  try {
    const page = await readChanges(tx, { after, limit: room, filter: filterOf(webhook) });
    return { messages: messagesOf(page, origin()), ...positionOf(page), more: page.more };
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
    const end = await endOfFeed(tx);
    const next = { epoch: end.epoch, number: end.cursor, begun: end.cursor };
    const snapshot = `${origin()}/api/v1/changes${queryOf(webhook)}`;
    return { messages: [lostMessage(error.message, next, { now: now(), snapshot })], ...end, more: false };
  }
}

const messagesOf = ({ rows, next }: ChangesPage, origin: string): Message[] =>
  rows.map((row) => changeMessage(row, next.epoch, origin));

const positionOf = ({ next }: ChangesPage) => ({ epoch: next.epoch, cursor: next.number });

const filterOf = ({ countryId, competitionId, types }: Webhook): ChangeFilter => ({
  countryIds: countryId === null ? undefined : coveredBy(countryId),
  competitionId: competitionId ?? undefined,
  types: (types as ChangeType[] | null) ?? undefined,
});

function queryOf({ countryId, competitionId, types }: Webhook): string {
  const given = { country: countryId, competition: competitionId, types: types?.join() };
  const set = Object.entries(given).filter((entry): entry is [string, string] => entry[1] != null);
  const query = new URLSearchParams(set).toString();
  return query && `?${query}`;
}
