// Times of races as they are sent. Pure.

const TIME = /^(?:(\d{1,4}):)?(?:(\d{1,4}):)?(\d{1,7}(?:[.,]\d{1,6})?)h?$/;

/** Seconds of "10.45", "1:45.48", "2:08:44"; undefined for anything else, such as a time with a remark. */
export function secondsOf(mark: unknown): number | undefined {
  if (typeof mark !== 'string' && typeof mark !== 'number') return undefined;
  const match = TIME.exec(String(mark).trim());
  if (!match) return undefined;
  const [, first, second, rest] = match;
  const seconds = Number(rest!.replace(',', '.'));
  if (first === undefined) return seconds;
  return second === undefined
    ? Number(first) * 60 + seconds
    : (Number(first) * 60 + Number(second)) * 60 + seconds;
}
