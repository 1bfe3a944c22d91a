// The files of a competition: results and start lists for spreadsheets, made page by page.
import { z } from 'zod';
import type { UnitKey } from '../../addresses.ts';
import type { Executor } from '../../db/client.ts';
import {
  type Delimiter,
  type DelimiterName,
  DELIMITERS,
  headerLine,
  line,
  type Row,
} from '../../exchange/csv-write.ts';
import {
  entryRow,
  type People,
  type PublicUnit,
  RESULT_COLUMNS,
  resultRows,
  START_COLUMNS,
  startRows,
} from '../../exchange/results-csv.ts';
import { pathNumber } from '../../http/path.ts';
import { blankAsAbsent } from '../../http/schemas.ts';
import { publicCompetitor } from '../../privacy/public-fields.ts';
import { COMPETITION } from '../../public-paths.ts';
import type { DocumentOfCompetition, Params, Part } from './definition.ts';
import {
  competitorsOf,
  entrantsOf,
  type EventKey,
  eventKeys,
  eventsWithStarters,
  relayTeamsIn,
  type Share,
  unitKeys,
  unitTexts,
} from '../../exchange/files-store.ts';
import { readVersion } from './store.ts';

const DelimiterQuery = z.object({
  delimiter: z
    .preprocess(blankAsAbsent, z.enum(Object.keys(DELIMITERS) as [DelimiterName]).optional())
    .describe(
      'Between the cells: `,` is the default, `;` what spreadsheets of many countries expect, or `tab`',
    ),
});

const fileShape = (columns: readonly string[], example: string) =>
  z.string().meta({
    description: 'UTF-8 with a byte order mark, lines ended by CR LF; the first line names the columns',
    example: `${columns.join(',')}\r\n${example}\r\n`,
  });

const RESULT_EXAMPLE =
  'F1,LJ,Long Jump Women,1,1,Final,+0.4,1,,101,Maren,Okafor,F,,,HTH,Harbour Town Harriers,6.21,,,official';
const START_EXAMPLE =
  'F1,LJ,Long Jump Women,1,1,Final,15:45,,1,101,Maren,Okafor,F,,,HTH,Harbour Town Harriers,6.10,6.30,6.15';

const csvFile = (
  file: Pick<DocumentOfCompetition, 'path' | 'operationId' | 'summary' | 'schema' | 'part' | 'noun'>,
): DocumentOfCompetition => ({
  ...file,
  of: 'competition',
  type: 'text/csv; charset=utf-8',
  query: DelimiterQuery,
  reading: 'snapshot, in turn',
});

const resultsFile = (path: string, operationId: string, whose: string, share: (params: Params) => Share) =>
  csvFile({
    noun: 'part',
    path: `${COMPETITION}${path}/results.csv`,
    operationId,
    summary: `Results of ${whose} for spreadsheets`,
    schema: fileShape(RESULT_COLUMNS, RESULT_EXAMPLE),
    part: (params, query) => partOf('results', query, share(params)),
  });

export const competitionResults = resultsFile('', 'readResultsFile', 'a competition', () => ({}));
export const eventResults = resultsFile(
  '/event/:event_id',
  'readEventResultsFile',
  'an event',
  ({ event_id: eventId }) => ({ eventId }),
);
export const unitResults = resultsFile(
  '/event/:event_id/:round_no/:heat_no',
  'readUnitResultsFile',
  'a unit',
  ({ event_id: eventId, round_no, heat_no }) => ({
    eventId,
    round: pathNumber(round_no, 'unit'),
    heat: pathNumber(heat_no, 'unit'),
  }),
);

export const startList = csvFile({
  noun: 'part',
  path: `${COMPETITION}/startlist.csv`,
  operationId: 'readStartListFile',
  summary: 'Start lists of a competition for spreadsheets; of events that are not seeded yet the entries',
  schema: fileShape(START_COLUMNS, START_EXAMPLE),
  part: (_params, query) => partOf('startlist', query, {}),
});

function partOf(kind: 'results' | 'startlist', query: Params, share: Share): Part {
  const name = (query['delimiter'] ?? ',') as DelimiterName;
  const delimiter = DELIMITERS[name];
  const { eventId = '', round = 0, heat = 0 } = share;
  return {
    key: `${kind}.csv ${name} ${round} ${heat} ${eventId}`,
    async read(db, id, { style }) {
      const version = await readVersion(db, id);
      const keys = await unitKeys(db, id, share);
      const known = keys.length > 0 || (await isThere(db, id, share));
      if (!version || !known) return null;
      const shown = (record: Row) => publicCompetitor(record, version.firstDay, style.publishDateOfBirth);
      const source: Source = { db, id, keys, shown };
      const pieces =
        kind === 'results'
          ? lines(RESULT_COLUMNS, delimiter, results(source))
          : lines(START_COLUMNS, delimiter, starters(source));
      return { pieces, revision: version.revision };
    },
  };
}

/** Whether something without units is there: a competition always is, an event may be. */
async function isThere(db: Executor, id: string, { eventId, round }: Share): Promise<boolean> {
  if (eventId === undefined) return true;
  return round === undefined && (await eventKeys(db, id)).some((event) => event.eventId === eventId);
}

async function* lines(columns: readonly string[], delimiter: Delimiter, rows: AsyncIterable<Row>) {
  yield headerLine(columns, delimiter);
  for await (const row of rows) yield line(columns, row, delimiter);
}

type Source = { db: Executor; id: string; keys: UnitKey[]; shown: (record: Row) => Row };

async function* results(source: Source): AsyncIterable<Row> {
  for await (const { unit, people } of unitsWithPeople(source)) yield* resultRows(unit, people);
}

async function* starters({ db, id, keys, shown }: Source): AsyncIterable<Row> {
  const seeded = await eventsWithStarters(db, id);
  let from = 0;
  for (const event of await eventKeys(db, id)) {
    // Both are in the order of the events.
    const start = from;
    while (keys[from]?.eventId === event.eventId) from += 1;
    const ofEvent = keys.slice(start, from);
    if (!seeded.has(event.eventId)) yield* entrants(event, { db, id, shown });
    else
      for await (const { unit, people } of unitsWithPeople({ db, id, keys: ofEvent, shown }))
        yield* startRows(unit, people);
  }
}

// Each may have thousands of results, and as many people behind them.
const PAGE = 10;
const PEOPLE_PAGE = 1000;

const keyOf = (eventId: string, relayTeamId: string) => `${relayTeamId} ${eventId}`;

async function* unitsWithPeople({ db, id, keys, shown }: Source) {
  for (let from = 0; from < keys.length; from += PAGE) {
    const page = keys.slice(from, from + PAGE);
    const units = (await unitTexts(db, id, page)).map((text) => JSON.parse(text) as PublicUnit);
    const bibs = [...new Set(units.flatMap((unit) => unit.results.map(({ bib }) => bib)))];
    const found = await competitorsOf(db, id, bibs);
    const teams = await relayTeamsIn(db, id, [...new Set(page.map(({ eventId }) => eventId))]);
    const teamOf = new Map(teams.map((team) => [keyOf(team.eventId, team.relayTeamId), team]));
    const people: People = {
      competitor(bib) {
        const row = found.get(bib);
        return row && shown(row.record);
      },
      relayTeam(eventId, bib) {
        const team = teamOf.get(keyOf(eventId, bib));
        return team && { team_id: team.teamId, name: team.name };
      },
    };
    for (const unit of units) yield { unit, people };
  }
}

async function* entrants(
  event: EventKey,
  { db, id, shown }: Pick<Source, 'db' | 'id' | 'shown'>,
): AsyncIterable<Row> {
  const ids = await entrantsOf(db, id, event.eventId);
  for (let from = 0; from < ids.length; from += PEOPLE_PAGE) {
    const page = ids.slice(from, from + PEOPLE_PAGE);
    const found = await competitorsOf(db, id, page);
    for (const one of page) {
      const person = shown(found.get(one)?.record ?? {});
      const entered = (person['events_entered'] ?? []) as Row[];
      for (const entry of entered.filter(({ event_id }) => event_id === event.eventId))
        yield entryRow(event, person, entry);
    }
  }
}
