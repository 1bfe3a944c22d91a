// Stores the results of one race as a photo-finish program wrote them: the save of a unit, made from a file.
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../accounts/permissions.ts';
import type { UnitRef } from '../addresses.ts';
import { numberEvents } from '../competitions/number-events.ts';
import { inRehearsal } from '../db/transaction.ts';
import { Conflict, Invalid } from '../errors.ts';
import { type Lif, type LifHeader, type LifProblem, readLif } from '../exchange/lif.ts';
import { isField } from '../units/rules/disciplines.ts';
import { isOfficial, isResultsState } from '../units/rules/state.ts';
import { mergedUnit } from '../units/saving/merged-unit.ts';
import {
  type SavedUnit,
  type SaveDeps,
  saveHeldUnit,
  saveUnit,
  type UnitSave,
} from '../units/saving/save-unit.ts';
import { matchedRows, type Unmatched } from './matched-rows.ts';
import { relayCodes, relayTeamOf } from './relay-codes.ts';
import { findEventByNumber, hasUnit, readRelayTeams } from './store.ts';

/** What a file came to: the unit as it is after it, and who of it was found. */
export type Imported = { unit: SavedUnit; matched: number; unmatched: Unmatched[]; changed: boolean };

type Options = {
  competitionId: string;
  bytes: Buffer;
  /** Nothing is stored; the answer is what it would be. */
  dryRun: boolean;
  /** Also where the results are official. */
  force: boolean;
};

type Outcome = Omit<Imported, 'unit'>;

/** @throws Invalid by line and field; Conflict when the results are official; NotFound, Forbidden */
export async function importResults(
  deps: SaveDeps,
  actor: Actor,
  { competitionId, bytes, dryRun, force }: Options,
): Promise<Imported> {
  const lif = readLif(bytes);
  if (lif.problems.length > 0 || !lif.header) throw new Invalid(lif.problems.map(issueOf));
  await numberEvents(deps, competitionId);
  const ref = await raceOf(deps, competitionId, lif.header);
  const save = await saveOf(deps, { ref, lif, force });
  const { unit, result } = dryRun
    ? await inRehearsal(deps.db, (tx) => saveHeldUnit(tx, deps, actor, save), competitionId)
    : await saveUnit(deps, actor, save);
  return { unit, ...result };
}

const issueOf = ({ line, field, msg }: LifProblem) => ({
  loc: ['body', 'line', line, field],
  msg: `Line ${line}, ${field}: ${msg}`,
  type: 'value_error',
});

/** The header is the key; what the file is called may be anything. */
async function raceOf({ db }: SaveDeps, id: string, header: LifHeader): Promise<UnitRef> {
  const { line, event: no, round, heat } = header;
  const refuse = (field: string, msg: string) => new Invalid([issueOf({ line, field, msg })]);
  const event = await findEventByNumber(db, id, no);
  if (!event) throw refuse('event', `No event has the lynx_event_no ${no}`);
  const { eventId, eventCode } = event;
  if (isField(eventCode)) throw refuse('event', `Event ${no} is ${eventId}, ${eventCode}: not a race`);
  const ref = { competitionId: id, eventId, round, heat };
  if (!(await hasUnit(db, ref)))
    throw refuse('heat', `Event ${no} (${eventId}) has no heat ${heat} in round ${round}`);
  return ref;
}

async function saveOf(
  { db }: SaveDeps,
  { ref, lif, force }: { ref: UnitRef; lif: Lif; force: boolean },
): Promise<UnitSave<Outcome>> {
  const codes = relayCodes(await readRelayTeams(db, ref.competitionId, ref.eventId));
  const bibs = lif.rows.flatMap(({ id, affiliation }) => id || relayTeamOf(codes, affiliation) || []);
  const wind = lif.header?.wind;
  return {
    ref,
    bibs: [...new Set(bibs)],
    live: false,
    change({ row, context: { event, names } }) {
      if (isOfficial(row.resultsStatus) && !force)
        throw new Conflict('The results are official: send them with force=true to change them all the same');
      const { eventId, eventCode } = event;
      const race = { record: row.record, eventId, eventCode, names, codes };
      const { results, matched, unmatched } = matchedRows(lif, race);
      const isProvisional = isResultsState(row.resultsStatus) && !isOfficial(row.resultsStatus);
      const record = mergedUnit(
        row,
        {
          results,
          results_status: isProvisional ? row.resultsStatus : 'provisional',
          ...(wind && { wind_assistance: wind }),
        },
        event,
      );
      return { record, result: { matched, unmatched, changed: !isDeepStrictEqual(record, row.record) } };
    },
  };
}
