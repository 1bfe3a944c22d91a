// The queue in front of password hashing. A hash takes a core for a moment and 19 MiB: two run at once, some wait, the rest
// is told to come back, so that a crowd of sign-ins leaves the readers their share of the machine.
import { TooMany } from '../errors.ts';
import { createSemaphore } from '../semaphore.ts';

const AT_ONCE = 2;
const PLACES = 60;
// Nobody can take all places from one address, and the judges of a stadium, who have one together, find theirs.
const PLACES_PER_ADDRESS = 40;
const RETRY_SECONDS = 2;

export type HashQueue = <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;

/** Runs work that hashes; `address` is the network address of who asked for it. @throws TooMany when there is no place */
export function createHashQueue(): HashQueue {
  const inTurn = createSemaphore(AT_ONCE);
  const placesOf = new Map<string, number>();
  let taken = 0;

  return async (address, work) => {
    const mine = placesOf.get(address) ?? 0;
    if (taken >= PLACES || mine >= PLACES_PER_ADDRESS) {
      throw new TooMany(`Too many sign-ins at this moment, try again in ${RETRY_SECONDS} s`, RETRY_SECONDS);
    }
    taken += 1;
    placesOf.set(address, mine + 1);
    try {
      return await inTurn(work);
    } finally {
      taken -= 1;
      const left = placesOf.get(address)! - 1;
      if (left > 0) placesOf.set(address, left);
      else placesOf.delete(address);
    }
  };
}
