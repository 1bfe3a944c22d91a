// A moment as a language writes it: on a server in UTC, which it then says, in a browser by the clock of its reader. Pure.

/** British English has the day first, as the sport does. */
export const tagFor = (language: string): string => (language === 'en' ? 'en-GB' : language);

// Making one takes longer than writing a hundred moments.
const formats = new Map<string, Intl.DateTimeFormat>();

/** @param zone 'UTC' where nobody's clock is known */
export function shownMoment(language: string, moment: string, zone?: 'UTC'): string {
  const key = `${language} ${zone ?? ''}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(tagFor(language), {
      dateStyle: 'medium',
      timeStyle: 'short',
      ...(zone && { timeZone: zone }),
    });
  formats.set(key, format);
  const text = format.format(new Date(moment));
  return zone ? `${text} ${zone}` : text;
}
