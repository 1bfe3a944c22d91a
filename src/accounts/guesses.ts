// The limit on guessing passwords, counted in the database for all replicas. Wrong ones count for the name and for the address
// they come from. A stranger cannot lock an owner out: where an account signed in lately it has a count of its own, and
// elsewhere whoever waits out a pause gets one try, however many others are guessing meanwhile.
import { contentHash } from '../content-hash.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { TooMany } from '../errors.ts';
import {
  beginPause,
  type Counted,
  countGuess,
  endPause,
  giveBack,
  hasSignedIn,
  purgeGuesses,
  rememberAddress,
} from './guess-store.ts';
import { normalizeEmail } from './store.ts';

const WINDOW_MS = 60_000;
// An address may be a whole office behind one router; its limit bounds guessing one password for many names.
const NAMES_PER_ADDRESS = 10;
// How long a try that was waited for stays good.
const PAUSE_KEPT_MS = 600_000;
const LATELY_MS = 30 * 24 * 3600 * 1000;
const ADDRESSES_KEPT = 20;
const ROWS = 100_000;
const PURGE_AFTER = 1000;

export type Guess = { name: string; address: string };

/** A counted call: `wasRight` takes it out of the count again and remembers the address for the account. */
export type CountedGuess = { wasRight: (tx: Tx, accountId: string) => Promise<void> };

/** Counts before a password is looked at: guesses sent all at once would otherwise pass together. @throws TooMany */
export type CountGuess = (guess: Guess) => Promise<CountedGuess>;

type Verdict = { counted: Counted[] } | { refusedUntil: Date };

/** @param max wrong passwords a minute for one name, ten times as many from one address; 0 never refuses */
export function createGuessCounter(deps: Pick<Deps, 'db' | 'now'>, max: number): CountGuess {
  const purge = createPurge(deps);

  return async (guess) => {
    const now = deps.now();
    const verdict =
      max === 0 ? { counted: [] } : await inTransaction(deps.db, (tx) => judge(tx, guess, max, now));
    await purge(now);
    if ('refusedUntil' in verdict) {
      const seconds = Math.max(1, Math.ceil((verdict.refusedUntil.getTime() - now.getTime()) / 1000));
      throw new TooMany(`Too many requests, try again in ${seconds} s`, seconds);
    }
    return {
      async wasRight(tx, accountId) {
        await giveBack(tx, verdict.counted);
        const address = contentHash(guess.address);
        await rememberAddress(tx, { accountId, address, now, kept: ADDRESSES_KEPT });
      },
    };
  };
}

/** Counts by address, by name and address together, and by name: always in this order, so that no two wait for each other. */
async function judge(tx: Tx, guess: Guess, max: number, now: Date): Promise<Verdict> {
  const keys = keysOf(guess);
  const window = { now, endsAt: after(now, WINDOW_MS), max };
  const known = await hasSignedIn(tx, {
    name: guess.name,
    address: contentHash(guess.address),
    since: after(now, -LATELY_MS),
  });
  const counted: Counted[] = [];
  if (!known) {
    const byAddress = await countGuess(tx, { ...window, key: keys.address, max: max * NAMES_PER_ADDRESS });
    if ('fullUntil' in byAddress) return { refusedUntil: byAddress.fullUntil };
    counted.push(byAddress.counted);
  }
  const byBoth = await countGuess(tx, { ...window, key: keys.both });
  if ('fullUntil' in byBoth) return { refusedUntil: byBoth.fullUntil };
  counted.push(byBoth.counted);
  if (known) return { counted };
  const byName = await countGuess(tx, { ...window, key: keys.name });
  if ('counted' in byName) return { counted: [...counted, byName.counted] };
  if (await endPause(tx, keys.pause, now)) return { counted };
  await giveBack(tx, [byBoth.counted]);
  const pause = { key: keys.pause, now, readyAt: byName.fullUntil, endsAt: after(now, PAUSE_KEPT_MS) };
  return { refusedUntil: await beginPause(tx, pause) };
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms);

// Hashed: of one size whatever is sent, and the table is no list of who signs in from where.
function keysOf({ name, address }: Guess) {
  const account = normalizeEmail(name);
  const both = JSON.stringify([account, address]);
  return {
    address: `address:${contentHash(address)}`,
    both: `both:${contentHash(both)}`,
    name: `name:${contentHash(account)}`,
    pause: `pause:${contentHash(both)}`,
  };
}

/** Every minute, and after many calls: strangers cannot fill the table. */
function createPurge({ db }: Pick<Deps, 'db'>) {
  let calls = 0;
  let purgedAt = 0;
  return async (now: Date): Promise<void> => {
    calls += 1;
    if (calls < PURGE_AFTER && now.getTime() - purgedAt < WINDOW_MS) return;
    [calls, purgedAt] = [0, now.getTime()];
    await purgeGuesses(db, { now, since: after(now, -LATELY_MS), rows: ROWS });
  };
}
