// The fields that readers of the older naming use, each with what it is in a meeting of made-up people.
import { expect, test } from 'vitest';
import type { Parts } from '../../src/competitions/record-with-parts.ts';
import type { Style } from '../../src/site/documents/style.ts';
import { frameOf, wholeCompetitionPieces } from '../../src/site/documents/whole-competition-text.ts';
import { COMPETITORS, JUMP, PARTS, RECORD, RELAY_TEAMS, UNITS } from '../helpers/older-meeting.ts';

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
