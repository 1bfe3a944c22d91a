// The definition of a page. Each file named …-page.tsx exports one; routes.ts lists them.
import type { Address } from '../addresses.ts';
import type { Executor } from '../db/client.ts';
import type { Params, Reading } from '../site/documents/definition.ts';
import type { Page } from './frame/page.ts';

/** A page of a competition or of a part of it: drawn once for each revision, language and way in which it is asked for. */
export type PageOfCompetition = {
  /** Below the competition's own path: '' or '/event/:event_id'. */
  path: string;
  /** The word for it in the refusal when there is none. */
  noun: string;
  reading: Reading;
  /** Whether pages of other sites may show it in a frame. */
  framed?: boolean;
  /** The part that a path and query ask for. @throws NotFound when there cannot be one */
  part(params: Params, query: Query): PagePart;
};

/** Unknown parameters and values are ignored. */
export type Query = Record<string, string | undefined>;

export type PagePart = {
  /** Its name among the pages of the competition. */
  key: string;
  /** Null when the competition has no such part. */
  read(
    db: Executor,
    competitionId: string,
    address: Address,
  ): Promise<{ page: Page; revision: string } | null>;
};

/** The path of a competition's page, without the language. */
export const competitionPath = ({ year, countryId, slug }: Address): string =>
  `/x/${year}/${countryId}/${slug}/`;

/** The path of a unit's page, without the language. */
export const unitPath = (
  address: Address,
  { eventId, round, heat }: { eventId: string; round: number; heat: number },
): string => `${eventPath(address, eventId)}${round}/${heat}/`;

export const eventPath = (address: Address, eventId: string): string =>
  `${competitionPath(address)}event/${encodeURIComponent(eventId)}/`;

export const roundPath = (address: Address, eventId: string, round: number): string =>
  `${eventPath(address, eventId)}${round}/`;

export const competitorsPath = (address: Address): string => `${competitionPath(address)}competitors/`;

export const competitorPath = (address: Address, competitorId: string): string =>
  `${competitionPath(address)}competitor/${encodeURIComponent(competitorId)}/`;

/** The JSON beside a page, in the spelling that the pages read whatever DATA_SITE_CASE says. */
export const jsonOf = (path: string): string => `${path}json/?case=snake`;
