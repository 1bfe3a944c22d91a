// The competition record: the calendar entry as the API, the lists and the data site show it. Pure.
import type { competitions } from '../db/schema.ts';
import { publicExtra } from '../privacy/public-fields.ts';

type Row = Omit<
  typeof competitions.$inferSelect,
  'recordText' | 'privateText' | 'revision' | 'createdBy' | 'createdAt' | 'updatedAt' | 'nameKey'
>;

/** Every field of the published table, in its order; then fields that were sent beyond it. `events` closes the record. */
export function toRecord(row: Row) {
  return {
    id: row.id,
    full_name: row.fullName,
    short_name: row.shortName,
    slug: row.slug,
    name_local: row.nameLocal,
    country_id: row.countryId,
    address: row.address,
    city: row.city,
    venue_id: row.venueId,
    latitude: row.latitude,
    longitude: row.longitude,
    altitude: row.altitude,
    date: row.date,
    finish_date: row.finishDate,
    year: row.year,
    wa_rankings_category_id: row.waRankingsCategoryId,
    age_groups: row.ageGroups,
    national_id: row.nationalId,
    basic_description: row.basicDescription,
    contact_details: row.contactDetails,
    organiser_id: row.organiserId,
    website: row.website,
    entry_link: row.entryLink,
    results_link: row.resultsLink,
    override_token: null,
    ...row.extra,
    events: null,
  };
}

export type CompetitionRecord = ReturnType<typeof toRecord>;

const EVENTS = ',"events":null}';

/** The record as everybody may read it. */
export const toPublicRecord = (row: Row): CompetitionRecord =>
  toRecord({ ...row, extra: publicExtra(row.extra, row.year) });

/** The texts of a row: what everybody may read, and what those who may edit read where it is more. */
export function recordTexts(row: Row): { recordText: string; privateText: string | null } {
  const [recordText, whole] = [JSON.stringify(toPublicRecord(row)), JSON.stringify(toRecord(row))];
  return { recordText, privateText: whole === recordText ? null : whole };
}

/** The start of a document that continues where the record's `events` would stand. */
export function openRecord(text: string): string {
  return text.endsWith(EVENTS) ? text.slice(0, -EVENTS.length) : text.slice(0, -1);
}
