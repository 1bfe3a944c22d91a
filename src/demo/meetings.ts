// The demo's three competitions: one that ended last week, one under way today, one to come next week. Pure.
import { finishedEvents } from './finished-events.ts';
import { HEIGHTS } from './high-jump.ts';
import type { Result } from './places.ts';
import { base, EVENTS, HEATS, HIGH_JUMPERS, LONG_JUMPERS, people, RELAY_TEAMS } from './programme.ts';
import { seeded } from './random.ts';
import { SIDE_STARTERS, sideEvents } from './side-events.ts';
import { startList } from './sprint.ts';

// Fixed ids: each start replaces these competitions and leaves everything else in the data folder alone.
export const IDS = {
  finished: '0d3a0000-0000-4000-8000-000000000001',
  underWay: '0d3a0000-0000-4000-8000-000000000002',
  toCome: '0d3a0000-0000-4000-8000-000000000003',
};

/** The UTC day that many days from `now`. */
export function dayFrom(now: Date, days: number): string {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

export function finishedMeeting(now: Date) {
  return {
    ...base(IDS.finished, 'Saltmarsh Bay Spring Cup', dayFrom(now, -7)),
    ...people(),
    events: finishedEvents(seeded(20)),
  };
}

/** Of what the demo plays the start lists only: those results arrive while it runs. */
export function meetingUnderWay(now: Date) {
  return {
    ...base(IDS.underWay, 'Kestrel Cliff Evening Meeting', dayFrom(now, 0)),
    ...people(SIDE_STARTERS),
    events: [
      {
        ...EVENTS.sprint,
        units: [
          ...HEATS.map((heat, index) => seeds(startList(heat), index + 1)),
          { round: 2, heat: 1, results_status: 'empty' },
        ],
      },
      { ...EVENTS.longJump, units: [seeds(inOrder(LONG_JUMPERS))] },
      { ...EVENTS.highJump, units: [{ ...seeds(inOrder(HIGH_JUMPERS)), heights: HEIGHTS }] },
      { ...EVENTS.relay, units: [seeds(startList(RELAY_TEAMS.map((team) => team.relay_team_id)))] },
      ...sideEvents(seeded(22)),
    ],
  };
}

/** Entries alone; the service makes the units that `rounds` asks for. */
export function meetingToCome(now: Date) {
  return {
    ...base(IDS.toCome, 'Orrindale Summer Championships', dayFrom(now, 9), dayFrom(now, 10)),
    ...people(),
    events: [{ ...EVENTS.sprint, rounds: '4,2,1' }, EVENTS.longJump, EVENTS.highJump, EVENTS.relay],
  };
}

const seeds = (results: Result[], heat = 1) => ({ round: 1, heat, results_status: 'seeded', results });
const inOrder = (order: string[]): Result[] => order.map((bib, index) => ({ bib, order: index + 1 }));
