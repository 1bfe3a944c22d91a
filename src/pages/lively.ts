// The competitions that are live: units of theirs are under way, or results have just been saved. One rule for every list.
import type { Executor } from '../db/client.ts';
import { isBeforeStart } from '../units/rules/state.ts';
import { type Standing, standingsOf } from './entrance-store.ts';
import { dayFrom, type ListedCompetition } from './listed-competition.ts';
import { unitState } from './unit/state.ts';

const LATELY_MS = 10 * 60_000;

/** The ids of those of some competitions that are live. */
export async function readLively(
  db: Executor,
  competitions: readonly ListedCompetition[],
  now: Date,
): Promise<Set<string>> {
  // Wherever on earth it is that day.
  const [yesterday, tomorrow] = [dayFrom(now, -1), dayFrom(now, 1)];
  const about = competitions.filter(({ date, finishDate }) => date <= tomorrow && finishDate >= yesterday);
  if (about.length === 0) return new Set();
  const standings = await standingsOf(
    db,
    about.map(({ id }) => id),
  );
  return new Set(standings.filter((one) => isLively(one, now)).map(({ id }) => id));
}

/** Under way, or with results that have just been saved: a start list that was sent a moment ago is not yet a meeting. */
function isLively({ status, resultsStatus, savedAt }: Standing, now: Date): boolean {
  if (unitState({ status, results_status: resultsStatus }) === 'live') return true;
  return !isBeforeStart(resultsStatus) && now.getTime() - savedAt.getTime() < LATELY_MS;
}
