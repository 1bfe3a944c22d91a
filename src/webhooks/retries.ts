// The times of retries: how long after which failure, how long a receiver is left alone, and what Retry-After says. Pure.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the first failure, after the second …; after the one behind the last there is no other. */
const RETRIES_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** How many times one delivery is sent at most. */
export const ATTEMPTS_MAX = RETRIES_MS.length + 1;
/** A receiver that took nothing for so long has had the last retry of something, whatever newer states took its place. */
export const FAILING_MS_MAX = 84 * HOUR;

// Later, never earlier: what failed together does not come back together.
const JITTER = 0.1;
const GATE_MS = { first: 5 * SECOND, longest: MINUTE };
const RETRY_AFTER_MS_MAX = 24 * HOUR;

/**
 * How long after the failure of the attempt of that number the next one is due; null when that was the last.
 * @param chance from 0 to 1
 */
export function retryAfterMs(attempts: number, chance: number): number | null {
  const ms = RETRIES_MS[attempts - 1];
  return ms === undefined ? null : Math.round(ms * (1 + JITTER * chance));
}

/** How long nothing is sent to a receiver that failed so many times in a row: changes go on, and each would be another attempt. */
export const gateMs = (failures: number): number =>
  Math.min(GATE_MS.first * 2 ** Math.min(failures - 1, 10), GATE_MS.longest);

/** What a Retry-After header asks for, in bounds; 0 for none and for what is none. */
export function askedToWaitMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX) : 0;
}
