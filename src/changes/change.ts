// A change as the feed tells of it: where the object is to be read, and the JSON. Pure.
import { cursorText, type Cursor } from './cursor.ts';

export const CHANGE_TYPES = ['competition', 'event', 'unit', 'competitor', 'team', 'relay_team'] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The newest state of an object, as it is stored. Parts of a key that it does not have are '' and 0. */
export type ChangeRow = {
  number: number;
  type: ChangeType;
  competitionId: string;
  year: number;
  countryId: string;
  /** All that its competition was ever in. */
  countries: string;
  slug: string;
  eventId: string;
  objectId: string;
  round: number;
  heat: number;
  revision: number;
  deleted: boolean;
  updatedAt: string;
};

// Nearly all that stands there is plain.
const segment = (text: string) => (/^[\w-]*$/.test(text) ? text : encodeURIComponent(text));

/** The path of the JSON that shows the object; of a deleted one, which showed it. */
export function pathOf({ type, year, countryId, slug, eventId, objectId, round, heat }: ChangeRow): string {
  const competition = `/x/${year}/${countryId}/${slug}`;
  switch (type) {
    case 'competition':
    case 'team':
      return `${competition}/json/`;
    case 'competitor':
      return `${competition}/competitor/${segment(objectId)}/json/`;
    case 'event':
    case 'relay_team':
      return `${competition}/event/${segment(eventId)}/json/`;
    case 'unit':
      return `${competition}/event/${segment(eventId)}/${round}/${heat}/json/`;
    default:
      return type satisfies never;
  }
}

export type Change = ReturnType<typeof changeOf>;

/** @param reading the epoch, and where its reader began */
export const changeOf = (row: ChangeRow, reading: Pick<Cursor, 'epoch' | 'begun'>, origin: string) => ({
  cursor: cursorText({ epoch: reading.epoch, begun: reading.begun, number: row.number }),
  type: row.type,
  competition_id: row.competitionId,
  year: row.year,
  country_id: row.countryId,
  slug: row.slug,
  event_id: row.eventId || null,
  round_no: row.round || null,
  heat_no: row.heat || null,
  competitor_id: row.type === 'competitor' ? row.objectId : null,
  team_id: row.type === 'team' ? row.objectId : null,
  relay_team_id: row.type === 'relay_team' ? row.objectId : null,
  revision: row.revision,
  url: origin + pathOf(row),
  deleted: row.deleted,
  updated_at: row.updatedAt,
});

/** What a reader wants to hear of; undefined is everything. */
export type ChangeFilter = {
  /** Of competitions that are in one of these, or were. */
  countryIds?: string[] | undefined;
  competitionId?: string | undefined;
  types?: ChangeType[] | undefined;
};

/** The filter as the reading statement has it, for changes that are at hand. */
export const isWanted = (row: ChangeRow, { countryIds, competitionId, types }: ChangeFilter): boolean =>
  (types === undefined || types.includes(row.type)) &&
  (competitionId === undefined || row.competitionId === competitionId) &&
  (countryIds === undefined || countryIds.some((country) => row.countries.includes(country)));
