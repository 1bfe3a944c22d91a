// An attempt of a delivery: sign, call, and write down what came of it.
import { SERVICE } from '../audit/entry.ts';
import type { Tx } from '../db/client.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Answer, Caller } from './caller.ts';
import { bringForward, type Due, noteAttempt } from './deliveries-store.ts';
import { disable, hostOf } from './disable.ts';
import { askedToWaitMs, ATTEMPTS_MAX, FAILING_MS_MAX, gateMs, retryAfterMs } from './retries.ts';
import { signatures } from './signing.ts';
import { type DisabledReason, lockWebhook, updateWebhook, type Webhook } from './store.ts';

export type AttemptDeps = Pick<Deps, 'db' | 'now' | 'log'> & { caller: Caller; stopping: AbortSignal };

export type AttemptOutcome = 'delivered' | 'failed' | 'broken off';

const USER_AGENT = 'athletics-data-service';
const GONE = 410;
// A receiver that failed less often was not away: one delivery was not to its liking.
const AWAY_FAILURES = 3;

export async function attempt(deps: AttemptDeps, due: Due): Promise<AttemptOutcome> {
  const { delivery, webhook } = due;
  const call = { url: webhook.url, headers: headersOf(due, deps.now()), body: delivery.body };
  const answer = await deps.caller.call(call, deps.stopping);
  // Nobody knows whether it arrived: it goes out again, under the same id.
  if (answer.error !== undefined && deps.stopping.aborted) return 'broken off';
  const isTaken = answer.error === undefined && answer.status >= 200 && answer.status < 300;
  await inTransaction(deps.db, (tx) =>
    isTaken ? noteSuccess(tx, deps, { ...due, status: answer.status }) : noteFailure(tx, deps, due, answer),
  );
  return isTaken ? 'delivered' : 'failed';
}

function headersOf({ delivery, webhook }: Due, now: Date): Record<string, string> {
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  const signed = { id: delivery.id, timestampSeconds, body: delivery.body };
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures(secretsOf(webhook, now), signed),
  };
}

const secretsOf = ({ secret, formerSecret, formerUntil }: Webhook, now: Date): string[] =>
  formerSecret !== null && formerUntil !== null && formerUntil > now ? [secret, formerSecret] : [secret];

async function noteSuccess(
  tx: Tx,
  deps: AttemptDeps,
  { delivery, webhook, status }: Due & { status: number },
) {
  const now = deps.now();
  // In the order in which the others lock.
  const stored = await lockWebhook(tx, webhook.id);
  const outcome = { state: 'delivered' as const, lastStatus: status, lastError: null, deliveredAt: now };
  await noteAttempt(tx, delivery, outcome);
  if (!stored || stored.failures === 0) return;
  await updateWebhook(tx, stored.id, { failures: 0, failingSince: null, notBefore: null });
  if (stored.failures < AWAY_FAILURES) return;
  deps.log.info({ webhook: stored.id, host: hostOf(stored) }, 'a webhook takes deliveries again');
  await bringForward(tx, stored.id, now);
}

async function noteFailure(tx: Tx, deps: AttemptDeps, { delivery, webhook }: Due, answer: Answer) {
  const now = deps.now();
  const stored = await lockWebhook(tx, webhook.id);
  const attempts = delivery.attempts + 1;
  const waitMs = answer.error === undefined ? askedToWaitMs(answer.retryAfter, now.getTime()) : 0;
  const retryMs = retryAfterMs(attempts, Math.random());
  const later = (ms: number) => new Date(now.getTime() + Math.max(ms, waitMs));
  await noteAttempt(tx, delivery, {
    lastStatus: answer.status ?? null,
    lastError: answer.error ?? wordsOf(answer.status),
    nextAttemptAt: later(retryMs ?? 0),
  });
  // Changed meanwhile, it was another address that failed.
  if (!stored || stored.disabledAt || stored.url !== webhook.url) return;
  // Several that went out together are one failure.
  const isNews = stored.failures === webhook.failures;
  const failures = isNews ? stored.failures + 1 : Math.max(stored.failures, 1);
  const failingSince = stored.failingSince ?? now;
  const notBefore = isNews || waitMs > 0 ? later(gateMs(failures)) : stored.notBefore;
  const failing = await updateWebhook(tx, stored.id, { failures, failingSince, notBefore });
  const reason = endOf({ answer, attempts, failingMs: now.getTime() - failingSince.getTime() });
  if (!reason) return;
  await disable(tx, { doer: SERVICE, webhook: failing, reason, now });
  const told = { webhook: stored.id, host: hostOf(stored), reason, attempts };
  deps.log.warn(told, 'a webhook was disabled');
}

const wordsOf = (status: number): string =>
  status >= 300 && status < 400 ? 'answered with a redirect, which is not followed' : `answered ${status}`;

type End = { answer: Answer; attempts: number; failingMs: number };

function endOf({ answer, attempts, failingMs }: End): DisabledReason | null {
  if (answer.status === GONE) return 'gone';
  return attempts >= ATTEMPTS_MAX || failingMs > FAILING_MS_MAX ? 'failed' : null;
}
