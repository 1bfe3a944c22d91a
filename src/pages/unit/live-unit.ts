// The facts of a unit on a page from which the browser draws it again. Pure.
import type { Order } from './order.ts';

/** What the event says of its attempts, as it was sent. */
export type Contest = { maxAttempts?: unknown; cutAfterRound?: unknown; cutSurvivors?: unknown };

/** What an event says of it. */
export const contestOf = (event: Record<string, unknown>): Contest => ({
  maxAttempts: event['max_field_attempts'],
  cutAfterRound: event['cut_after_round'],
  cutSurvivors: event['cut_survivors'],
});

export type LiveUnit = {
  /** Path of the unit's JSON. */
  url: string;
  channel: string;
  /** Path of the competition's page in the page's language; absent where athletes are no links. */
  base?: string;
  /** Path of the unit's page in the page's language; absent where its name is no link. */
  page?: string;
  contest: Contest;
  isParent: boolean;
  order: Order;
  withEvent?: boolean;
  /** Drawn for who speaks in the stadium. */
  announcer?: boolean;
};

export const competitorHref =
  (base: string) =>
  (bib: string): string =>
    `${base}competitor/${encodeURIComponent(bib)}/`;
