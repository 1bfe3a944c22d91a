// Bodies in flight: how many bytes of them are held at once, in all and from one address. Each counts until it is answered.
import { Busy, TooMany } from '../errors.ts';

export type InFlightLimits = { totalBytes: number; addressBytes: number };

/** What one request holds. */
export type Hold = {
  /** Whether so many bytes would fit now. @throws TooMany, Busy */
  check(bytes: number): void;
  /** @throws TooMany, Busy */
  add(bytes: number): void;
  /** Gives everything back; again does nothing. */
  release(): void;
};

const RETRY_SECONDS = 5;
const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;

export function createInFlight({ totalBytes, addressBytes }: InFlightLimits) {
  const byAddress = new Map<string, number>();
  let total = 0;

  return function hold(address: string): Hold {
    let held = 0;
    function check(bytes: number): void {
      if ((byAddress.get(address) ?? 0) + bytes > addressBytes) {
        const limit = `${megabytes(addressBytes)} of requests under way from one address`;
        throw new TooMany(
          `More than ${limit}: send one after another, try again in ${RETRY_SECONDS} s`,
          RETRY_SECONDS,
        );
      }
      if (total + bytes > totalBytes) {
        const limit = `${megabytes(totalBytes)} of requests are under way`;
        throw new Busy(`${limit}; nothing was changed. Try again in ${RETRY_SECONDS} s`, RETRY_SECONDS);
      }
    }
    function move(bytes: number): void {
      held += bytes;
      total += bytes;
      const left = (byAddress.get(address) ?? 0) + bytes;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    }
    return {
      check,
      add(bytes) {
        check(bytes);
        move(bytes);
      },
      release: () => move(-held),
    };
  };
}
