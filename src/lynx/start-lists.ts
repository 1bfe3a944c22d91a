// Start lists of a competition as the three files that photo-finish programs read. Pure.
import { type EvtAthlete, type EvtRace, writeEvt } from '../exchange/lynx-evt.ts';
import { writePpl } from '../exchange/lynx-ppl.ts';
import { writeSch } from '../exchange/lynx-sch.ts';
import { isField, isRelay } from '../units/rules/disciplines.ts';
import { resultsOf } from '../units/rules/field-results.ts';
import { type RelayTeam, relayCodes } from './relay-codes.ts';

export type StartLists = {
  events: { eventId: string; eventCode: string; name: string; no: string | null }[];
  units: {
    eventId: string;
    round: number;
    heat: number;
    heatName: string | null;
    record: Record<string, unknown>;
  }[];
  competitors: { id: string; first: string; last: string; teamId: string | null }[];
  teams: { id: string; name: string }[];
  relayTeams: RelayTeam[];
};

export const LYNX_FILES = ['lynx.evt', 'lynx.ppl', 'lynx.sch'] as const;
export type LynxFile = (typeof LYNX_FILES)[number];

const MAKERS: Record<LynxFile, (lists: StartLists) => string> = {
  'lynx.evt': (lists) => writeEvt(racesOf(lists).map(({ race }) => race())),
  'lynx.ppl': (lists) => {
    const teamOf = teamNames(lists);
    return writePpl(
      lists.competitors.map(({ id, last, first, teamId }) => ({
        id,
        last,
        first,
        affiliation: teamOf(teamId),
      })),
    );
  },
  'lynx.sch': (lists) =>
    writeSch(
      racesOf(lists)
        .toSorted((a, b) => inTime(a.start, b.start))
        .map(({ event, round, heat }) => ({ event, round, heat })),
    ),
};

export const lynxFile = (lists: StartLists, file: LynxFile): string => MAKERS[file](lists);

// Numbers by their value: 9:05 is before 15:45. Races without a time come last.
const { compare } = new Intl.Collator('en', { numeric: true });
const inTime = (a: string, b: string) => Number(a === '') - Number(b === '') || compare(a, b);

type Race = { event: number; round: number; heat: number; start: string; race: () => EvtRace };

/** What is run, in the order of its numbers. */
function racesOf(lists: StartLists): Race[] {
  const athletesOf = athletes(lists);
  const events = new Map(lists.events.map((event) => [event.eventId, event]));
  const races = lists.units.flatMap((unit): Race[] => {
    const event = events.get(unit.eventId);
    if (!event?.no || isField(event.eventCode)) return [];
    const { record } = unit;
    const key = { event: Number(event.no), round: unit.round, heat: unit.heat };
    const name = [event.name || event.eventCode, unit.heatName].filter(Boolean).join(' ');
    const distance = distanceOf(event.eventCode);
    const race = () => ({ ...key, name, distance, athletes: athletesOf(event, record) });
    return [{ ...key, start: `${text(record['day'])} ${text(record['scheduled_start_time'])}`.trim(), race }];
  });
  return races.toSorted((a, b) => a.event - b.event || a.round - b.round || a.heat - b.heat);
}

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** In metres, where the code is a distance, with hurdles and the like behind it or not. */
function distanceOf(eventCode: string): number | null {
  const metres = /^(\d{2,5})(?:H|SC|W)?$/i.exec(eventCode)?.[1];
  return metres === undefined ? null : Number(metres);
}

function teamNames({ teams }: StartLists): (id: string | null) => string {
  const names = new Map(teams.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? '' : names.get(id) || id);
}

function athletes(lists: StartLists) {
  const people = new Map(lists.competitors.map((one) => [one.id, one]));
  const teamOf = teamNames(lists);
  const relays = new Map<string, RelayTeam[]>();
  for (const team of lists.relayTeams) {
    const others = relays.get(team.eventId);
    if (others) others.push(team);
    else relays.set(team.eventId, [team]);
  }
  return ({ eventId, eventCode }: { eventId: string; eventCode: string }, record: object): EvtAthlete[] => {
    const teams = relays.get(eventId) ?? [];
    const codes = new Map([...relayCodes(teams)].map(([code, id]) => [id, code]));
    return resultsOf(record as Record<string, unknown>).map((result) => {
      const { bib } = result;
      const lane = laneOf(result);
      const team = teams.find(({ relayTeamId }) => relayTeamId === bib);
      if (team || isRelay(eventCode)) {
        const last = team?.name || teamOf(team?.teamId ?? bib);
        return { id: '', lane, last, first: '', affiliation: codes.get(bib) ?? `${bib} A` };
      }
      const { first = '', last = '', teamId = null } = people.get(bib) ?? {};
      return { id: bib, lane, last: last || text(result.athlete_name), first, affiliation: teamOf(teamId) };
    });
  };
}

/** The lane of a result, as somebody has sent it. */
export function laneOf(result: object): number | null {
  const lane = 'lane' in result ? Number(result.lane) : NaN;
  return Number.isInteger(lane) && lane > 0 && lane < 10_000 ? lane : null;
}
