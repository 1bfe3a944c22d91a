// Times of races: text to whole milliseconds and back, rounded up as the rules want electronic times. Pure.

/** A time as it was written: its milliseconds, and how many decimals it had. */
export type ReadTime = { ms: number; decimals: number };

const TIME = /^(?:(\d{1,3}):)?(?:(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,6}))?$/;

/** The time that a text is, `11.285` or `1:50,526`; null when it is none. What is finer than a millisecond is rounded up. */
export function readTime(text: string): ReadTime | null {
  const match = TIME.exec(text.trim());
  if (!match) return null;
  const [, first, second, seconds = '', fraction = ''] = match;
  // With one colon what stands before it are minutes.
  const minutes = second === undefined ? Number(first ?? 0) : Number(first) * 60 + Number(second);
  const thousandths = Math.ceil(Number(fraction.padEnd(6, '0')) / 1000);
  return {
    ms: (minutes * 60 + Number(seconds)) * 1000 + thousandths,
    decimals: Math.min(fraction.length, 3),
  };
}

/** `1:50.526`: hours and minutes only where there are some. */
export function timeText(ms: number, decimals: number): string {
  const [seconds, rest] = [Math.floor(ms / 1000), ms % 1000];
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  while (parts.length > 1 && parts[0] === 0) parts.shift();
  const [first, ...others] = parts;
  const clock = [String(first), ...others.map((part) => String(part).padStart(2, '0'))].join(':');
  return decimals === 0 ? clock : `${clock}.${String(rest).padStart(3, '0').slice(0, decimals)}`;
}

/** The time as it is announced: thousandths are rounded up to hundredths (World Athletics TR 19.24), coarser ones stay. */
export const announcedTime = ({ ms, decimals }: ReadTime): string =>
  decimals < 3 ? timeText(ms, decimals) : timeText(Math.ceil(ms / 10) * 10, 2);

/** A wind in metres a second, rounded up to tenths in the positive direction (TR 17.13); null when the text is none. */
export function windText(text: string): string | null {
  const match = /^([+-]?)(\d{1,2})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!match) return /^(NWI|NW|W)$/i.test(text.trim()) ? text.trim().toUpperCase() : null;
  const [, sign, whole, fraction = ''] = match;
  const thousandths = Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
  const tenths = Math.ceil((sign === '-' ? -thousandths : thousandths) / 100);
  return `${tenths < 0 ? '-' : '+'}${(Math.abs(tenths) / 10).toFixed(1)}`;
}
