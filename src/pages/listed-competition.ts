// A competition as lists show it, and how it stands on a day. Pure.
import type { Address } from '../addresses.ts';

export type ListedCompetition = Address & {
  id: string;
  fullName: string;
  city: string;
  date: string;
  finishDate: string;
};

export type CompetitionState = 'live' | 'today' | 'coming' | 'over';

/** @param today as YYYY-MM-DD */
export function stateOn(today: string, { date, finishDate }: ListedCompetition): CompetitionState {
  if (date > today) return 'coming';
  return finishDate < today ? 'over' : 'today';
}

/** How a competition stands in a list: live whatever the day may be, else by its days. */
export function stateAmong(today: string, lively: Iterable<string>) {
  const live = new Set(lively);
  return (competition: ListedCompetition): CompetitionState =>
    live.has(competition.id) ? 'live' : stateOn(today, competition);
}

/** The UTC day that many days from a time. */
export const dayFrom = (now: Date, days = 0): string =>
  new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
