// The sender of webhooks, which every process has: that of the one that leads queues what changed and sends what is due. Receivers
// do not wait for each other.
import { type Bell, createBell, pause } from '../bell.ts';
import type { Deps } from '../deps.ts';
import { createOutageLog } from '../outage-log.ts';
import { attempt, type AttemptDeps, type AttemptOutcome } from './attempt.ts';
import { type Caller, createCaller } from './caller.ts';
import { type Due, dueDeliveries, markSent, purgeDeliveries } from './deliveries-store.ts';
import { queueChanges } from './queue-changes.ts';

export type SenderOptions = {
  /** Whether this process is the one that sends. */
  leads: () => boolean;
  /** The origin of links in messages. */
  origin: () => string;
  /** For tests. */
  caller?: Caller;
  stopMs?: number;
};

export type SenderCounts = Record<AttemptOutcome, number>;

export type Sender = {
  /** There may be something new, or something due. */
  wake(): void;
  /** Sends nothing more, waits a moment for what is under way, and breaks off the rest: it goes out again elsewhere. */
  stop(): Promise<void>;
  counts(): SenderCounts;
};

type Running = AttemptDeps &
  Pick<Deps, 'reads'> &
  SenderOptions & {
    bell: Bell;
    ending: AbortSignal;
    underWay: Map<string, { due: Due; done: Promise<void> }>;
    /** How long the last answer of a receiver took. */
    tookMs: Map<string, number>;
    counts: SenderCounts;
    purgedMs: number;
  };

const LOOK_MS = 500;
// Between two looks, so that many saves are looked at together and the database has its rest.
const REST_MS = 50;
const AT_ONCE = 200;
const AT_ONCE_PER_ACCOUNT = 32;
const AT_ONCE_PER_WEBHOOK = 4;
/** Receivers that take longer get one at a time. */
const SLOW_MS = 2000;
const STOP_MS = 1000;
const PURGE_MS = 3_600_000;
const KEPT = { days: 30, perWebhook: 1000 };

export function startSender(
  deps: Pick<Deps, 'config' | 'db' | 'reads' | 'now' | 'log'>,
  options: SenderOptions,
): Sender {
  const [ending, stopping] = [new AbortController(), new AbortController()];
  const running: Running = {
    ...deps,
    ...options,
    caller: options.caller ?? createCaller({ allowPrivate: deps.config.WEBHOOK_ALLOW_PRIVATE }),
    bell: createBell(),
    ending: ending.signal,
    stopping: stopping.signal,
    underWay: new Map(),
    tookMs: new Map(),
    counts: { delivered: 0, failed: 0, 'broken off': 0 },
    purgedMs: -Infinity,
  };
  const finished = run(running);
  return {
    wake: running.bell.ring,
    async stop() {
      ending.abort();
      running.bell.ring();
      await finished;
      const rest = () => Promise.all(Array.from(running.underWay.values(), ({ done }) => done));
      const over = new AbortController();
      await Promise.race([rest(), pause(options.stopMs ?? STOP_MS, over.signal)]);
      over.abort();
      stopping.abort();
      await rest();
      await running.caller.close();
    },
    counts: () => running.counts,
  };
}

async function run(running: Running): Promise<void> {
  const outage = createOutageLog({
    log: running.log,
    now: running.now,
    level: 'warn',
    says: {
      begins: 'webhooks cannot be sent',
      lasts: 'webhooks still cannot be sent',
      ends: 'webhooks are sent again',
    },
    counted: 'tries',
  });
  while (!running.ending.aborted) {
    try {
      if (running.leads()) await look(running);
      outage.succeeded();
    } catch (error) {
      outage.failed({ err: error });
    }
    await pause(REST_MS, running.ending);
    await running.bell.wait(LOOK_MS);
  }
}

async function look(running: Running): Promise<void> {
  await purge(running);
  if (await queueChanges(running)) running.bell.ring();
  await sendDue(running);
}

async function purge(running: Running): Promise<void> {
  const nowMs = running.now().getTime();
  if (Math.abs(nowMs - running.purgedMs) < PURGE_MS) return;
  await purgeDeliveries(running.db, new Date(nowMs - KEPT.days * 24 * 3600 * 1000), KEPT.perWebhook);
  running.tookMs.clear();
  running.purgedMs = nowMs;
}

async function sendDue(running: Running): Promise<void> {
  const { db, underWay } = running;
  if (underWay.size >= AT_ONCE) return;
  const now = running.now();
  const due = await dueDeliveries(db, {
    now,
    perWebhook: AT_ONCE_PER_WEBHOOK,
    underWay: [...underWay.keys()],
  });
  const chosen = choose(running, due);
  if (chosen.length === 0) return;
  const ids = chosen.map(({ delivery }) => delivery.id);
  const marked = await markSent(db, ids, now);
  for (const one of chosen) if (marked.has(one.delivery.id)) send(running, one);
}

/** As many as there is room for, in all, for an account and for a receiver. */
function choose({ underWay, tookMs }: Running, due: Due[]): Due[] {
  const busy = new Map<string, number>();
  const take = (key: string) => busy.set(key, (busy.get(key) ?? 0) + 1);
  const isFull = (key: string, max: number) => (busy.get(key) ?? 0) >= max;
  for (const { due: sent } of underWay.values()) {
    take(sent.webhook.id);
    take(sent.webhook.accountId);
  }
  const chosen: Due[] = [];
  const longestFirst = due.toSorted(
    (a, b) => a.delivery.nextAttemptAt.getTime() - b.delivery.nextAttemptAt.getTime(),
  );
  for (const one of longestFirst) {
    const { id, accountId, failures } = one.webhook;
    const max = failures > 0 || (tookMs.get(id) ?? 0) > SLOW_MS ? 1 : AT_ONCE_PER_WEBHOOK;
    if (isFull(id, max) || isFull(accountId, AT_ONCE_PER_ACCOUNT)) continue;
    if (underWay.size + chosen.length >= AT_ONCE) break;
    take(id);
    take(accountId);
    chosen.push(one);
  }
  return chosen;
}

function send(running: Running, due: Due): void {
  const { underWay, tookMs, counts, bell, log } = running;
  const { id } = due.webhook;
  const sinceMs = performance.now();
  const finish = async () => {
    try {
      counts[await attempt(running, due)] += 1;
    } catch (error) {
      // What came of it is not known to the database: it goes out again.
      log.warn({ err: error, webhook: id }, 'what became of a delivery could not be written');
    }
    tookMs.set(id, performance.now() - sinceMs);
    underWay.delete(due.delivery.id);
    bell.ring();
  };
  underWay.set(due.delivery.id, { due, done: finish() });
}
