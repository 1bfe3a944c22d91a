// A made-up meeting with a unit of every kind in every state, and with names that strain a table.
export const DATE = dayIn(0);
const ENDED = dayIn(-9);

const pathOf = (date: string, slug: string) => `/x/${date.slice(0, 4)}/GBR/${slug}/`;

export const MEETING_PATH = pathOf(DATE, 'harbour-championships');
export const ENDED_PATH = pathOf(ENDED, 'harbour-spring-meeting');
export const WITHOUT_PUSH_PATH = pathOf(DATE, 'harbour-evening');

function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

const NAMES: [first: string, last: string][] = [
  ['Ada', 'Quick'],
  ['Maximiliane Theodora', 'von Hohenstein-Wittelsbach zu Neuburg'],
  ['Ída', 'Þórsdóttir'],
  ['نور', 'الهاشمي'],
  ['Wanjirũ', 'Kamau-Njoroge'],
  ['小林', '美咲'],
  ['נועה', 'בן־דוד'],
  ['Bea', 'Hopper'],
  ['Zofia', 'Wójcik-Brzęczyszczykiewicz'],
  ['Ελένη', 'Παπαδοπούλου'],
  ['Li', 'Na'],
  ['Siobhán', 'O’Ceallaigh'],
  ['Cleo', 'Springer'],
  ['Ngozi', 'Adichie'],
  ['Lotte', 'van Rijn'],
  ['Ingrid', 'Ødegård'],
];
const TEAMS = [
  ['HTH', 'Harbour Town Harriers'],
  ['SRC', 'Summer Road Club'],
  ['LTV', 'Leichtathletik-Turnverein Niederkaltenkirchen an der Donau 1868 e. V.'],
  ['AC', 'Athletic Club'],
];

const bibOf = (index: number) => String(101 + index);
const ALL = NAMES.map((_, index) => bibOf(index));

const people = {
  competitors: NAMES.map(([first_name, last_name], index) => ({
    competitor_id: bibOf(index),
    first_name,
    last_name,
    gender: 'F',
    team_id: TEAMS[index % TEAMS.length]![0],
  })),
  teams: TEAMS.map(([team_id, team_name]) => ({ team_id, team_name })),
  relay_teams: TEAMS.map(([team_id, name], index) => ({
    relay_team_id: `${team_id}-A`,
    event_id: 'R1',
    name: `${name} A`,
    team_id,
    runners: ALL.slice(index * 4, index * 4 + 4),
  })),
};

type Fields = Record<string, unknown>;

const unit = (results: Fields[], fields: Fields = {}) => ({
  round: 1,
  heat: 1,
  scheduled_start_time: '18:40',
  results,
  ...fields,
});
const event = (event_id: string, event_code: string, name: string, units: Fields[], fields: Fields = {}) => ({
  event_id,
  event_code,
  name,
  genders: 'F',
  units,
  ...fields,
});

const starters = (count: number, byLane = false) =>
  ALL.slice(0, count).map((bib, index) => (byLane ? { bib, lane: index + 1 } : { bib, order: index + 1 }));

const sprint = [
  { performance: '11.02', qualified: 'Q', notes: 'NR PB', reaction_time: '0.131' },
  { performance: '11.09', qualified: 'Q', notes: 'PB', reaction_time: '0.142' },
  { performance: '11.09', qualified: 'q', reaction_time: '0.155' },
  { performance: '11.31', notes: 'SB', reaction_time: '0.149' },
  { performance: '11.40', reaction_time: '0.160' },
  { performance: 'DNF', reaction_time: '0.171' },
  { performance: 'DNS' },
  { performance: 'DQ TR16.8' },
].map((result, index) => ({
  bib: bibOf(index),
  lane: ((index * 3) % 8) + 1,
  ...(index < 5 && { place: index + 1 }),
  ...result,
}));

const race = ALL.map((bib, index) => ({
  bib,
  order: index + 1,
  place: index + 1,
  performance: `4:${String(12 + index).padStart(2, '0')}.${17 + index}`,
  splits: [400, 800, 1200].map((distance, lap) => ({
    distance,
    elapsed_time: `${lap + 1}:${String(8 + index).padStart(2, '0')}.4`,
  })),
}));

const JUMPS = ['6.12', 'x', '6.40', '6.33', '-', '6.58', 'x', '5.98', '6.21', 'r'];

/** Marks of so many athletes in so many rounds; the last round is under way. */
const jumps = (athletes: number, rounds: number) =>
  Array.from({ length: rounds * athletes - 2 }, (_, index) => {
    const result = JUMPS[(index * 7) % JUMPS.length]!;
    return {
      bib: bibOf(index % athletes),
      round: Math.floor(index / athletes) + 1,
      result,
      ...(/\d/.test(result) && { wind: [1.2, 0.4, -0.3, 2.4][index % 4] }),
    };
  });

const HEIGHTS = '1.60 1.65 1.70 1.75 1.80 1.84 1.88 1.91 1.94 1.96 1.98 2.00'.split(' ');
const CARDS: Record<string, string[]> = {
  101: ['-', '-', 'o', 'o', 'xo', 'o', 'xxo', 'o', 'xxx'],
  102: ['o', 'o', 'xo', 'o', 'o', 'xo', 'xxo', 'o', 'xxx'],
  103: ['-', 'o', 'o', 'o', 'o', 'o', 'xx-', 'x'],
  104: ['o', 'xo', 'xo', 'xxx'],
  105: ['xo', 'xxo', 'o', 'r'],
  106: ['xxx'],
};

const trialsOf = (cards: Record<string, string[]>) =>
  HEIGHTS.flatMap((height, index) =>
    Object.entries(cards).flatMap(([bib, marks]) =>
      Array.from(marks[index] ?? '', (result) => ({ bib, height, result })),
    ),
  );

const JUMP_OFF = [
  { bib: '101', height: '1.94', result: 'x', jump_off: 1 },
  { bib: '102', height: '1.94', result: 'o', jump_off: 1 },
];

const heptathlon = ALL.slice(0, 6).map((bib, index) => ({
  bib,
  place: index + 1,
  points: 6120 - index * 83,
}));
const relay = TEAMS.map(([id], index) => ({
  bib: `${id}-A`,
  lane: index + 3,
  place: index + 1,
  performance: `4${4 + index}.31`,
}));

const OFFICIAL = { results_status: 'official', status: 'finished' };
const LIVE = { results_status: 'in_progress' };

const EVENTS = [
  event('T1', '100', '100 m Women', [
    unit(sprint, { ...OFFICIAL, wind_assistance: '+1.3' }),
    unit(sprint, { heat: 2, results_status: 'provisional', wind_assistance: '2.4' }),
    unit(starters(8, true), { heat: 3, results_status: 'seeded' }),
    unit([], { round: 2, scheduled_start_time: '20:15' }),
  ]),
  event('T2', '1500', '1500 m Women', [unit(race, OFFICIAL)]),
  event('LJ', 'LJ', 'Long Jump Women', [
    unit(starters(8), { ...LIVE, trials: jumps(8, 5), cut_after_round: 3 }),
  ]),
  event('SP', 'SP', 'Shot Put Women', [unit(starters(16), { results_status: 'seeded' })]),
  event('HJ', 'HJ', 'High Jump Women', [
    unit(starters(6), { ...OFFICIAL, heights: HEIGHTS, trials: [...trialsOf(CARDS), ...JUMP_OFF] }),
    unit(starters(6), {
      ...LIVE,
      heat: 2,
      heights: HEIGHTS.slice(0, 6),
      trials: trialsOf({ 101: ['-', 'o', 'x'], 102: ['xo', 'xxo'], 103: ['o', '-'] }),
    }),
  ]),
  event('PV', 'PV', 'Pole Vault Women', [
    unit(starters(6), { results_status: 'seeded', heights: ['3.60', '3.80'] }),
  ]),
  event('R1', '4x100', '4 × 100 m Women', [unit(relay, OFFICIAL)]),
  event('HEP', 'HEP', 'Heptathlon Women', [unit(heptathlon, LIVE)]),
  event('HEP1', '100H', 'Heptathlon 100 m Hurdles', [unit(starters(6, true), { results_status: 'seeded' })], {
    parent: 'HEP',
  }),
  event('C1', '400', '400 m Women', [
    unit(starters(8, true), { status: 'cancelled' }),
    unit([], { heat: 2, status: 'postponed' }),
    unit(sprint.slice(0, 3), { heat: 3, ...LIVE, status: 'interrupted' }),
  ]),
];

export const MEETING = {
  full_name: 'Harbour Town International Combined Championships and Festival of Athletics',
  slug: 'harbour-championships',
  country_id: 'GBR',
  city: 'Harbour Town',
  date: DATE,
  ...people,
  events: EVENTS,
};

/** The same with push turned off, and when it is long over. */
export const OTHER_MEETINGS = [
  { ...MEETING, full_name: 'Harbour Evening Meeting', slug: 'harbour-evening' },
  { ...MEETING, full_name: 'Harbour Spring Meeting', slug: 'harbour-spring-meeting', date: ENDED },
];

type UnitPicture = { name: string; event: string; round?: number; heat?: number };

export const UNITS: UnitPicture[] = [
  { name: 'race official', event: 'T1' },
  { name: 'race provisional', event: 'T1', heat: 2 },
  { name: 'race seeded', event: 'T1', heat: 3 },
  { name: 'race before', event: 'T1', round: 2 },
  { name: 'race with splits', event: 'T2' },
  { name: 'horizontal live', event: 'LJ' },
  { name: 'horizontal seeded', event: 'SP' },
  { name: 'vertical official with jump-off', event: 'HJ' },
  { name: 'vertical live', event: 'HJ', heat: 2 },
  { name: 'vertical seeded', event: 'PV' },
  { name: 'relay', event: 'R1' },
  { name: 'combined', event: 'HEP' },
  { name: 'cancelled', event: 'C1' },
  { name: 'postponed', event: 'C1', heat: 2 },
  { name: 'interrupted', event: 'C1', heat: 3 },
];
