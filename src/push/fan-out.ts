// Fan-out to every push server of the service: a batch is done when each has taken it, and none gets it twice.
import type { Log } from '../log.ts';
import { createOutageLog, type OutageLog } from '../outage-log.ts';
import type { Lease, OutgoingEvent, Outcome, Publisher } from './publisher.ts';
import { BATCH_EVENTS_MAX, OWN_BATCH_EVENTS_MAX } from './server/publish-requests.ts';

/** The list of servers, as the database has it at this moment. */
export type ServerList = {
  addresses(): Promise<string[]>;
  /** Takes those of the failing servers off the list that have no heartbeat either; the others are left. */
  sortOut(failing: string[]): Promise<{ removed: string[]; left: string[] }>;
  /** Takes a server off the list that lives and takes no events. */
  giveUp(address: string): Promise<void>;
  givenUp(): Promise<string[]>;
  takeBack(address: string): Promise<void>;
};

export type FanOutOptions = {
  servers: ServerList;
  open: (address: string) => Publisher;
  now: () => Date;
  log: Log;
  /** How long one server may hold up the events of all. */
  patienceMs?: number;
};

type Member = { publisher: Publisher; taken: Set<number>; failing: Failing | undefined };
/** An unbroken row of tries that failed. */
type Failing = { sinceMs: number; lastMs: number };
type FanOut = FanOutOptions & {
  /** Of the next batch. */
  eventsMax: number;
  members: Map<string, Member>;
  /** Servers taken back that have taken no event yet: their next failure is one too many. */
  onProbation: Set<string>;
  /** Of the servers given up, until they have taken an event again. */
  outages: Map<string, OutageLog>;
};
type Temporary = Extract<Outcome, { kind: 'temporary' }>;

// With the last try, which may take three seconds by itself, some fifteen.
const PATIENCE_MS = 12_000;
// A sixth of what a server has for its answer (publisher.ts): for twice as many events there is still time.
const SLOW_MS = 500;

export function createFanOut(options: FanOutOptions): Publisher {
  const fanOut: FanOut = {
    ...options,
    eventsMax: BATCH_EVENTS_MAX,
    members: new Map(),
    onProbation: new Set(),
    outages: new Map(),
  };
  return {
    eventsMax: () => fanOut.eventsMax,
    async publish(batch, lease) {
      try {
        return await measured(fanOut, batch, () => publish(fanOut, batch, lease));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return temporary(`the list of push servers cannot be read: ${reason}`);
      }
    },
    // Who publishes looks, so that a server is back when this process reaches it, and not when it believes so itself.
    lookAfter: () => probe(fanOut).catch(() => undefined),
    close: () => keepOnly(fanOut, []),
  };
}

/** Where much waits, each server is asked for more at once: as long as all are far from the time that they have to answer. */
async function measured(
  fanOut: FanOut,
  batch: OutgoingEvent[],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const sinceMs = performance.now();
  const outcome = await work();
  if (outcome.kind !== 'ok') fanOut.eventsMax = BATCH_EVENTS_MAX;
  else if (performance.now() - sinceMs > SLOW_MS)
    fanOut.eventsMax = Math.max(Math.floor(fanOut.eventsMax / 2), BATCH_EVENTS_MAX);
  else if (batch.length >= fanOut.eventsMax)
    fanOut.eventsMax = Math.min(fanOut.eventsMax * 2, OWN_BATCH_EVENTS_MAX);
  return outcome;
}

async function publish(fanOut: FanOut, batch: OutgoingEvent[], lease: Lease | undefined): Promise<Outcome> {
  forgetBefore(fanOut, batch[0]?.id ?? 0);
  const answers = new Map<string, Outcome>();
  const offering = { batch, lease, answers };
  // The list is read for every batch, so that a server that was on it before an event was saved gets that event. Those
  // known from the batch before need not wait for it.
  const reading = fanOut.servers.addresses();
  await Promise.allSettled([reading, offer(fanOut, [...fanOut.members.keys()], offering)]);
  const listed = await reading;
  keepOnly(fanOut, listed);
  const newcomers = listed.filter((address) => !answers.has(address));
  await offer(fanOut, newcomers, offering);
  // Frozen meanwhile, perhaps: what seems to fail has only been waiting for this process.
  if (lease?.isOver()) return temporary('another process may publish by now');
  return await judge(fanOut, listed, answers);
}

type Offering = { batch: OutgoingEvent[]; lease: Lease | undefined; answers: Map<string, Outcome> };

async function offer(fanOut: FanOut, addresses: string[], offering: Offering): Promise<void> {
  await Promise.all(
    addresses.map(async (address) => {
      const outcome = await give(memberAt(fanOut, address), offering);
      if (outcome.kind !== 'temporary') takesEvents(fanOut, address);
      offering.answers.set(address, outcome);
    }),
  );
}

/** No server is given again what it has taken, also not in another batch. */
async function give(member: Member, { batch, lease }: Offering): Promise<Outcome> {
  const missing = batch.filter(({ id }) => !member.taken.has(id));
  if (missing.length === 0) return { kind: 'ok' };
  const triedMs = performance.now();
  const outcome = await member.publisher.publish(missing, lease);
  if (outcome.kind === 'ok') for (const { id } of missing) member.taken.add(id);
  member.failing = outcome.kind === 'temporary' ? goingOn(member.failing, triedMs) : undefined;
  return outcome;
}

// A failure of long ago, when this process published the last time, does not count.
function goingOn(failing: Failing | undefined, triedMs: number): Failing {
  const goesOn = failing && triedMs - failing.lastMs < PATIENCE_MS;
  return { sinceMs: goesOn ? failing.sinceMs : triedMs, lastMs: performance.now() };
}

async function judge(fanOut: FanOut, listed: string[], answers: Map<string, Outcome>): Promise<Outcome> {
  const failing = listed.filter((address) => answers.get(address)?.kind === 'temporary');
  const left = failing.length ? await sortOut(fanOut, failing) : [];
  // A rejection waits as well: it ends the event's life, and those that did not answer may still take it.
  if (left.length) return waitingFor(left, answers);
  const there = listed.filter((address) => !failing.includes(address));
  keepOnly(fanOut, there);
  if (there.length === 0) return temporary('no push server is on the list');
  const outcomes = there.flatMap((address) => answers.get(address) ?? []);
  return outcomes.find(({ kind }) => kind === 'rejected') ?? { kind: 'ok' };
}

/** Returns the servers that are to be waited for. */
async function sortOut(fanOut: FanOut, failing: string[]): Promise<string[]> {
  const { servers, log, onProbation } = fanOut;
  const { removed, left } = await servers.sortOut(failing);
  for (const address of removed) {
    log.warn({ address }, 'a push server neither answers nor shows life; events go out without it');
  }
  const lost = left.filter((address) => isLost(fanOut, address));
  for (const address of lost) {
    await servers.giveUp(address);
    onProbation.delete(address);
    outageAt(fanOut, address).failed({});
  }
  return left.filter((address) => !lost.includes(address));
}

type Patience = Pick<FanOut, 'members' | 'onProbation' | 'patienceMs'>;

function isLost({ members, onProbation, patienceMs = PATIENCE_MS }: Patience, address: string): boolean {
  const failing = members.get(address)?.failing;
  if (failing === undefined) return false;
  return onProbation.has(address) || failing.lastMs - failing.sinceMs >= patienceMs;
}

function outageAt({ outages, log, now }: FanOut, address: string): OutageLog {
  const present = outages.get(address);
  if (present) return present;
  const says = {
    begins: 'a push server lives and takes no events; they go out without it',
    lasts: 'a push server still takes no events; they go out without it',
    ends: 'a push server takes events again',
  };
  const outage = createOutageLog({
    log: log.child({ address }),
    now,
    level: 'error',
    says,
    counted: 'tries',
  });
  outages.set(address, outage);
  return outage;
}

function takesEvents({ onProbation, outages }: FanOut, address: string): void {
  onProbation.delete(address);
  outages.get(address)?.succeeded();
  outages.delete(address);
}

/** Asks the servers that were given up whether they take events, with a batch of none. */
async function probe(fanOut: FanOut): Promise<void> {
  const { servers, open, onProbation, outages } = fanOut;
  const ask = async (address: string) => {
    const publisher = open(address);
    try {
      const answer = await publisher.publish([]);
      if (answer.kind !== 'ok') return outageAt(fanOut, address).failed({ error: answer.error });
    } finally {
      publisher.close();
    }
    onProbation.add(address);
    await servers.takeBack(address);
  };
  const givenUp = await servers.givenUp();
  for (const address of outages.keys()) {
    // Gone for good, or taken back by another process.
    if (!givenUp.includes(address) && !onProbation.has(address)) outages.delete(address);
  }
  await Promise.all(givenUp.map(ask));
}

function waitingFor(addresses: string[], answers: Map<string, Outcome>): Temporary {
  const failures = addresses.flatMap((address) => {
    const answer = answers.get(address);
    return answer?.kind === 'temporary' ? [{ ...answer, error: `${address}: ${answer.error}` }] : [];
  });
  const waits = failures.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return temporary(
    failures.map(({ error }) => error).join('; '),
    waits.length ? Math.max(...waits) : undefined,
  );
}

const temporary = (error: string, retryAfterMs?: number): Temporary => ({
  kind: 'temporary',
  error,
  retryAfterMs,
});

function memberAt({ members, open }: FanOut, address: string): Member {
  const present = members.get(address);
  if (present) return present;
  const member = { publisher: open(address), taken: new Set<number>(), failing: undefined };
  members.set(address, member);
  return member;
}

function keepOnly({ members }: FanOut, addresses: string[]): void {
  for (const [address, { publisher }] of members) {
    if (addresses.includes(address)) continue;
    publisher.close();
    members.delete(address);
  }
}

// Batches come in the order of their ids, so what lies before this one is never retried.
function forgetBefore({ members }: FanOut, id: number): void {
  for (const { taken } of members.values()) {
    for (const old of taken) if (old < id) taken.delete(old);
  }
}
