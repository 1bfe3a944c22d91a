// The facts of a unit on a page from which the browser draws it again. Pure.
import type { Order } from './order.ts';

/** What the event says of its attempts, as it was sent. */
export type Contest = { maxAttempts?: unknown; cutAfterRound?: unknown };

export type LiveUnit = {
  /** Path of the unit's JSON. */
  url: string;
  channel: string;
  /** Path of the competition's page in the page's language; absent where athletes are no links. */
  base?: string;
  contest: Contest;
  isParent: boolean;
  order: Order;
  withEvent?: boolean;
};

export const competitorHref =
  (base: string) =>
  (bib: string): string =>
    `${base}competitor/${encodeURIComponent(bib)}/`;
