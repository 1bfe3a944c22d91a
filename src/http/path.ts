// Segments of a path that name something: what cannot be a name leads nowhere.
import { z } from 'zod';
import { NotFound } from '../errors.ts';

/** Shapes of segments in the API's description. What they are not leads nowhere, so nobody hears of a fault. */
export const uuidSegment = z.string().meta({ format: 'uuid' });
export const numberSegment = (example: number) =>
  z.string().meta({ type: 'integer', minimum: 1, maximum: 9999, example });

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
