// Segments of a path that name something: what cannot be a name leads nowhere.
import { NotFound } from '../errors.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID in lower case. @throws NotFound */
export function pathUuid(segment: string | undefined, what: string): string {
  if (!UUID.test(segment ?? '')) throw new NotFound(`No such ${what}: its id is a UUID`);
  return segment!.toLowerCase();
}

/** A round or heat, 1 to 9999 without leading zeros: each has one address. @throws NotFound */
export function pathNumber(segment: string | undefined, what: string): number {
  if (!/^[1-9]\d{0,3}$/.test(segment ?? '')) throw new NotFound(`No such ${what}`);
  return Number(segment);
}
