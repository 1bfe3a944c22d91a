// Results of a competition in the form of the World Athletics result import, read page by page.
import type { Executor, Tx } from '../db/client.ts';
import {
  competitionOf,
  competitorPages,
  competitorsOf,
  eventKeys,
  eventOf,
  parentsIn,
  relayTeamsIn,
  teamsOf,
  unitKeys,
  unitTexts,
} from './files-store.ts';
import { type WaEvent, waFile, waReport, type WaSource } from './wa-file.ts';
import type { People } from './wa-people.ts';
import type { ShownUnit } from './wa-race.ts';

/** What the answer is made from, as the snapshot has it; null when there is no such competition. */
export async function readWaResults(tx: Tx, id: string, { report }: { report: boolean }) {
  const competition = await competitionOf(tx, id);
  if (!competition) return null;
  const source: WaSource = {
    competition,
    parents: await parentsIn(tx, id),
    events: () => eventsOf(tx, id),
    competitors: (positions) => competitorsAt(tx, id, positions),
  };
  return { pieces: report ? waReport(source) : waFile(source), revision: competition.revision };
}

/** The revision of everything in a competition; null when there is none. */
export const waVersion = async (db: Executor, id: string): Promise<string | null> =>
  (await competitionOf(db, id))?.revision ?? null;

async function* competitorsAt(tx: Tx, id: string, positions: ReadonlySet<number>) {
  for await (const page of competitorPages(tx, id, 'athletes'))
    yield* page.filter(({ position }) => positions.has(position));
}

async function* eventsOf(tx: Tx, id: string): AsyncIterable<WaEvent> {
  for (const { eventId } of await eventKeys(tx, id)) {
    const event = (await eventOf(tx, id, eventId))!;
    const keys = await unitKeys(tx, id, { eventId });
    yield { ...event, keys, units: unitsOf(tx, id, event.eventId, keys) };
  }
}

// Each may have thousands of results.
const PAGE = 10;

async function* unitsOf(tx: Tx, id: string, eventId: string, keys: WaEvent['keys']) {
  const relays = new Map((await relayTeamsIn(tx, id, [eventId])).map((team) => [team.relayTeamId, team]));
  for (let from = 0; from < keys.length; from += PAGE) {
    const page = keys.slice(from, from + PAGE).map(({ round, heat }) => ({ eventId, round, heat }));
    const units = (await unitTexts(tx, id, page)).map((text) => JSON.parse(text) as ShownUnit);
    const bibs = new Set(units.flatMap(({ results }) => results.map(({ bib }) => bib)));
    const teamIds = [...bibs].flatMap((bib) => relays.get(bib)?.teamId ?? bib);
    const runners = [...bibs].flatMap((bib) => runnersOf(relays.get(bib)?.record));
    const teams = await teamsOf(tx, id, [...new Set(teamIds)]);
    const competitors = await competitorsOf(tx, id, [...new Set([...bibs, ...runners])]);
    const people: People = {
      competitor: (one) => competitors.get(one),
      relayTeam: (one) => relays.get(one),
      team: (one) => teams.get(one),
    };
    for (const unit of units) yield { unit, people };
  }
}

const runnersOf = (record: Record<string, unknown> = {}): string[] =>
  Array.isArray(record['runners']) ? record['runners'].map(String) : [];
