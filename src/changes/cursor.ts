// The cursor of the change feed: up to which change somebody has read. Pure.

/**
 * `begun` is where the feed ended when its reader began with nothing, as long as that has not been reached: deletions before it
 * were of objects that the reader had never heard of.
 */
export type Cursor = { epoch: string; number: number; begun: number };

// Of fixed width: texts of one epoch are in the order of their numbers.
const DIGITS = 12;
const CURSOR = new RegExp(`^([0-9a-f]{12})-(\\d{${DIGITS}})(?:-(\\d{${DIGITS}}))?$`);

export const CURSOR_EXAMPLE = '5d0c1f2ab39e-000000000128';

const digits = (number: number) => String(number).padStart(DIGITS, '0');

export function cursorText({ epoch, number, begun }: Cursor): string {
  const text = `${epoch}-${digits(number)}`;
  return number < begun ? `${text}-${digits(begun)}` : text;
}

export const isSameCursor = (one: Cursor, other: Cursor): boolean =>
  one.epoch === other.epoch && one.number === other.number && one.begun === other.begun;

/** Null of what is no cursor. */
export function parseCursor(text: string): Cursor | null {
  const parts = CURSOR.exec(text);
  if (!parts) return null;
  const number = Number(parts[2]);
  return { epoch: parts[1]!, number, begun: Math.max(number, Number(parts[3] ?? 0)) };
}

/** What a feed says of itself: its epoch, its last number, and the highest number of a deletion that it has forgotten. */
export type FeedState = { epoch: string; last: number; purged: number };

/** Why a reader who is there cannot go on; null if all that has happened since is still to be read. */
export function lostSince({ epoch, number, begun }: Cursor, feed: FeedState): string | null {
  // Also a cursor of changes that a database lost when it was set back.
  const known = Math.max(number, begun);
  if (epoch !== feed.epoch || known > feed.last)
    return 'The cursor is of another database, or of this one before it was restored';
  if (feed.purged > known) return 'The cursor is too old: deletions since then are not kept any more';
  return null;
}
