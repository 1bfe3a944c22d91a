// The documents of the data site, put together from stored texts. Pure.
import { type Contents, publicCompetitor } from '../competitions/contents.ts';
import { openRecord } from '../competitions/record.ts';
import { overviewChannel } from '../push/channels.ts';
import { withoutBirthDates } from '../units/birth-dates.ts';
import { isRelay } from '../units/disciplines.ts';
import { camelName, camelRecordText, camelText } from './camel.ts';

/** What of a competition is shown. */
export type View =
  | { kind: 'whole' }
  | { kind: 'event'; eventId: string; round?: number }
  | { kind: 'unit'; eventId: string; round: number; heat: number }
  | { kind: 'competitor'; competitorId: string };

/** Names the view among those of one competition. */
export function viewKey(view: View): string {
  switch (view.kind) {
    case 'whole':
      return 'whole';
    case 'unit':
      return `unit ${view.round} ${view.heat} ${view.eventId}`;
    case 'event':
      return `event ${view.round ?? 0} ${view.eventId}`;
    case 'competitor':
      return `competitor ${view.competitorId}`;
    default:
      return view satisfies never;
  }
}

export type Naming = 'snake' | 'camel';
export type Style = { naming: Naming; publishDateOfBirth: boolean };

/** How names are spelled: the stored texts are in snake case. */
type Spelling = {
  name: (name: string) => string;
  text: (json: string) => string;
  record: (json: string) => string;
};
const asStored = (text: string) => text;
const SPELLINGS: Record<Naming, Spelling> = {
  snake: { name: asStored, text: asStored, record: asStored },
  camel: { name: camelName, text: camelText, record: camelRecordText },
};

/** The whole competition, in pieces: there are thousands, and other work may go on between them. */
export function* wholeCompetition(contents: Contents, style: Style): Iterable<string> {
  const { competition, units } = contents;
  const spell = SPELLINGS[style.naming];
  const parts = (texts: string[]) => mapped(texts, (text) => spell.text(withoutBirthDates(text)));
  const revision = units.reduce((last, unit) => Math.max(last, unit.revision), competition.revision);
  yield openRecord(spell.record(withoutBirthDates(competition.recordText)));
  yield `,"channels":${JSON.stringify({ overview: overviewChannel(competition) })},"revision":${revision}`;
  yield* list('competitors', competitors(contents, style));
  yield* list('teams', parts(contents.teams));
  yield* list(spell.name('relay_teams'), parts(contents.relayTeams));
  yield* list('events', events(contents, style));
  yield '}';
}

/** One event with its units, in pieces; with those of one round when the contents hold no others. */
export function* eventDocument(contents: Pick<Contents, 'events' | 'units'>, style: Style): Iterable<string> {
  yield* events(contents, style);
}

export function unitDocument(text: string, { naming }: Style): string {
  return SPELLINGS[naming].text(text);
}

/** Calendar records as an array, in pieces. */
export function* calendarDocument(records: string[], { naming }: Style): Iterable<string> {
  yield '[';
  yield* separated(mapped(records, (text) => SPELLINGS[naming].record(withoutBirthDates(text))));
  yield ']';
}

type RelayTeam = { eventId: string; relayTeamId: string };

/** A competitor with the results of all units, those of the relay teams they run in among them. */
export function competitorDocument(
  { record, firstDay }: { record: Record<string, unknown>; firstDay: string },
  units: string[],
  relayTeams: RelayTeam[],
  style: Style,
): string {
  const person = publicCompetitor(record, firstDay, style.publishDateOfBirth);
  const shown = JSON.stringify(person);
  const results = units.flatMap((text) => resultsIn(text, String(record['competitor_id']), relayTeams));
  const open = style.publishDateOfBirth ? shown : withoutBirthDates(shown);
  return SPELLINGS[style.naming].text(`${open.slice(0, -1)},"results":${JSON.stringify(results)}}`);
}

type ShownUnit = Record<string, unknown> & {
  event_id: string;
  event_code: string;
  results: { bib: string }[];
};

function resultsIn(text: string, competitorId: string, relayTeams: RelayTeam[]): object[] {
  const unit = JSON.parse(text) as ShownUnit;
  const { event_id, event_code, event_name, round_no, heat_no, heat_name, results_status } = unit;
  const ofEvent = relayTeams.filter(({ eventId }) => eventId === event_id);
  const bibs = isRelay(event_code) ? [] : [competitorId];
  const wanted = new Set([...bibs, ...ofEvent.map(({ relayTeamId }) => relayTeamId)]);
  return unit.results
    .filter(({ bib }) => wanted.has(bib))
    .map((result) => ({
      ...result,
      event_id,
      event_code,
      event_name,
      round_no,
      heat_no,
      heat_name,
      results_status,
    }));
}

function competitors({ competitors: people, competition }: Contents, style: Style): Iterable<string> {
  const { naming, publishDateOfBirth } = style;
  return mapped(people, ({ record }) => {
    const text = JSON.stringify(publicCompetitor(record, competition.date, publishDateOfBirth));
    return SPELLINGS[naming].text(publishDateOfBirth ? text : withoutBirthDates(text));
  });
}

function events({ events: all, units }: Pick<Contents, 'events' | 'units'>, { naming }: Style) {
  const spell = SPELLINGS[naming];
  const byEvent = new Map<string, string[]>(all.map(({ eventId }) => [eventId, []]));
  for (const unit of units) byEvent.get(unit.eventId)?.push(unit.text);
  return mapped(all, ({ eventId, text }) => {
    const open = spell.text(withoutBirthDates(text)).slice(0, -1);
    return `${open},"units":[${byEvent.get(eventId)!.map(spell.text).join(',')}]}`;
  });
}

function* list(name: string, items: Iterable<string>): Iterable<string> {
  yield `,"${name}":[`;
  yield* separated(items);
  yield ']';
}

function* separated(items: Iterable<string>): Iterable<string> {
  let first = true;
  for (const item of items) {
    yield first ? item : `,${item}`;
    first = false;
  }
}

function* mapped<From>(items: Iterable<From>, change: (item: From) => string): Iterable<string> {
  for (const item of items) yield change(item);
}
