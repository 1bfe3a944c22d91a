// Dispatch of waiting events, in order: what is done with each answer of the push service.
import type { ClientBase } from 'pg';
import { z } from 'zod';
import type { Log } from '../log.ts';
import type { OutageLog } from '../outage-log.ts';
import { unitPath } from './channels.ts';
import { reducedUnits } from './events.ts';
import { bury, noteFailure, removePublished, takePage, type OutboxRow } from './outbox-store.ts';
import type { Lease, Outcome, Publisher } from './publisher.ts';
import { BATCH_BYTES_MAX, BATCH_EVENTS_MAX } from './server/publish-requests.ts';

export type DispatchCounts = {
  published: number;
  reduced: number;
  stale: number;
  dead: number;
  failed: number;
};

export type Dispatch = {
  client: ClientBase;
  publisher: Publisher;
  lease: Lease;
  maxEventBytes: number;
  baseUrl: string;
  log: Log;
  /** Of the push service. */
  outage: OutageLog;
  counts: DispatchCounts;
  /** Attempts in a row that failed for a reason outside the events. */
  failuresInARow: number;
  /** True once nothing more may be sent. */
  over: () => boolean;
};

/**
 * Moved: others may wait behind. Empty: of what was saved before, nothing waits any more. Held: the oldest event waits for the
 * push service, and everything behind it too.
 */
export type Progress = { kind: 'moved' } | { kind: 'empty' } | { kind: 'held'; retryAfterMs: number };

/** What goes out for a row: its own text, or a smaller one. */
type Item = OutboxRow & { text: string };
type Delay = Extract<Outcome, { kind: 'temporary' }>;
type Rejection = Extract<Outcome, { kind: 'rejected' }>;

const TOO_LARGE = 413;

const UnitRef = z.object({ event_id: z.string(), round_no: z.int(), heat_no: z.int() });

/** Publishes the oldest page of events, batch after batch, each deleted before the next is sent. */
export async function publishPage(dispatch: Dispatch): Promise<Progress> {
  const page = await takePage(dispatch.client);
  dispatch.counts.stale += page.stale;
  const items: Item[] = [];
  for (const row of page.rows) {
    const item = await withinLimit(dispatch, row);
    if (item) items.push(item);
  }
  const { eventsMax = () => BATCH_EVENTS_MAX } = dispatch.publisher;
  const progress = await inTurn(dispatch, items, eventsMax);
  return progress.kind === 'moved' && page.isLast ? { kind: 'empty' } : progress;
}

async function inTurn(dispatch: Dispatch, items: Item[], eventsMax: () => number): Promise<Progress> {
  for (let from = 0; from < items.length && !dispatch.over();) {
    const batch = firstBatch(items.slice(from, from + eventsMax()));
    const progress = await send(dispatch, batch);
    if (progress.kind === 'held') return progress;
    from += batch.length;
  }
  return { kind: 'moved' };
}

async function send(dispatch: Dispatch, batch: Item[]): Promise<Progress> {
  const outcome = await dispatch.publisher.publish(
    batch.map(({ id, channel, event, text }) => ({ id, channel, event, data: text })),
    dispatch.lease,
  );
  switch (outcome.kind) {
    case 'ok':
      return remove(dispatch, batch);
    case 'temporary':
      return hold(dispatch, batch, outcome);
    case 'rejected':
      return reject(dispatch, batch, outcome);
    default:
      return outcome satisfies never;
  }
}

async function remove(dispatch: Dispatch, batch: Item[]): Promise<Progress> {
  dispatch.outage.succeeded();
  dispatch.failuresInARow = 0;
  dispatch.counts.published += batch.length;
  dispatch.counts.reduced += batch.filter((item) => item.text !== item.data).length;
  await removePublished(dispatch.client, ids(batch));
  return { kind: 'moved' };
}

async function hold(dispatch: Dispatch, batch: Item[], { error, retryAfterMs }: Delay): Promise<Progress> {
  dispatch.outage.failed({ error });
  dispatch.failuresInARow += 1;
  dispatch.counts.failed += 1;
  await noteFailure(dispatch.client, ids(batch), error);
  return { kind: 'held', retryAfterMs: retryAfterMs ?? 0 };
}

// The service does not say which event of a batch it dislikes: alone, each stands for itself.
async function reject(dispatch: Dispatch, batch: Item[], rejection: Rejection): Promise<Progress> {
  const [item, ...others] = batch;
  if (item === undefined) return { kind: 'moved' };
  if (others.length) {
    return inTurn(dispatch, batch, () => 1);
  }
  const smaller = rejection.status === TOO_LARGE ? smallerTexts(dispatch, item, item.text)[0] : undefined;
  if (smaller !== undefined) return send(dispatch, [{ ...item, text: smaller }]);
  await giveUp(dispatch, item, rejection.error);
  return { kind: 'moved' };
}

async function withinLimit(dispatch: Dispatch, row: OutboxRow): Promise<Item | undefined> {
  const fits = (text: string) => Buffer.byteLength(text) <= dispatch.maxEventBytes;
  if (fits(row.data)) return { ...row, text: row.data };
  const text = smallerTexts(dispatch, row, row.data).find(fits);
  if (text !== undefined) return { ...row, text };
  await giveUp(dispatch, row, `larger than ${dispatch.maxEventBytes} bytes`);
  return undefined;
}

/** The reduced events of a unit that are smaller than `than`, largest first; none for other events. */
function smallerTexts(dispatch: Dispatch, row: OutboxRow, than: string): string[] {
  if (row.event !== 'unit') return [];
  try {
    const unit = UnitRef.parse(JSON.parse(row.data));
    const path = unitPath(row.channel, {
      eventId: unit.event_id,
      round: unit.round_no,
      heat: unit.heat_no,
    });
    if (path === undefined) return [];
    return reducedUnits(row.data, dispatch.baseUrl + path).filter((text) => text.length < than.length);
  } catch {
    // One row that is no unit record must not hold up the others.
    return [];
  }
}

async function giveUp(dispatch: Dispatch, row: OutboxRow, error: string): Promise<void> {
  dispatch.log.error({ error, channel: row.channel, event: row.event }, 'an event cannot be published');
  dispatch.counts.dead += 1;
  await bury(dispatch.client, row.id, error);
}

function firstBatch(items: Item[]): Item[] {
  let bytes = 0;
  const end = items.findIndex(({ text }, index) => {
    bytes += Buffer.byteLength(text);
    return index > 0 && bytes > BATCH_BYTES_MAX;
  });
  return end < 0 ? items : items.slice(0, end);
}

function ids(batch: Item[]): number[] {
  return batch.map((item) => item.id);
}
