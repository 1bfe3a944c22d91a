// The lease of the process that publishes: for how long, since its session last spoke, no other process can have taken over.
import type { Lease } from './publisher.ts';

/** A session so long silent is ended by Postgres, and another process publishes. */
export const LEASE_MS = 8000;
// What is sent is over well before that: on its way, and when clocks are looked at.
const MARGIN_MS = 1000;

export type Held = Lease & {
  /** Something that the session has just said, and that Postgres has heard. */
  renew: <Result>(say: () => Promise<Result>) => Promise<Result>;
};

/** Over until first renewed. `now` is the service's clock, by which other processes judge what comes from this one. */
export function createLease(now: () => Date): Held {
  let renewed: Moment | undefined;
  const leftMs = () => (renewed === undefined ? 0 : LEASE_MS - MARGIN_MS - Math.max(...passedSince(renewed)));
  return {
    isOver: () => leftMs() <= 0,
    endsAt: () => new Date(now().getTime() + leftMs()),
    async renew(say) {
      // From when it was said: nobody knows when it was heard.
      const said = moment();
      const result = await say();
      renewed = said;
      return result;
    },
  };
}

// By two clocks, and the one that says more counts: the first stands still while the machine sleeps, the other may be set.
type Moment = { steadyMs: number; wallMs: number };

const moment = (): Moment => ({ steadyMs: performance.now(), wallMs: Date.now() });

function passedSince(then: Moment): [number, number] {
  const now = moment();
  return [now.steadyMs - then.steadyMs, now.wallMs - then.wallMs];
}
