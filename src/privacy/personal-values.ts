// Values that look like a mail address, a telephone number or a date of birth, whatever the field is called. Pure.

/** @param year of the competition: a full date before the year that precedes it is somebody's, and not of this season */
export function looksPersonal(text: string, year: number): boolean {
  if (text.length < SHORTEST) return false;
  return hasMailAddress(text) || isTelephoneNumber(text) || isDateBefore(text, year - 1);
}

/** "a@b.no", "1.5.1999". */
const SHORTEST = 6;

function hasMailAddress(text: string): boolean {
  // Few texts have the sign at all.
  return text.includes('@') && /[^\s@]@[^\s@.]+\.[^\s@]/.test(text);
}

const LONGEST_NUMBER = 30;

/** "+44 7700 900123", "07700 900123", "(555) 123-4567": a plain number is an id. */
function isTelephoneNumber(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_NUMBER || !/^(?:tel[.:]? ?)?[+(]?\d[\d ()./-]*$/i.test(trimmed)) return false;
  const digits = trimmed.replace(/\D/g, '').length;
  if (trimmed.includes('+') || /^tel/i.test(trimmed)) return digits >= 7 && digits <= 15;
  // Marks have points between blanks.
  if (trimmed.includes('.') && /[ ()/-]/.test(trimmed)) return false;
  const groups = trimmed.split(/[ ()./-]+/).filter(Boolean).length;
  const enough = /^\(?0/.test(trimmed) ? groups >= 2 || digits >= 10 : groups >= 3;
  return enough && digits >= 9 && digits <= 15;
}

const YEAR_FIRST = /^(\d{4})[-./ ]?(\d{2})[-./ ]?(\d{2})(?:[T ][\d:.]{0,15}(?:Z|[+-][\d:]{2,5})?)?$/;
const YEAR_LAST = /^(\d{1,2})[-./ ]{1,2}(\d{1,2})[-./ ]{1,2}(\d{4})$/;

function isDateBefore(text: string, year: number): boolean {
  const trimmed = text.trim();
  const [, first, month, day] = YEAR_FIRST.exec(trimmed) ?? [];
  if (first !== undefined) return isPast(first, year) && inYear(month!, day!);
  const [, one, other, last] = YEAR_LAST.exec(trimmed) ?? [];
  // Day and month stand in either order.
  return last !== undefined && isPast(last, year) && (inYear(one!, other!) || inYear(other!, one!));
}

const isPast = (text: string, year: number) => Number(text) >= 1850 && Number(text) < year;

const inYear = (month: string, day: string) =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
