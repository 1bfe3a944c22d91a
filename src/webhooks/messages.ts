// The messages of webhooks: thin, as the feed tells of a change; their types, and the JSON that is sent. Pure.
import { type ChangeRow, changeOf } from '../changes/change.ts';
import { type Cursor, cursorText } from '../changes/cursor.ts';

/** A message that is to be sent. `object` is the key of what newer states may take its place for. */
export type Message = { type: string; object: string | null; body: string };

const bodyOf = (type: string, timestamp: string, data: object) => JSON.stringify({ type, timestamp, data });

/** Of a change: `unit.changed`, `team.deleted` … */
export function changeMessage(row: ChangeRow, epoch: string, origin: string): Message {
  const type = `${row.type}.${row.deleted ? 'deleted' : 'changed'}`;
  const change = changeOf(row, { epoch, begun: row.number }, origin);
  return { type, object: keyOf(row), body: bodyOf(type, row.updatedAt, change) };
}

const keyOf = ({ competitionId, type, eventId, objectId, round, heat }: ChangeRow): string =>
  JSON.stringify([competitionId, type, eventId, objectId, round, heat]);

/** Of a feed in which this receiver cannot go on: what is told from here on is what comes after the cursor. */
export function lostMessage(
  detail: string,
  next: Cursor,
  { now, snapshot }: { now: Date; snapshot: string },
) {
  const type = 'feed.lost';
  const data = { detail, snapshot, cursor: cursorText(next) };
  return { type, object: null, body: bodyOf(type, now.toISOString(), data) };
}

/** What proves that somebody is there. */
export function pingMessage(webhookId: string, now: Date): Message {
  const type = 'ping';
  return { type, object: null, body: bodyOf(type, now.toISOString(), { webhook_id: webhookId }) };
}
