// From what was sent to the row that is stored, for a new competition and for a partial update. Pure.
import { Invalid, type Issue } from '../errors.ts';
import { nameKey, slugOf } from './names.ts';
import { recordTexts } from './record.ts';
import { CompetitionCreate, type CompetitionUpdate } from './schemas.ts';
import type { CompetitionRow, NewCompetition } from './store.ts';

type Fields = Omit<NewCompetition, 'revision' | 'recordText' | 'privateText' | 'id'> & { id: string };

/** Names that the service computes: under them nothing is kept. */
export const COMPUTED_FIELDS: ReadonlySet<string> = new Set([
  'channels',
  'channel',
  'revision',
  'updated_at',
  'country_ioc',
]);

/** Fields beyond the published ones: kept as sent. */
function extraOf(sent: Record<string, unknown>): Record<string, unknown> {
  const known = CompetitionCreate.shape;
  return Object.fromEntries(
    Object.entries(sent).filter(([name]) => !Object.hasOwn(known, name) && !COMPUTED_FIELDS.has(name)),
  );
}

/** A new competition's row, without its revision. */
export function newCompetition(sent: CompetitionCreate, id: string) {
  return withText({
    id,
    fullName: sent.full_name,
    countryId: sent.country_id,
    date: sent.date,
    finishDate: sent.finish_date ?? sent.date,
    year: yearOf(sent.date),
    slug: sent.slug ?? slugOf(sent.full_name, sent.date),
    nameKey: nameKey(sent.full_name),
    pushNotifications: false,
    ...plainFields(sent, blank),
    extra: extraOf(sent),
  });
}

/** The row after a partial update. @throws Invalid when the merged dates contradict each other */
export function mergedCompetition(row: CompetitionRow, sent: CompetitionUpdate) {
  const date = sent.date ?? row.date;
  const fullName = sent.full_name ?? row.fullName;
  const merged = {
    ...row,
    fullName,
    nameKey: nameKey(fullName),
    countryId: sent.country_id ?? row.countryId,
    date,
    finishDate: sent.finish_date === undefined ? row.finishDate : (sent.finish_date ?? date),
    year: yearOf(date),
    slug: sent.slug ?? row.slug,
    ...plainFields(sent, row),
    extra: { ...row.extra, ...extraOf(sent) },
  };
  const issues = contradictions(row, sent, merged);
  if (issues.length) throw new Invalid(issues);
  return withText(merged);
}

function contradictions(row: CompetitionRow, sent: CompetitionUpdate, merged: CompetitionRow): Issue[] {
  const issues: Issue[] = [];
  const fault = (field: string, msg: string) =>
    issues.push({ loc: ['body', field], msg, type: 'value_error' });
  if (merged.finishDate < merged.date) {
    const field = sent.finish_date === undefined ? 'date' : 'finish_date';
    fault(field, `finish_date ${merged.finishDate} must not be before date ${merged.date}`);
  }
  if (sent.year != null && sent.year !== merged.year)
    fault('year', `Must be the year of date, ${merged.year}`);
  if (sent.id != null && sent.id !== row.id) fault('id', 'The id of a competition cannot be changed');
  return issues;
}

const yearOf = (date: string) => Number(date.slice(0, 4));

const withText = <Row extends Fields>(row: Row) => ({ ...row, ...recordTexts(complete(row)) });

// Row as a select returns it; toRecord reads no column that the insert leaves to a default.
const complete = (row: Fields) => row as unknown as CompetitionRow;

const blank = {
  shortName: '',
  nameLocal: '',
  address: '',
  city: '',
  venueId: null,
  latitude: null,
  longitude: null,
  altitude: null,
  waRankingsCategoryId: null,
  ageGroups: null,
  nationalId: '',
  basicDescription: '',
  contactDetails: '',
  organiserId: null,
  website: null,
  entryLink: null,
  resultsLink: null,
};

const nullable = <Value>(value: Value | undefined, stored: Value) => (value === undefined ? stored : value);
const text = (value: string | null | undefined, stored: string) =>
  value === undefined ? stored : (value ?? '');

/** Optional fields: what is not sent stays, null and "" clear. */
function plainFields(sent: CompetitionUpdate, before: typeof blank | CompetitionRow) {
  return {
    shortName: text(sent.short_name, before.shortName),
    nameLocal: text(sent.name_local, before.nameLocal),
    address: text(sent.address, before.address),
    city: text(sent.city, before.city),
    venueId: nullable(sent.venue_id, before.venueId),
    latitude: nullable(sent.latitude, before.latitude),
    longitude: nullable(sent.longitude, before.longitude),
    altitude: nullable(sent.altitude, before.altitude),
    waRankingsCategoryId: nullable(sent.wa_rankings_category_id, before.waRankingsCategoryId),
    ageGroups: nullable(sent.age_groups, before.ageGroups),
    nationalId: text(sent.national_id, before.nationalId),
    basicDescription: text(sent.basic_description, before.basicDescription),
    contactDetails: text(sent.contact_details, before.contactDetails),
    organiserId: nullable(sent.organiser_id, before.organiserId),
    website: nullable(sent.website, before.website),
    entryLink: nullable(sent.entry_link, before.entryLink),
    resultsLink: nullable(sent.results_link, before.resultsLink),
  };
}
