// Records one attempt, corrects it, or takes it back: the unit's series, its results and what is pushed, in one transaction.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../accounts/permissions.ts';
import { outageOf } from '../db/sqlstate.ts';
import { inTransaction } from '../db/transaction.ts';
import { Conflict, Invalid, type Issue, NotFound, Uncertain } from '../errors.ts';
import { checkAttempts, normalizedAttempt, positionOf } from './rules/attempt-rules.ts';
import { isVertical } from './rules/disciplines.ts';
import { trialsOf } from './rules/attempts.ts';
import { attemptRounds } from './rules/attempts-left.ts';
import { resultsAfter, resultsOf } from './rules/field-results.ts';
import { attemptWarnings } from './rules/marks-of-unit.ts';
import { decisionOn } from './rules/places.ts';
import { claimKey, OTHER_REQUEST, storeAnswer } from './idempotency-store.ts';
import {
  readUnitToSave,
  type SaveDeps,
  type SavedUnit,
  saveHeldUnit,
  saveUnit,
  type UnitSave,
  type UnitSaved,
} from './saving/save-unit.ts';
import type { SentAttempt, SentTrial } from './schemas.ts';
import { isBeforeStart } from './rules/state.ts';
import type { UnitRef } from '../addresses.ts';
import type { UncertainAttempts } from './uncertain-attempts.ts';
import type { HeldUnit } from './saving/unit-store.ts';

/** `created` is false when the attempt was there already, or corrects one that was. */
type Recorded = { created: boolean; attempt: SentTrial; warnings: Issue[] };
export type AttemptAnswer = Recorded & { unit: SavedUnit };

export type AttemptDeps = SaveDeps & { uncertainAttempts: UncertainAttempts };

type Request = { ref: UnitRef; sent: SentAttempt };

/**
 * @param idempotencyKey of the request: the same again within a day records nothing
 * @throws NotFound, Forbidden; Invalid for what is no attempt; Conflict with the rule that it breaks; Uncertain with the key
 * that makes a repeat harmless
 */
export async function recordAttempt(
  deps: AttemptDeps,
  actor: Actor,
  { idempotencyKey, ...request }: Request & { idempotencyKey: string | null },
): Promise<AttemptAnswer> {
  if (idempotencyKey === null) return recordWithoutKey(deps, actor, request);
  return recordWithKey(deps, actor, request, idempotencyKey).catch((error: unknown) => {
    throw repeatable(error, idempotencyKey);
  });
}

/** The attempt's own id is its key: it is stored with it, and looked for when a repeat names it. */
async function recordWithoutKey(deps: AttemptDeps, actor: Actor, request: Request): Promise<AttemptAnswer> {
  const { uncertainAttempts } = deps;
  const now = deps.now();
  const recalling = { accountId: actor.id, ...request };
  const recalled = uncertainAttempts.recall(recalling);
  let id = recalled ?? randomUUID();
  const save = saveOf(request, (held) => {
    if (recalled !== undefined && isOver(held, request.sent, recalled)) id = randomUUID();
    return withAttempt(held, request.sent, { now, id, key: id });
  });
  try {
    const answer = answerOf(await saveUnit(deps, actor, save));
    uncertainAttempts.forget(recalling);
    return answer;
  } catch (error) {
    if (outageOf(error) === 'unknown') uncertainAttempts.remember(recalling, id);
    throw repeatable(error, id);
  }
}

async function recordWithKey(
  deps: SaveDeps,
  actor: Actor,
  request: Request,
  key: string,
): Promise<AttemptAnswer> {
  const { ref, sent } = request;
  const now = deps.now();
  const id = randomUUID();
  const save = saveOf(request, (held) => withAttempt(held, sent, { now, id, key }));
  const claim = { accountId: actor.id, key, request, now };
  return inTransaction(
    deps.db,
    async (tx) => {
      const earlier = await claimKey(tx, claim);
      if (earlier) return answerAgain(await readUnitToSave(tx, actor, ref), sent, earlier);
      const answer = answerOf(await saveHeldUnit(tx, deps, actor, save));
      await storeAnswer(tx, claim, answer.attempt);
      return answer;
    },
    ref.competitionId,
  );
}

const saveOf = ({ ref, sent }: Request, change: UnitSave<Recorded>['change']): UnitSave<Recorded> => ({
  ref,
  bibs: [sent.bib],
  live: true,
  change,
});

const repeatable = (error: unknown, key: string): unknown =>
  outageOf(error) === 'unknown'
    ? new Uncertain('It is not known whether the attempt was recorded', { cause: error, repeatKey: key })
    : error;

const answerOf = ({ unit, result }: UnitSaved<Recorded>): AttemptAnswer => ({ ...result, unit });

const answerAgain = (
  { unit, held }: { unit: SavedUnit; held: HeldUnit },
  sent: SentAttempt,
  attempt: SentTrial,
): AttemptAnswer => ({
  created: false,
  attempt,
  unit,
  warnings: attemptWarnings(sent, held.context.event.eventCode),
});

type Changed<Result> = { record: Record<string, unknown>; result: Result };

/** The id that the attempt gets when it is new, and the key under which it may be there already. */
type Naming = { now: Date; id: string; key: string };

function withAttempt(held: HeldUnit, sent: SentAttempt, naming: Naming): Changed<Recorded> {
  const { row, context } = held;
  const { eventCode } = context.event;
  const rounds = roundsOf(held);
  const normalized = normalizedAttempt(sent, eventCode, rounds);
  requireAthlete(held, sent.bib);
  const trials = trialsOf(row.record);
  const repeated = trials.find((trial) => trial['attempt_id'] === naming.key) ?? null;
  if (repeated && !saysNothingNew(repeated, normalized)) throw new Invalid([OTHER_REQUEST]);
  const { index, existing } = repeated
    ? { index: trials.indexOf(repeated), existing: repeated }
    : positionOf(trials, normalized, eventCode, sent.attempt ?? null);
  const attempt = { ...existing, ...normalized, ...givenTo(existing, trials, naming) };
  const after = existing ? trials.with(index, attempt) : [...trials, attempt];
  const warnings = attemptWarnings(sent, eventCode);
  if (existing && saysNothingNew(existing, normalized)) {
    return { record: row.record, result: { created: false, attempt: existing, warnings } };
  }
  checkAttempts(after, index, eventCode);
  const results = resultsAfter(row.record, after, { bib: sent.bib, eventCode, rounds });
  const record = { ...row.record, ...underWay(row.record), results, trials: after };
  return { record, result: { created: existing === null, attempt, warnings } };
}

/** Whether an attempt that may have been recorded was, and the contest has gone on since: the same sent again is the next one. */
function isOver(held: HeldUnit, sent: SentAttempt, attemptId: string): boolean {
  const trials = trialsOf(held.row.record);
  const at = trials.findIndex((trial) => trial['attempt_id'] === attemptId);
  if (at < 0) return false;
  const normalized = normalizedAttempt(sent, held.context.event.eventCode, roundsOf(held));
  return at < trials.length - 1 || !saysNothingNew(trials[at]!, normalized);
}

// What was uploaded may lack a result, or a wind: one that comes now is news.
const saysNothingNew = (existing: SentTrial, sent: Partial<SentTrial>): boolean =>
  Object.entries(sent).every(([name, value]) => isDeepStrictEqual(existing[name] ?? null, value ?? null));

const roundsOf = ({ row, context }: HeldUnit): number => attemptRounds(row.record['rounds'], context.event);

function requireAthlete({ row, context }: HeldUnit, bib: string): void {
  const result = resultsOf(row.record).find((one) => one.bib === bib);
  if (!result && !context.entered.has(bib)) {
    const msg = `Bib ${bib} is neither in this unit nor entered for the event`;
    throw new Invalid([{ loc: ['body', 'bib'], msg, type: 'unknown_bib' }]);
  }
  const decision = result && decisionOn(result);
  if (decision) throw new Conflict(`Bib ${bib}: the athlete is out (${decision})`);
}

const sequenceOf = ({ sequence }: SentTrial): number => (typeof sequence === 'number' ? sequence : 0);

function givenTo(existing: SentTrial | null, trials: SentTrial[], { now, id }: Naming) {
  const last = trials.reduce((most, trial) => Math.max(most, sequenceOf(trial)), 0);
  return {
    attempt_id: existing?.['attempt_id'] ?? id,
    sequence: existing?.['sequence'] ?? last + 1,
    recorded_at: existing?.['recorded_at'] ?? now.toISOString(),
  };
}

// A sent status stays until sent again, but who records attempts is past the start list.
function underWay(record: Record<string, unknown>) {
  const sent = record['results_status'];
  return typeof sent === 'string' && isBeforeStart(sent) ? { results_status: 'in_progress' } : {};
}

/** @throws NotFound, Forbidden; Conflict for a vertical attempt that is not the athlete's last */
export async function removeAttempt(
  deps: SaveDeps,
  actor: Actor,
  { ref, attemptId }: { ref: UnitRef; attemptId: string },
): Promise<SavedUnit> {
  const change = (held: HeldUnit) => ({ record: withoutAttempt(held, attemptId), result: undefined });
  const { unit } = await saveUnit(deps, actor, { ref, bibs: [], live: true, change });
  return unit;
}

function withoutAttempt(held: HeldUnit, attemptId: string): Record<string, unknown> {
  const { record } = held.row;
  const { eventCode } = held.context.event;
  const trials = trialsOf(record);
  const index = trials.findIndex((trial) => trial['attempt_id'] === attemptId);
  const attempt = trials[index];
  if (!attempt) throw new NotFound('No such attempt in this unit');
  const { bib } = attempt;
  if (isVertical(eventCode) && trials.findLastIndex((trial) => trial.bib === bib) !== index) {
    throw new Conflict(`Bib ${bib}: only the last attempt of an athlete can be taken back`);
  }
  const after = trials.toSpliced(index, 1);
  const results = resultsAfter(record, after, { bib, eventCode, rounds: roundsOf(held) });
  return { ...record, results, trials: after };
}
