// Official results of a whole meeting, played at once by the same rules as the one under way. Pure but for chance.
import { attempt, HEIGHTS, highJumpResults, type HighJumpTrial, nextOver } from './high-jump.ts';
import { jump, longJumpResults, type LongJumpTrial, nextJumper } from './long-jump.ts';
import type { Result } from './places.ts';
import { EVENTS, HEATS, HIGH_JUMPERS, LONG_JUMPERS, RELAY_TEAMS } from './programme.ts';
import type { Random } from './random.ts';
import { fastest, race } from './sprint.ts';

export function finishedEvents(random: Random) {
  const heats = HEATS.map((heat) => race(heat, 12.4, random));
  const final = race(fastest(heats, 8), 12.3, random);
  const relay = race(
    RELAY_TEAMS.map((team) => team.relay_team_id),
    42,
    random,
  );
  return [
    {
      ...EVENTS.sprint,
      units: [
        ...heats.map((heat, index) => official({ ...heat, heat: index + 1 })),
        official({ ...final, round: 2, results: withPoints(final.results) }),
      ],
    },
    { ...EVENTS.longJump, units: [official(wholeLongJump(random))] },
    { ...EVENTS.highJump, units: [official(wholeHighJump(random))] },
    { ...EVENTS.relay, units: [official({ results: withPoints(relay.results) })] },
  ];
}

const official = <Unit extends object>(unit: Unit) => ({
  round: 1,
  heat: 1,
  status: 'finished',
  results_status: 'official',
  ...unit,
});

// Eight for the winner, seven for the next, in final rounds.
const withPoints = (results: Result[]): Result[] =>
  results.map((result) => (result.place ? { ...result, points: Math.max(0, 9 - result.place) } : result));

function wholeLongJump(random: Random) {
  const trials: LongJumpTrial[] = [];
  for (let next = nextJumper(LONG_JUMPERS, trials); next; next = nextJumper(LONG_JUMPERS, trials)) {
    trials.push(jump(next, random));
  }
  return { results: withPoints(longJumpResults(LONG_JUMPERS, trials)), trials };
}

function wholeHighJump(random: Random) {
  const trials: HighJumpTrial[] = [];
  for (let next = nextOver(HIGH_JUMPERS, trials); next; next = nextOver(HIGH_JUMPERS, trials)) {
    trials.push(attempt(next, trials, random));
  }
  return { heights: HEIGHTS, results: withPoints(highJumpResults(HIGH_JUMPERS, trials)), trials };
}
