// The competitions that the benchmark uploads: made from a seed, exact in their counts, valid without a warning.
import { type Random, seeded } from '../../src/demo/random.ts';
import { type Contest, distances, heights, race } from './contests.ts';
import { type Competitor, type Gender, makeCompetitors, makeTeams, type Team } from './people.ts';
import type { Shape } from './shapes.ts';

type Kind = keyof Shape['events'];
type Unit = Contest & {
  round: number;
  heat: number;
  status: string;
  results_status: string;
  scheduled_start_time: string;
};
export type Event = {
  event_id: string;
  event_code: string;
  name: string;
  genders: Gender;
  category: string;
  age_groups: string[];
  rounds: string;
  units: Unit[];
};
export type RelayTeam = {
  relay_team_id: string;
  event_id: string;
  name: string;
  team_id: string;
  runners: string[];
};
export type Competition = {
  full_name: string;
  slug: string;
  country_id: string;
  date: string;
  finish_date: string;
  city: string;
  competitors: Competitor[];
  teams: Team[];
  relay_teams: RelayTeam[];
  events: Event[];
};

/** An event before its units are filled. */
type Plan = { kind: Kind; event: Event; heats: number[]; bibs: string[] };
/** A unit before its contest is held. */
type Start = { plan: Plan; round: number; heat: number; bibs: string[] };

/** The same seed always makes the same competition; `name` sets it apart from others. */
export function makeCompetition(shape: Shape, name: string, seed = 2026): Competition {
  const random = seeded(seed);
  const teams = makeTeams(random, shape);
  const competitors = makeCompetitors(random, shape, teams);
  const plans = planEvents(shape);
  enter(random, competitors, plans, shape.entries);
  const relayTeams = makeRelayTeams(shape, teams, competitors, plans);
  holdContests(random, shape, startsOf(shape, plans));
  return {
    full_name: `Bench ${name}`,
    slug: name,
    country_id: 'GBR',
    date: '2026-07-18',
    finish_date: '2026-07-19',
    city: 'Orrindale',
    competitors,
    teams,
    relay_teams: relayTeams,
    events: plans.map(({ event }) => event),
  };
}

/** A whole number for each of `parts`, as even as can be, `total` together. */
export function shares(total: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, index) => Math.floor((total * (index + 1)) / parts) - Math.floor((total * index) / parts),
  );
}

const CODES: Record<Kind, string[]> = {
  track: '100 200 400 800 1500 5000 400H 3000SC'.split(' '),
  horizontal: 'LJ TJ SP DT JT HT'.split(' '),
  vertical: ['HJ', 'PV'],
  relay: ['4x100', '4x400'],
};
const LETTERS: Record<Kind, string> = { track: 'T', horizontal: 'F', vertical: 'V', relay: 'R' };
const KINDS = Object.keys(CODES) as Kind[];

function planEvents({ events, units, unitsPerFieldEvent }: Shape): Plan[] {
  const fieldUnits = (events.horizontal + events.vertical) * unitsPerFieldEvent;
  const trackUnits = shares(units - fieldUnits - events.relay, events.track);
  return KINDS.flatMap((kind) =>
    Array.from({ length: events[kind] }, (_, index) => {
      const count = {
        track: trackUnits[index]!,
        horizontal: unitsPerFieldEvent,
        vertical: unitsPerFieldEvent,
        relay: 1,
      };
      return {
        kind,
        heats: roundsOf(count[kind]),
        bibs: [],
        event: planEvent(kind, index, roundsOf(count[kind])),
      };
    }),
  );
}

function planEvent(kind: Kind, index: number, heats: number[]): Event {
  const code = CODES[kind][index % CODES[kind].length]!;
  const genders = index % 2 ? 'M' : 'F';
  const group = Math.floor(index / 2) + 1;
  return {
    event_id: `${LETTERS[kind]}${String(index + 1).padStart(2, '0')}`,
    event_code: code,
    name: `${code} ${genders === 'F' ? 'Women' : 'Men'} ${group}`,
    genders,
    category: `${genders === 'F' ? 'SW' : 'SM'}${group}`,
    age_groups: ['ALL'],
    rounds: heats.join(','),
    units: [],
  };
}

/** Heats of each round for so many units: 8 are "5,2,1", 3 are "2,1". */
function roundsOf(units: number): number[] {
  if (units === 1) return [1];
  const semiFinals = units >= 6 ? Math.floor((units - 1) / 3) : 0;
  return [units - 1 - semiFinals, semiFinals, 1].filter((heats) => heats > 0);
}

/** Everybody enters as often as anybody else, in events of their gender, one after the other from a place of their own. */
function enter(random: Random, competitors: Competitor[], plans: Plan[], entries: number): void {
  const counts = shares(entries, competitors.length);
  const open = { F: [] as Plan[], M: [] as Plan[] };
  for (const plan of plans) if (plan.kind !== 'relay') open[plan.event.genders].push(plan);
  const next = { F: 0, M: 0 };
  for (const [index, competitor] of shuffled(random, competitors).entries()) {
    const choice = open[competitor.gender];
    for (let n = 0; n < counts[index]!; n += 1) {
      const { event, bibs } = choice[next[competitor.gender]++ % choice.length]!;
      competitor.events_entered.push({ event_id: event.event_id, event_code: event.event_code });
      bibs.push(competitor.competitor_id);
    }
  }
}

function shuffled<Item>(random: Random, items: Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item);
}

function makeRelayTeams(shape: Shape, teams: Team[], competitors: Competitor[], plans: Plan[]): RelayTeam[] {
  const relays = plans.filter(({ kind }) => kind === 'relay');
  return shares(shape.relayTeams, relays.length).flatMap((count, index) => {
    const { event, bibs } = relays[index]!;
    return Array.from({ length: count }, (_, lane) => {
      const { team_id, team_name } = teams[(index * count + lane) % teams.length]!;
      const runners = competitors.filter((one) => one.team_id === team_id).slice(0, 4);
      bibs.push(`${team_id}-A`);
      return {
        relay_team_id: `${team_id}-A`,
        event_id: event.event_id,
        name: `${team_name} A`,
        team_id,
        runners: runners.map(({ competitor_id }) => competitor_id),
      };
    });
  });
}

/** Who starts where: all in the first round, and so many further on that the results come to the number asked for. */
function startsOf(shape: Shape, plans: Plan[]): Start[] {
  const field = plans.filter(({ kind }) => kind === 'horizontal' || kind === 'vertical');
  const track = plans.filter(({ kind }) => kind === 'track');
  const fieldResults = field.length * shape.unitsPerFieldEvent * shape.athletesPerFieldUnit;
  const trackResults = shares(shape.results - fieldResults - shape.relayTeams, track.length);
  return plans.flatMap((plan) => {
    if (plan.kind === 'relay') return startsOfEvent(plan, plan.bibs.length);
    const ofTrack = plan.kind === 'track' ? trackResults[track.indexOf(plan)]! : undefined;
    return startsOfEvent(plan, ofTrack ?? shape.unitsPerFieldEvent * shape.athletesPerFieldUnit);
  });
}

function startsOfEvent(plan: Plan, results: number): Start[] {
  const { heats, bibs } = plan;
  const first = heats.length === 1 ? results : Math.min(bibs.length, Math.ceil(results * 0.7));
  const later = heats.length === 3 ? [Math.ceil((results - first) * 0.65)] : [];
  const sizes = [first, ...later];
  if (heats.length > 1) sizes.push(results - sizes.reduce((sum, size) => sum + size, 0));
  return heats.flatMap((count, index) => {
    const size = sizes[index]!;
    if (size > bibs.length)
      throw new Error(`${size} in round ${index + 1} of ${plan.event.event_id}: ${bibs.length} are entered`);
    let from = 0;
    return shares(size, count).map((share, heat) => {
      const started = bibs.slice(from, (from += share));
      return { plan, round: index + 1, heat: heat + 1, bibs: started };
    });
  });
}

/** Heights go as they go; throws and jumps share what is left of the attempts. */
function holdContests(random: Random, shape: Shape, starts: Start[]): void {
  const held = new Map<Start, Contest>();
  let attempts = shape.attempts;
  for (const start of starts) {
    if (start.plan.kind === 'horizontal') continue;
    const contest = hold(random, start);
    attempts -= contest.trials?.length ?? 0;
    held.set(start, contest);
  }
  const horizontal = starts.filter(({ plan }) => plan.kind === 'horizontal');
  const each = attempts / horizontal.reduce((sum, { bibs }) => sum + bibs.length, 0);
  if (each < 3 || each > 6) throw new Error(`${each} attempts for each in throws and jumps`);
  const counts = shares(attempts, horizontal.length);
  for (const [index, start] of horizontal.entries()) {
    held.set(start, distances(random, BEST_METRES[start.plan.event.event_code]!, start.bibs, counts[index]!));
  }
  for (const [index, start] of starts.entries())
    start.plan.event.units.push(unitOf(start, held.get(start)!, index));
}

const BEST_METRES: Record<string, number> = {
  LJ: 7.4,
  TJ: 15.2,
  SP: 17,
  DT: 55,
  JT: 70,
  HT: 66,
  HJ: 1.7,
  PV: 3.9,
};

function hold(random: Random, { plan: { kind, event }, bibs }: Start): Contest {
  if (kind === 'vertical') return heights(random, BEST_METRES[event.event_code]!, bibs);
  if (kind === 'relay') return race(random, event.event_code === '4x100' ? 400 : 1600, bibs);
  return race(random, Number.parseInt(event.event_code, 10), bibs);
}

function unitOf({ round, heat }: Start, contest: Contest, index: number): Unit {
  const minutes = (index * 7) % 60;
  const time = `${String(9 + (index % 12)).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  return {
    round,
    heat,
    status: 'finished',
    results_status: 'official',
    scheduled_start_time: time,
    ...contest,
  };
}
