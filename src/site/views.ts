// The documents of the data site, put together from stored texts. Pure.
import { publicCompetitor, type Parts, type UnitText } from '../competitions/record-with-parts.ts';
import { openRecord } from '../competitions/record.ts';
import { overviewChannel } from '../push/channels.ts';
import { withoutBirthDates } from '../birth-dates.ts';
import { unitsByEvent } from '../units/rules/by-event.ts';
import { isRelay } from '../units/rules/disciplines.ts';
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

/** A whole competition without its units: what stays the same while results come in. */
export type Frame = { head: string; people: Iterable<string>; events: { eventId: string; open: string }[] };

export function frameOf(sections: Parts, style: Style): Frame {
  const { competition } = sections;
  const spell = SPELLINGS[style.naming];
  const parts = (texts: string[]) => mapped(texts, (text) => spell.text(withoutBirthDates(text)));
  const record = openRecord(spell.record(withoutBirthDates(competition.recordText)));
  return {
    head: `${record},"channels":${JSON.stringify({ overview: overviewChannel(competition) })}`,
    people: chained(
      list('competitors', competitors(sections, style)),
      list('teams', parts(sections.teams)),
      list(spell.name('relay_teams'), parts(sections.relayTeams)),
    ),
    events: sections.events.map(({ eventId, text }) => ({ eventId, open: openEvent(text, style) })),
  };
}

/** With the text of its people at hand. */
export type Framed = Omit<Frame, 'people'> & { people: Buffer };
type EventPart = Framed['events'][number];

/**
 * The whole competition, in pieces.
 * @param unitsOf brings the units of these events, in the order of their rounds and heats
 */
export async function* wholeCompetition(
  { head, people, events }: Framed,
  revision: string,
  unitsOf: (eventIds: string[]) => Promise<UnitText[]>,
  style: Style,
): AsyncIterable<string | Buffer> {
  yield `${head},"revision":${revision}`;
  yield people;
  yield ',"events":[';
  let separator = '';
  for await (const page of pagesOf(events, unitsOf)) {
    yield separator;
    separator = ',';
    yield* separated(eventsWithUnits(page.events, page.units, style));
  }
  yield ']}';
}

const EVENTS_A_PAGE = 25;

// The next page is on its way while one is put into the document.
async function* pagesOf(events: EventPart[], unitsOf: (eventIds: string[]) => Promise<UnitText[]>) {
  const pages = Array.from({ length: Math.ceil(events.length / EVENTS_A_PAGE) }, (_, page) =>
    events.slice(page * EVENTS_A_PAGE, (page + 1) * EVENTS_A_PAGE),
  );
  const read = (page: EventPart[]) => unitsOf(page.map(({ eventId }) => eventId));
  let next = pages[0] && read(pages[0]);
  for (const [index, page] of pages.entries()) {
    const units = await next!;
    const following = pages[index + 1];
    next = following && read(following);
    // Its failure is seen when its turn comes.
    next?.catch(() => {});
    yield { events: page, units };
  }
}

/** One event with its units. */
export const eventDocument = (
  { eventId, text }: Parts['events'][number],
  units: UnitText[],
  style: Style,
): Iterable<string> => eventsWithUnits([{ eventId, open: openEvent(text, style) }], units, style);

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
  const person = competitorText(record, firstDay, style);
  const results = units.flatMap((text) => resultsIn(text, String(record['competitor_id']), relayTeams));
  return SPELLINGS[style.naming].text(`${person.slice(0, -1)},"results":${JSON.stringify(results)}}`);
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

function competitors({ competitors: people, competition }: Parts, style: Style): Iterable<string> {
  const spell = SPELLINGS[style.naming];
  return mapped(people, ({ record }) => spell.text(competitorText(record, competition.date, style)));
}

function competitorText(
  record: Record<string, unknown>,
  firstDay: string,
  { publishDateOfBirth }: Style,
): string {
  const text = JSON.stringify(publicCompetitor(record, firstDay, publishDateOfBirth));
  return publishDateOfBirth ? text : withoutBirthDates(text);
}

// Up to where its units stand.
const openEvent = (text: string, { naming }: Style): string =>
  SPELLINGS[naming].text(withoutBirthDates(text)).slice(0, -1);

function eventsWithUnits(events: EventPart[], units: UnitText[], { naming }: Style): Iterable<string> {
  const spell = SPELLINGS[naming];
  const unitsOf = unitsByEvent(units);
  return mapped(events, ({ eventId, open }) => {
    const texts = unitsOf(eventId).map(({ text }) => spell.text(text));
    return `${open},"units":[${texts.join(',')}]}`;
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

function* chained<Item>(...lists: Iterable<Item>[]): Iterable<Item> {
  for (const items of lists) yield* items;
}

function* mapped<From>(items: Iterable<From>, change: (item: From) => string): Iterable<string> {
  for (const item of items) yield change(item);
}
