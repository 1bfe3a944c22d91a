// The content of the entrance: what is live, today, next and over, and what a search finds.
import { nameKey } from '../competitions/names.ts';
import type { Executor } from '../db/client.ts';
import { isBeforeStart, isResultsState, RESULTS_STATUSES } from '../units/rules/state.ts';
import {
  competitionsAbout,
  competitionsBetween,
  competitionsNamed,
  competitionsWithResults,
  type Standing,
  standingsOf,
} from './entrance-store.ts';
import { dayFrom, type ListedCompetition, stateOn } from './listed-competition.ts';
import { unitState } from './unit/state.ts';

export type Entrance = {
  today: string;
  live: ListedCompetition[];
  now: ListedCompetition[];
  next: ListedCompetition[];
  ended: ListedCompetition[];
};

const NEXT_DAYS = 14;
const MOST = { now: 100, next: 50, ended: 12, found: 50 };
const LATELY_MS = 10 * 60_000;

export async function readEntrance(db: Executor, now: Date): Promise<Entrance> {
  const today = dayFrom(now);
  const asked = { today, states: RESULTS_STATUSES.filter(isResultsState), atMost: MOST.ended };
  const days = { from: dayFrom(now, 1), to: dayFrom(now, NEXT_DAYS), atMost: MOST.next };
  const [about, next, ended] = await Promise.all([
    competitionsAbout(db, today),
    competitionsBetween(db, days),
    competitionsWithResults(db, asked),
  ]);
  const standings = await standingsOf(
    db,
    about.map(({ id }) => id),
  );
  const lively = new Set(standings.filter((one) => isLively(one, now)).map(({ id }) => id));
  const isQuiet = ({ id }: ListedCompetition) => !lively.has(id);
  return {
    today,
    live: about.filter(({ id }) => lively.has(id)).slice(0, MOST.now),
    now: about.filter((one) => isQuiet(one) && stateOn(today, one) === 'today').slice(0, MOST.now),
    next: next.filter(isQuiet),
    ended: ended.filter(isQuiet),
  };
}

/** Under way, or with results that have just been saved: a start list that was sent a moment ago is not yet a meeting. */
function isLively({ status, resultsStatus, savedAt }: Standing, now: Date): boolean {
  if (unitState({ status, results_status: resultsStatus }) === 'live') return true;
  return !isBeforeStart(resultsStatus) && now.getTime() - savedAt.getTime() < LATELY_MS;
}

const TEXT_LENGTH = 100;
const MOST_WORDS = 8;

/** A text of a query as it is searched for; empty when there is nothing to search. */
export const searchText = (text: unknown): string =>
  typeof text === 'string' ? text.replaceAll('\0', '').trim().slice(0, TEXT_LENGTH) : '';

/** Its words, folded as the names of competitions are. */
export const searchWords = (text: string): string[] =>
  nameKey(text).split(' ').filter(Boolean).slice(0, MOST_WORDS);

export const searchByName = (db: Executor, text: string, now: Date): Promise<ListedCompetition[]> =>
  competitionsNamed(db, { words: searchWords(text), today: dayFrom(now), atMost: MOST.found });
