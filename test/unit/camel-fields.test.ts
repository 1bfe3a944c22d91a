// The fields that readers of the older naming use, each with what it is in a meeting of made-up people.
import { expect, test } from 'vitest';
import type { Parts } from '../../src/competitions/record-with-parts.ts';
import type { Style } from '../../src/site/documents/style.ts';
import { frameOf, wholeCompetitionPieces } from '../../src/site/documents/whole-competition-text.ts';

const RECORD = {
  id: '9d0c3c1e-63ce-4c2e-9a52-0d2f6a6a1a11',
  full_name: 'Harbour Night',
  short_name: 'Harbour',
  slug: 'harbour_night',
  name_local: 'Hafnarkvöld',
  english_name: '',
  country_id: 'GBR',
  year: 2026,
  date: '2026-07-18',
  finish_date: '2026-07-19',
  venue_id: '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11',
  organiser_id: '6b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b12',
  latitude: 20.123,
  wa_rankings_category_id: 2,
  age_groups: ['ALL'],
  basic_description: 'An evening',
  contact_name: 'Ida',
  entry_link: null,
  results_link: null,
  team_types: 'ORG',
  timetable: 'on the wall',
  relayTeams: 'many',
  events: null,
};

const COMPETITORS = [
  {
    competitor_id: '7',
    first_name: 'Maren',
    last_name: 'Okafor',
    first_name_local: 'Марен',
    gender: 'F',
    date_of_birth: '2001-03-04',
    age_group: 'SEN',
    category: 'SW',
    nationality: 'GBR',
    ot_athlete_id: '6f1f0a5e-4a55-4b7e-8f6b-1f2f3f4f5f6f',
    team_id: 'HT',
    checked_in: false,
    non_scorer: true,
    flag_url: 'https://example.org/gbr.svg',
    pb: '6.40',
    sb: '',
    events_entered: [{ event_id: 'F1', event_code: 'LJ', qp: '6.21', pb: null }],
  },
  { competitor_id: 'ZZ000002', first_name: 'Lotte', team_id: 'HT', team_name: 'Guests' },
  { competitor_id: '123456', last_name: 'van Rijn', team_id: 'NONE', sort_bib: '00009', category: null },
  { competitor_id: '8' },
];

const RELAY_TEAMS = [
  {
    relay_team_id: 'HT-A',
    event_id: 'R1',
    name: 'Harbour A',
    team_id: 'HT',
    runners: ['123456', '7', 'none', '8', 'ZZ000002'],
  },
  { relay_team_id: '9', event_id: 'R1', bib: 90 },
];

const JUMP = {
  event_id: 'F1',
  event_code: 'LJ',
  name: 'Long jump',
  genders: 'F',
  category: 'SW',
  age_groups: ['SEN'],
  rounds: '1',
  day: 1,
  parent: 'M01',
  max_field_attempts: 6,
  cut_after_round: 3,
  cut_survivors: 8,
  r1_time: '15:45',
  r2_day: 2,
  heat_time_calculation: 'AUTO',
  ce_score_formula: 'x',
  reorder_last_round: true,
  seeding_method: 'fastest_last',
  max_per_heat: 8,
};

const UNITS = [
  {
    event_id: 'F1',
    event_name: 'Long jump',
    round: 1,
    heat: 1,
    heat_name: 'Final',
    day: 2,
    scheduled_start_time: '9:05',
    actual_start_time: '9:07',
    status: 'finished',
    results_status: 'official',
    initial_height: '1.00',
    show_reaction_time: false,
    override_places: true,
    heights: [],
    results: [
      {
        bib: '7',
        place: 1,
        performance: '6.21',
        catpos: 1,
        raw_time: null,
        athlon_points: 0,
        splits: [{ distance: 200, elapsed_time: '38', lap_time: '38' }],
      },
    ],
    trials: [
      { bib: '7', round: 1, result: '6.21', wind: '+0.4' },
      { bib: '7', round: 2, result: 'x', wind: '-1.0' },
      { bib: '7', round: 3, result: '6.00', wind: 0.3 },
      { bib: '7', round: 4, result: '6.00', wind: 'NWI' },
      { bib: '7', round: 5, result: '6.00', wind: '' },
      { bib: '7', round: 6, result: '-' },
    ],
  },
  {
    event_id: 'R1',
    event_name: '4 × 100 m',
    round: 1,
    heat: 1,
    id: 'a17',
    heat_name: 'Heat 1',
    scheduled_start_time: '15:45',
    wind_assistance: '-4.1',
    splits_lap: 200,
    results: [],
    trials: [],
  },
  { event_id: 'R1', event_name: '4 × 100 m', round: 1, heat: 2, heat_name: 'Heat 2', scheduled_start_time: '9:50' },
  { event_id: 'R1', event_name: '4 × 100 m', round: 2, heat: 1, heat_name: 'Final', scheduled_start_time: null },
];

const PARTS: Parts = {
  competition: {
    countryId: 'GBR',
    year: 2026,
    slug: 'harbour_night',
    date: '2026-07-18',
    recordText: JSON.stringify(RECORD),
    revision: 1,
  },
  competitors: COMPETITORS.map((record) => ({ record })),
  teams: [JSON.stringify({ team_id: 'HT', team_name: 'Harbour Town', flag_url: 'x', match_id: 'match' })],
  relayTeams: RELAY_TEAMS.map((team) => JSON.stringify(team)),
  events: [JUMP, { event_id: 'R1', event_code: '4x100' }].map((event) => ({
    eventId: event.event_id,
    text: JSON.stringify(event),
  })),
};

async function documentOf(parts: Parts, units: { event_id: string }[], style: Partial<Style> = {}) {
  const wanted: Style = { naming: 'camel', publishDateOfBirth: false, ...style };
  const { people, ...frame } = frameOf(parts, wanted);
  const unitsOf = async (eventIds: string[]) =>
    units
      .filter(({ event_id }) => eventIds.includes(event_id))
      .map((unit) => ({ eventId: unit.event_id, text: JSON.stringify(unit) }));
  const framed = { ...frame, people: Buffer.from([...people].join('')) };
  let text = '';
  for await (const piece of wholeCompetitionPieces(framed, { revision: '1', unitsOf }, wanted))
    text += piece.toString();
  return JSON.parse(text) as unknown;
}

/** The value at a place such as "events.0.units.0.id". */
const at = (value: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((within, name) => (within as Record<string, unknown>)[name], value);

const timed = (eventId: string, eventName: string, heat: number, heatName: string, time: string) => ({
  eventId,
  eventName,
  round: 1,
  heat,
  heatName,
  time,
});

const EXPECTED: Record<string, Record<string, unknown>> = {
  '': {
    id: RECORD.id,
    fullName: 'Harbour Night',
    shortName: 'Harbour',
    slug: 'harbour_night',
    nameLocal: 'Hafnarkvöld',
    englishName: '',
    country: 'GBR',
    venue: RECORD.venue_id,
    organiser: RECORD.organiser_id,
    year: 2026,
    finishDate: '2026-07-19',
    latitude: 20.123,
    waRankingsCategoryId: 2,
    ageGroups: ['ALL'],
    basicDescription: 'An evening',
    entryLink: null,
    teamTypes: 'ORG',
    timetable: [
      timed('R1', '4 × 100 m', 2, 'Heat 2', '9:50'),
      timed('R1', '4 × 100 m', 1, 'Heat 1', '15:45'),
      { ...timed('F1', 'Long jump', 1, 'Final', '9:05'), day: 2 },
    ],
  },
  'competitors.0.': {
    competitorId: '7',
    firstName: 'Maren',
    lastName: 'Okafor',
    firstNameLocal: 'Марен',
    gender: 'F',
    age: 25,
    dateOfBirth: undefined,
    ageGroup: 'SEN',
    category: 'SW',
    nationality: 'GBR',
    otAthleteId: COMPETITORS[0]!.ot_athlete_id,
    teamId: 'HT',
    teamName: 'Harbour Town',
    sortBib: '00007',
    checkedIn: false,
    nonScorer: true,
    flagUrl: 'https://example.org/gbr.svg',
    pb: '6.40',
    sb: '',
    eventsEntered: [{ eventId: 'F1', eventCode: 'LJ', qp: '6.21', pb: null }],
  },
  'competitors.1.': { teamName: 'Guests', sortBib: 'ZZ000002', category: '', ageGroup: '' },
  'competitors.2.': { teamName: undefined, sortBib: '00009', category: '', lastName: 'van Rijn' },
  'competitors.3.': { teamName: undefined, teamId: undefined, firstName: undefined, sortBib: '00008' },
  'teams.0.': { teamId: 'HT', teamName: 'Harbour Town', flagUrl: 'x', matchId: 'match' },
  'relayTeams.0.': {
    relayTeamId: 'HT-A',
    eventId: 'R1',
    teamId: 'HT',
    name: 'Harbour A',
    bib: 'HT-A',
    runners: RELAY_TEAMS[0]!.runners,
    runnerNames: ['van Rijn', 'Maren Okafor', 'Lotte'],
  },
  'relayTeams.1.': { relayTeamId: '9', bib: '90', runnerNames: [] },
  'events.0.': {
    eventId: 'F1',
    eventCode: 'LJ',
    name: 'Long jump',
    genders: 'F',
    category: 'SW',
    ageGroup: '',
    ageGroups: ['SEN'],
    rounds: '1',
    day: 1,
    parent: 'M01',
    maxFieldAttempts: 6,
    cutAfterRound: 3,
    cutSurvivors: 8,
    r1Time: '15:45',
    r2Day: 2,
    heatTimeCalculation: 'AUTO',
    ceScoreFormula: 'x',
    reorderLastRound: true,
    seedingMethod: 'fastest_last',
    maxPerHeat: 8,
  },
  'events.1.': { eventCode: '4x100', category: '', ageGroup: '' },
  'events.0.units.0.': {
    id: 'F1-1-1',
    eventId: 'F1',
    eventName: 'Long jump',
    round: 1,
    heat: 1,
    heatName: 'Final',
    day: 2,
    scheduledStartTime: '9:05',
    actualStartTime: '9:07',
    status: 'finished',
    resultsStatus: 'official',
    initialHeight: '1.00',
    heights: [],
    showReactionTime: false,
    overridePlaces: true,
    results: [
      {
        bib: '7',
        place: 1,
        performance: '6.21',
        catpos: 1,
        rawTime: null,
        athlonPoints: 0,
        splits: [{ distance: 200, elapsedTime: '38', lapTime: '38' }],
      },
    ],
    trials: [
      { bib: '7', round: 1, result: '6.21', wind: 0.4 },
      { bib: '7', round: 2, result: 'x', wind: -1 },
      { bib: '7', round: 3, result: '6.00', wind: 0.3 },
      { bib: '7', round: 4, result: '6.00', wind: 'NWI' },
      { bib: '7', round: 5, result: '6.00', wind: '' },
      { bib: '7', round: 6, result: '-' },
    ],
  },
  'events.1.units.0.': { id: 'a17', windAssistance: '-4.1', splitsLap: 200, results: [], trials: [] },
  'events.1.units.1.': { id: 'R1-1-2' },
};

const FIELDS = Object.entries(EXPECTED).flatMap(([of, fields]) =>
  Object.entries(fields).map(([name, value]): [string, unknown] => [of + name, value]),
);

const whole = await documentOf(PARTS, UNITS);

test.for(FIELDS)('%s', ([place, value]) => {
  expect(at(whole, place)).toEqual(value);
});

test('lists are there when they are empty, a timetable is not', async () => {
  const nothing = { competitors: [], teams: [], relayTeams: [], events: [] };
  const empty = await documentOf({ ...PARTS, ...nothing }, []);
  expect(empty).toMatchObject(nothing);
  expect(empty).not.toHaveProperty('timetable');
});

test('a date of birth is there where the service publishes it', async () => {
  const open = await documentOf(PARTS, UNITS, { publishDateOfBirth: true });
  expect(at(open, 'competitors.0.dateOfBirth')).toBe('2001-03-04');
});

test('in snake case nothing is added to what was sent', async () => {
  const { date_of_birth: _withheld, ...maren } = COMPETITORS[0]!;
  expect(await documentOf(PARTS, UNITS, { naming: 'snake' })).toMatchObject({
    timetable: 'on the wall',
    competitors: [{ ...maren, age: 25 }, ...COMPETITORS.slice(1)],
    relay_teams: RELAY_TEAMS,
    events: [
      { ...JUMP, units: [UNITS[0]] },
      { event_id: 'R1', event_code: '4x100', units: UNITS.slice(1) },
    ],
  });
});
