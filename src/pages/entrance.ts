// The content of the entrance: what is live, today, next and over, and what a search finds.
import { nameKey } from '../competitions/names.ts';
import type { Executor } from '../db/client.ts';
import { isResultsState, RESULTS_STATUSES } from '../units/rules/state.ts';
import {
  competitionsAbout,
  competitionsBetween,
  competitionsNamed,
  competitionsWithResults,
} from './entrance-store.ts';
import { dayFrom, type ListedCompetition, stateOn } from './listed-competition.ts';
import { readLively } from './lively.ts';

export type Entrance = {
  today: string;
  /** Ids of all that are live. */
  lively: string[];
  live: ListedCompetition[];
  now: ListedCompetition[];
  next: ListedCompetition[];
  ended: ListedCompetition[];
};

const NEXT_DAYS = 14;
const MOST = { now: 100, next: 50, ended: 12, found: 50 };

export async function readEntrance(db: Executor, now: Date): Promise<Entrance> {
  const today = dayFrom(now);
  const asked = { today, states: RESULTS_STATUSES.filter(isResultsState), atMost: MOST.ended };
  const days = { from: dayFrom(now, 1), to: dayFrom(now, NEXT_DAYS), atMost: MOST.next };
  const [about, next, ended] = await Promise.all([
    competitionsAbout(db, today),
    competitionsBetween(db, days),
    competitionsWithResults(db, asked),
  ]);
  const lively = await readLively(db, about, now);
  const isQuiet = ({ id }: ListedCompetition) => !lively.has(id);
  return {
    today,
    lively: [...lively],
    live: about.filter(({ id }) => lively.has(id)).slice(0, MOST.now),
    now: about.filter((one) => isQuiet(one) && stateOn(today, one) === 'today').slice(0, MOST.now),
    next: next.filter(isQuiet),
    ended: ended.filter(isQuiet),
  };
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
