// Rows of a .lif matched with the starters of a race: by bib, relays by team code, else by lane. Pure.
import type { Lif, LifRow } from '../exchange/lif.ts';
import { announcedTime, timeText } from '../exchange/times.ts';
import { isRelay } from '../units/rules/disciplines.ts';
import { resultsOf } from '../units/rules/field-results.ts';
import type { Names } from '../units/saving/record.ts';
import type { SentResult } from '../units/schemas.ts';
import { relayTeamOf } from './relay-codes.ts';
import { laneOf } from './start-lists.ts';

export type Unmatched = { line: number; reason: string };

/** The race as it is stored, and the relay teams of its event by code. */
export type Race = {
  record: Record<string, unknown>;
  eventId: string;
  eventCode: string;
  names: Names;
  codes: ReadonlyMap<string, string>;
};

export type MatchedRows = { results: SentResult[]; matched: number; unmatched: Unmatched[] };

/** The results of the race with those of the file in them; who is not in the file stays as he is. */
export function matchedRows({ rows }: Lif, race: Race): MatchedRows {
  const stored = resultsOf(race.record);
  const found = new Map<string, { row: LifRow; stranger: boolean }>();
  const unmatched: Unmatched[] = [];
  // Who has a bib in the file is not taken for somebody else by the lane.
  const inOrder = rows.toSorted((a, b) => Number(a.id === '') - Number(b.id === '') || a.line - b.line);
  for (const row of inOrder) {
    const match = starterOf(row, race, stored);
    const taken = match.bib !== undefined && found.has(match.bib);
    if (match.bib !== undefined && !taken) found.set(match.bib, { row, stranger: false });
    else {
      const reason = taken
        ? `${match.bib} is in line ${found.get(match.bib!)!.row.line} already`
        : match.reason;
      unmatched.push({ line: row.line, reason: reason ?? 'Nobody like this' });
      found.set(strangerBib(row, found), { row, stranger: true });
    }
  }
  const results = stored.map((result) => {
    const match = found.get(result.bib);
    return match ? withRow(result, match, race) : result;
  });
  const known = new Set(stored.map(({ bib }) => bib));
  const added = [...found]
    .filter(([bib]) => !known.has(bib))
    .toSorted(([, a], [, b]) => a.row.line - b.row.line);
  return {
    results: [...results, ...added.map(([bib, match]) => withRow({ bib }, match, race))],
    matched: found.size - unmatched.length,
    unmatched: unmatched.toSorted((a, b) => a.line - b.line),
  };
}

type Match = { bib?: string; reason?: string };

function starterOf(row: LifRow, race: Race, stored: SentResult[]): Match {
  const relay = isRelay(race.eventCode) || race.codes.size > 0;
  if (row.id !== '') {
    if (isKnown(row.id, race, stored)) return { bib: row.id };
    return { reason: `No competitor has the bib ${row.id}` };
  }
  const bib = relay ? teamIn(row.affiliation, race, stored) : undefined;
  if (bib !== undefined) return { bib };
  if (row.lane === null)
    return { reason: relay ? `No relay team ${row.affiliation}` : 'Neither a bib nor a lane' };
  const own = strangerBib(row, new Map());
  const inLane = stored.filter((result) => laneOf(result) === row.lane && result.bib !== own);
  const one = inLane.length > 1 ? inLane.filter(({ bib: id }) => isNamed(row, id, race)) : inLane;
  if (one.length === 1) return { bib: one[0]!.bib };
  return { reason: inLane.length > 1 ? `Several are in lane ${row.lane}` : `Nobody is in lane ${row.lane}` };
}

/** Somebody of the competition, or a starter who was not stored for lack of one. */
const isKnown = (bib: string, { names, eventId }: Race, stored: SentResult[]): boolean =>
  names.competitor(bib) !== undefined ||
  names.relayTeam(eventId, bib) !== undefined ||
  names.team(bib) !== undefined ||
  stored.some((result) => result.bib === bib && !result.athlete_name && !result.team_name);

const isNamed = ({ last }: LifRow, bib: string, { names }: Race): boolean =>
  names.competitor(bib)?.lastName.toLowerCase() === last.toLowerCase();

function teamIn(affiliation: string, { codes, names }: Race, stored: SentResult[]): string | undefined {
  const team = relayTeamOf(codes, affiliation);
  if (team !== undefined) return team;
  // Teams may start under the id of the team itself.
  const id = affiliation.replace(/\s+A$/i, '').trim();
  return stored.find(({ bib }) => bib === id && names.team(bib) !== undefined)?.bib;
}

/** What somebody unknown is stored under: a bib, or what else there is. */
function strangerBib({ id, affiliation, lane, line }: LifRow, taken: ReadonlyMap<string, unknown>): string {
  const bibs = [
    id,
    lane === null ? affiliation.replace(/\s+/g, ' ').slice(0, 60) : `lane ${lane}`,
    `line ${line}`,
  ];
  return bibs.find((bib) => bib !== '' && !taken.has(bib)) ?? `line ${line}`;
}

/** What a file says of a starter. All else, points and notes say, is left as it is. */
const OWN = new Set(['place', 'place_text', 'performance', 'time_exact', 'status_text']);

function withRow(
  stored: SentResult,
  { row, stranger }: { row: LifRow; stranger: boolean },
  { eventCode }: Race,
): SentResult {
  const kept = Object.fromEntries(Object.entries(stored).filter(([field]) => !OWN.has(field)));
  const { place, status, time, lane, reaction, splits } = row;
  return {
    ...kept,
    bib: stored.bib,
    ...(stranger && namesIn(row, isRelay(eventCode))),
    ...(lane !== null && laneOf(stored) === null && { lane }),
    ...(place !== null && { place }),
    ...(status && { performance: status === 'SCR' ? 'DNS' : status }),
    ...(status === 'SCR' && { status_text: status }),
    ...(time && !status && { performance: announcedTime(time) }),
    ...(time && !status && time.decimals > 2 && { time_exact: timeText(time.ms, 3) }),
    ...(reaction && { reaction_time: reaction }),
    ...(splits.length > 0 && { splits: splits.map(splitFields) }),
  };
}

const splitFields = ({ cumulative, lap }: LifRow['splits'][number]) => ({
  elapsed_time: timeText(cumulative.ms, cumulative.decimals),
  lap_time: timeText(lap.ms, lap.decimals),
});

function namesIn({ first, last, affiliation }: LifRow, relay: boolean): Partial<SentResult> {
  const name = `${first} ${last}`.trim();
  if (relay) return { team_name: name || affiliation };
  return { ...(name && { athlete_name: name }), ...(affiliation && { team_name: affiliation }) };
}
