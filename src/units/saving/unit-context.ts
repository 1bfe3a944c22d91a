// Context of a unit's save: its event, the units beside it, and the names behind its bibs. Pure.
import type { RoundHeat } from '../../addresses.ts';
import { trialsOf } from '../rules/attempts.ts';
import { resultsOf } from '../rules/field-results.ts';
import type { EventOfUnit, Names } from './record.ts';

/** As the database puts it together. */
export type ContextRow = {
  event: EventOfUnit;
  units: RoundHeat[] | null;
  people:
    [id: string, firstName: string, lastName: string, teamId: string | null, gender: string | null][] | null;
  relays: [id: string, name: string, teamId: string | null, runners: unknown][] | null;
  teams: [id: string, name: string][] | null;
  entered: string[] | null;
};

export type UnitContext = {
  event: EventOfUnit;
  units: RoundHeat[];
  /** Whose names are known here: those in the unit, and those asked for. */
  bibs: ReadonlySet<string>;
  names: Names;
  /** Which of them are entered for the event. */
  entered: ReadonlySet<string>;
};

type ShownUnit = { eventId: string; record: Record<string, unknown> };

/** @param asked bibs whose names were asked for besides the unit's own */
export function unitContext(read: ContextRow, { eventId, record }: ShownUnit, asked: string[]): UnitContext {
  const { event, units, people, relays, teams, entered } = read;
  const shown = [...resultsOf(record), ...trialsOf(record)].map(({ bib }) => bib);
  const named = new Map(
    (people ?? []).map(([id, firstName, lastName, teamId, gender]) => [
      id,
      { firstName, lastName, teamId, gender },
    ]),
  );
  const teamNames = new Map(teams ?? []);
  const relayTeams = new Map(
    (relays ?? []).map(([id, name, teamId, runners]) => [id, { name, teamId, runners }]),
  );
  const names: Names = {
    competitor: (id) => named.get(id),
    team: (id) => teamNames.get(id),
    relayTeam: (event, id) => (event === eventId ? relayTeams.get(id) : undefined),
  };
  return { event, units: units ?? [], bibs: new Set([...shown, ...asked]), names, entered: new Set(entered) };
}
