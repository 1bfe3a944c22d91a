// The Retry-After header: a number of seconds or a date (RFC 9110, 10.2.3).

const LONGEST_MS = 10 * 60_000;

/** How long to wait, at most ten minutes: a nonsensical date must not silence the service. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  if (Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(waitMs, 0), LONGEST_MS);
}
