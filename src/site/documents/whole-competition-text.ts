// The text of a whole competition: a frame that stays while results come in, and the units in it. Pure.
import type { Parts, UnitText } from '../../competitions/record-with-parts.ts';
import { openRecord } from '../../competitions/record.ts';
import { withoutPersonalText } from '../../privacy/public-view.ts';
import { overviewChannel } from '../../push/channels.ts';

import type { Names } from './camel-fields.ts';
import { namesIn } from './names.ts';
import { chained, list, mapped, separated } from './pieces.ts';
import { SPELLINGS, type Style } from './style.ts';
import { competitorText } from './competitor-text.ts';
import { timetableMember, type TimetableEntry } from './timetable.ts';
import { eventsWithUnits, type OpenEvent, openEvent } from './event-text.ts';

/** A whole competition without its units. */
export type Frame = { head: string; people: Iterable<string>; events: OpenEvent[] };

export function frameOf(parts: Parts, style: Style): Frame {
  const { competition } = parts;
  const spell = SPELLINGS[style.naming];
  const names = namesIn(parts);
  const record = openRecord(spell.record(competition.recordText));
  return {
    head: `${record},"channels":${JSON.stringify({ overview: overviewChannel(competition) })}`,
    people: chained(
      list('competitors', competitors(parts, names, style)),
      list('teams', shown(parts.teams, competition.year, spell.text)),
      list(
        spell.name('relay_teams'),
        shown(parts.relayTeams, competition.year, (text) => spell.relayTeam(text, names)),
      ),
    ),
    events: parts.events.map((event) => openEvent(event, competition.year, style)),
  };
}

function competitors(parts: Parts, names: Names, style: Style): Iterable<string> {
  const surroundings = { firstDay: parts.competition.date, names };
  return mapped(parts.competitors, ({ record }) => competitorText(record, surroundings, style));
}

const shown = (texts: string[], year: number, spell: (text: string) => string): Iterable<string> =>
  mapped(texts, (text) => spell(withoutPersonalText(text, year)));

/** A frame with the text of its people at hand. */
export type Framed = Omit<Frame, 'people'> & { people: Buffer };

/** Brings the units of these events, in the order of their rounds and heats. */
type UnitsOf = (eventIds: string[]) => Promise<UnitText[]>;

/** The whole competition, in pieces. */
export async function* wholeCompetitionPieces(
  { head, people, events }: Framed,
  { revision, unitsOf }: { revision: string; unitsOf: UnitsOf },
  style: Style,
): AsyncIterable<string | Buffer> {
  yield `${head},"revision":${revision}`;
  yield people;
  yield ',"events":[';
  const timetable: TimetableEntry[] = [];
  let separator = '';
  for await (const page of pagesOf(events, unitsOf)) {
    yield separator;
    separator = ',';
    yield* separated(eventsWithUnits({ ...page, timetable }, style));
  }
  yield `]${timetableMember(timetable)}}`;
}

const EVENTS_A_PAGE = 25;

// The next page is on its way while one is put into the document.
async function* pagesOf(events: OpenEvent[], unitsOf: UnitsOf) {
  const pages = Array.from({ length: Math.ceil(events.length / EVENTS_A_PAGE) }, (_, page) =>
    events.slice(page * EVENTS_A_PAGE, (page + 1) * EVENTS_A_PAGE),
  );
  const read = (page: OpenEvent[]) => unitsOf(page.map(({ eventId }) => eventId));
  let next = pages[0] && read(pages[0]);
  for (const [index, page] of pages.entries()) {
    const units = await next!;
    const following = pages[index + 1];
    next = following && read(following);
    // Thrown where the page is awaited; until then nobody handles it.
    next?.catch(() => {});
    yield { events: page, units };
  }
}
