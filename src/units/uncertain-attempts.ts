// Memory of attempts of which nobody knows whether they were recorded: the same request within a minute is the same attempt.
import { isDeepStrictEqual } from 'node:util';
import type { UnitRef } from '../addresses.ts';
import type { SentAttempt } from './schemas.ts';

const REMEMBERED_MS = 60_000;
// An outage in the midst of a large meeting leaves some hundreds of them at most.
const MOST = 10_000;

export type AttemptRequest = { accountId: string; ref: UnitRef; sent: SentAttempt };

/** Of this process. Another one knows only the repeat that names the key of the answer. */
export type UncertainAttempts = {
  /** @returns the id under which such a request may have been recorded */
  recall(request: AttemptRequest): string | undefined;
  remember(request: AttemptRequest, attemptId: string): void;
  /** What became of it is known. */
  forget(request: AttemptRequest): void;
  /** The account has read what became of its attempts in the unit: what it sends from now on, it means. */
  hasRead(accountId: string, ref: UnitRef): void;
};

type Uncertain = { request: AttemptRequest; attemptId: string; untilMs: number };

export function createUncertainAttempts(now: () => Date): UncertainAttempts {
  let all: Uncertain[] = [];
  const drop = (known: (one: Uncertain) => boolean) => {
    if (all.length > 0) all = all.filter((one) => !known(one));
  };
  const forget = (request: AttemptRequest) => drop((one) => isDeepStrictEqual(one.request, request));
  return {
    recall(request) {
      const nowMs = now().getTime();
      drop(({ untilMs }) => untilMs <= nowMs);
      return all.find((one) => isDeepStrictEqual(one.request, request))?.attemptId;
    },
    remember(request, attemptId) {
      forget(request);
      all = [...all, { request, attemptId, untilMs: now().getTime() + REMEMBERED_MS }].slice(-MOST);
    },
    forget,
    hasRead: (accountId, ref) =>
      drop(({ request }) => request.accountId === accountId && isDeepStrictEqual(request.ref, ref)),
  };
}
