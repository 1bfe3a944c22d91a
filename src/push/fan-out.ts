// Fan-out to every push server of the service: a batch is done when each has taken it, and none gets it twice.
import type { Log } from '../log.ts';
import type { OutgoingEvent, Outcome, Publisher } from './publisher.ts';

/** The list of servers, as the database has it at this moment. */
export type ServerList = {
  addresses(): Promise<string[]>;
  /** Takes those of the failing servers off the list that have no heartbeat either; the others are left. */
  sortOut(failing: string[]): Promise<{ removed: string[]; left: string[] }>;
};

export type FanOutOptions = { servers: ServerList; open: (address: string) => Publisher; log: Log };

type Member = { publisher: Publisher; taken: Set<number> };
type FanOut = FanOutOptions & { members: Map<string, Member> };
type Temporary = Extract<Outcome, { kind: 'temporary' }>;

export function createFanOut(options: FanOutOptions): Publisher {
  const fanOut: FanOut = { ...options, members: new Map() };
  return {
    async publish(batch) {
      try {
        return await publish(fanOut, batch);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return temporary(`the list of push servers cannot be read: ${reason}`);
      }
    },
    close: () => keepOnly(fanOut, []),
  };
}

async function publish(fanOut: FanOut, batch: OutgoingEvent[]): Promise<Outcome> {
  forgetBefore(fanOut, batch[0]?.id ?? 0);
  const answers = new Map<string, Outcome>();
  // The list is read for every batch, so that a server that was on it before an event was saved gets that event. Those
  // known from the batch before need not wait for it.
  const reading = fanOut.servers.addresses();
  await Promise.allSettled([reading, offer(fanOut, [...fanOut.members.keys()], batch, answers)]);
  const listed = await reading;
  keepOnly(fanOut, listed);
  const newcomers = listed.filter((address) => !answers.has(address));
  await offer(fanOut, newcomers, batch, answers);
  return await judge(fanOut, listed, answers);
}

async function offer(
  fanOut: FanOut,
  addresses: string[],
  batch: OutgoingEvent[],
  answers: Map<string, Outcome>,
): Promise<void> {
  await Promise.all(
    addresses.map(async (address) => answers.set(address, await give(memberAt(fanOut, address), batch))),
  );
}

/** No server is given again what it has taken, also not in another batch. */
async function give({ publisher, taken }: Member, batch: OutgoingEvent[]): Promise<Outcome> {
  const missing = batch.filter(({ id }) => !taken.has(id));
  if (missing.length === 0) return { kind: 'ok' };
  const outcome = await publisher.publish(missing);
  if (outcome.kind === 'ok') for (const { id } of missing) taken.add(id);
  return outcome;
}

async function judge(fanOut: FanOut, listed: string[], answers: Map<string, Outcome>): Promise<Outcome> {
  const failing = listed.filter((address) => answers.get(address)?.kind === 'temporary');
  const { removed, left } = failing.length
    ? await fanOut.servers.sortOut(failing)
    : { removed: [], left: [] };
  for (const address of removed) {
    fanOut.log.warn({ address }, 'a push server neither answers nor shows life; events go out without it');
  }
  // A rejection waits as well: it ends the event's life, and those that did not answer may still take it.
  if (left.length) return waitingFor(left, answers);
  const there = listed.filter((address) => !failing.includes(address));
  keepOnly(fanOut, there);
  if (there.length === 0) return temporary('no push server is on the list');
  const outcomes = there.flatMap((address) => answers.get(address) ?? []);
  return outcomes.find(({ kind }) => kind === 'rejected') ?? { kind: 'ok' };
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
  const member = { publisher: open(address), taken: new Set<number>() };
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
