// Results in the form of the World Athletics result import, as a federation takes them: everything that the model has, nothing
// beyond it, and a report of what it lacks.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { WaReport, WaResults } from '../../src/exchange/wa-model.ts';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';
import { WA_MEETING } from '../helpers/wa-meeting.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
const reader = await api.as();
afterAll(api.close);

const world = async (fields: object = WA_MEETING) => {
  const uploads = await uploadsInto(admin, { ...fields });
  const path = `${uploads.path}/results.wa.json`;
  const file = async () => WaResults.parse((await admin.get(path)).body);
  const report = async () => WaReport.parse((await admin.get(`${path}?report=true`)).body);
  return { ...uploads, path, file, report };
};
type File = Awaited<ReturnType<Awaited<ReturnType<typeof world>>['file']>>;

const unitOf = ({ units }: File, title: string) => units.find((unit) => unit.title === title)!;
const onlyRace = (file: File, title: string) => unitOf(file, title).rounds[0]!.races[0]!;

describe('the file', () => {
  test('has the competition, its place, and those who took part, with their ids', async () => {
    const { file } = await world();
    const { waId, venues, athletes, relayTeams } = await file();
    expect({ waId, venues }).toEqual({
      waId: 7183501,
      venues: [{ id: 1, name: 'Harbour Town', country: 'GBR' }],
    });
    expect(athletes.map(({ lastName }) => lastName)).not.toContain('Here');
    expect(athletes.slice(0, 5)).toEqual([
      {
        id: 1,
        waId: 14501234,
        firstName: 'Maren',
        lastName: 'Okafor',
        birthdate: '2001-03-01',
        country: 'GER',
        sex: 'female',
      },
      expect.objectContaining({ id: 2, country: 'NOR' }),
      { id: 3, firstName: 'Ída', lastName: 'Þórsdóttir', birthdate: '2001-03-03', country: 'ISL' },
      expect.objectContaining({ id: 4, country: 'GBR' }),
      { id: 5, firstName: 'Cleo', lastName: 'Springer', sex: 'female' },
    ]);
    expect(relayTeams).toEqual([
      { id: 1, name: 'Harbour A', country: 'GBR' },
      { id: 2, name: 'Mixed B', country: 'INT' },
    ]);
  });

  test('has the heats of a race with their winds, who advances, and who has no time', async () => {
    const { file } = await world();
    const { waEventId, rounds } = unitOf(await file(), '100 m Women');
    expect(waEventId).toBe(10229509);
    expect(rounds).toEqual([
      {
        type: 'Round 1',
        races: [
          {
            number: 1,
            wind: '-1.2',
            date: '2026-07-18',
            startTime: '09:05:00',
            results: [
              { athleteId: 1, result: '11.82', placeInRace: 1, qualified: 'Q' },
              { athleteId: 2, result: '11.82', placeInRace: 2, qualified: 'q' },
              { athleteId: 3, result: 'DNS' },
            ],
          },
          {
            number: 2,
            wind: '+0.4',
            date: '2026-07-18',
            results: [
              { athleteId: 4, result: '12.1h', placeInRace: 1 },
              { athleteId: 5, result: 'DNF' },
            ],
          },
        ],
      },
      {
        type: 'Final',
        races: [
          {
            number: 1,
            date: '2026-07-19',
            startTime: '15:45:00',
            results: [
              { athleteId: 1, result: '11.70', placeInRace: 1, placeInRound: 1 },
              { athleteId: 2, result: 'DQ' },
            ],
          },
        ],
      },
    ]);
    expect(onlyRace(await file(), '10,000 m').results).toMatchObject([{ result: '31:02.5h' }]);
  });

  test('has jumps with the wind of each, throws, and heights with their attempts', async () => {
    const { file } = await world();
    const found = await file();
    expect(onlyRace(found, 'Long Jump').results).toEqual([
      {
        athleteId: 1,
        result: '6.21',
        wind: '+0.4',
        placeInRace: 1,
        placeInRound: 1,
        detail: [
          { result: '6.10', wind: 'NWI' },
          { result: '-', wind: 'NWI' },
          { result: '6.21', wind: '+0.4' },
        ],
      },
      {
        athleteId: 2,
        result: 'NM',
        placeInRace: 2,
        placeInRound: 2,
        detail: [
          { result: 'x', wind: 'NWI' },
          { result: '-', wind: 'NWI' },
        ],
      },
    ]);
    expect(onlyRace(found, 'Discus').results).toMatchObject([
      { result: '51.30', detail: [{ result: 'x' }, { result: '51.30' }] },
    ]);
    expect(onlyRace(found, 'High Jump').results).toMatchObject([
      {
        result: '1.75',
        detail: [
          { height: '1.70', attempts: 'o' },
          { height: '1.75', attempts: 'xxo' },
          { height: '1.80', attempts: 'x-' },
        ],
      },
    ]);
  });

  test('has no wind of jumps in a hall', async () => {
    const { file, report } = await world({ ...WA_MEETING, type: 'INDOOR' });
    expect(onlyRace(await file(), 'Long Jump').results).toMatchObject([
      { detail: [{ result: '6.10' }, { result: '-' }, { result: '6.21' }] },
      {},
    ]);
    expect((await report()).missing_by_field).not.toHaveProperty(['detail.wind']);
  });

  test('has relays with their legs, and combined events with their points and parts', async () => {
    const { file } = await world();
    const found = await file();
    expect(onlyRace(found, '4 x 100 m').results).toEqual([
      { relayTeamId: 1, legs: [1, 2, 3], result: '45.10', placeInRace: 1, placeInRound: 1 },
      { relayTeamId: 2, legs: [2, 3], result: 'DQ' },
    ]);
    expect(unitOf(found, 'Biathlon')).toMatchObject({
      rounds: [{ type: 'Final', races: [{ results: [{ athleteId: 1, result: '1800', placeInRace: 1 }] }] }],
    });
    expect(unitOf(found, 'Biathlon shot').rounds[0]).not.toHaveProperty('type');
  });

  test('gives everybody the same id again, whatever is added', async () => {
    const { file, store } = await world();
    const before = await file();
    const late = { competitor_id: '0', first_name: 'Late', last_name: 'Entry' };
    const units = [{ round: 1, heat: 1, results_status: 'official', results: [{ bib: '0', place: 1 }] }];
    await store({ competitors: [late], events: [{ event_id: 'S0', event_code: '60', units }] });
    const after = await file();
    expect(after.athletes).toHaveLength(before.athletes.length + 1);
    expect(after.athletes).toEqual(expect.arrayContaining(before.athletes));
  });

  test('of a competition without anything is empty', async () => {
    const { file, report } = await world({});
    expect(await file()).toEqual({ venues: [], units: [], relayTeams: [], athletes: [] });
    expect(await report()).toMatchObject({ complete: false, missing_by_field: { waId: 1, name: 1 } });
  });
});

describe('the report', () => {
  test('names what the model asks for and the competition does not have', async () => {
    const { report } = await world();
    const { missing, ...counts } = await report();
    expect(counts).toEqual({
      complete: false,
      athletes: 5,
      relay_teams: 2,
      units: 9,
      races: 11,
      results: 17,
      left_out: 2,
      missing_by_field: {
        athleteId: 1,
        waEventId: 1,
        'detail.wind': 1,
        legs: 1,
        relayTeamId: 1,
        races: 1,
        birthdate: 1,
        country: 1,
      },
    });
    const reasons = Object.fromEntries(missing.map(({ field, path, reason }) => [field, [path, reason]]));
    expect(reasons).toEqual({
      athleteId: [
        ['units', 0, 'rounds', 0, 'races', 1, 'results'],
        'S, round 1, heat 2: Bib 99 is no competitor: the result is left out',
      ],
      waEventId: [['units', 1], 'Event M has no wa_event_id'],
      'detail.wind': [
        ['units', 2, 'rounds', 0, 'races', 0, 'results'],
        'L, round 1, heat 1: Measured attempts without a wind: 1; NWI stands in its place',
      ],
      legs: [
        ['units', 5, 'rounds', 0, 'races', 0, 'results', 0],
        'R, round 1, heat 1: Runner 77 of A is no competitor: left out',
      ],
      relayTeamId: [
        ['units', 5, 'rounds', 0, 'races', 0, 'results'],
        'R, round 1, heat 1: Bib 2 is no relay team: the result is left out',
      ],
      races: [['units'], 'N: 1 of its heats have no results yet, and are left out'],
      birthdate: [['athletes', 4], 'Competitor 5: not known'],
      country: [['athletes', 4], 'Competitor 5: not known'],
    });
  });

  test('tells the first hundred, and how many more there are', async () => {
    const results = Array.from({ length: 150 }, (_, bib) => ({ bib: `n${bib}`, performance: '11.00' }));
    const units = [{ round: 1, heat: 1, results_status: 'official', results }];
    const { report } = await world({
      city: 'X',
      wa_id: 1,
      events: [{ event_id: 'S', event_code: '100', units }],
    });
    const { missing, left_out: leftOut, missing_by_field: byField } = await report();
    expect({ leftOut, byField }).toEqual({ leftOut: 150, byField: { waEventId: 1, athleteId: 150 } });
    expect(missing).toHaveLength(101);
    expect(missing.at(-1)).toEqual({ path: [], field: '', reason: '… and 51 more' });
  });

  test('of a meeting that has all of it says that it is complete', async () => {
    const [okafor] = WA_MEETING.competitors;
    const results = [{ bib: '1', place: 1, performance: '11.70' }];
    const { report } = await world({
      city: 'Harbour Town',
      competitors: [okafor],
      events: [{ event_id: 'S', event_code: '100', wa_event_id: 1, units: [{ round: 1, heat: 1, results }] }],
    });
    expect(await report()).toMatchObject({ complete: true, results: 1, missing_by_field: { waId: 1 } });
  });
});

describe('dates of birth', () => {
  test('are for those who may edit, and nobody else gets the file or the report', async () => {
    const { path } = await world();
    const foreign = await api.as('ADMIN_FRA');
    for (const query of ['', '?report=true']) {
      expect((await api.get(path + query)).status).toBe(401);
      for (const other of [reader, foreign]) {
        const { status, text } = await other.get(path + query);
        expect({ status, text }).toEqual({ status: 403, text: expect.not.stringContaining('2001-') });
      }
    }
    const elsewhere = path.replace(/[\da-f-]{36}/, '5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11');
    expect((await admin.get(elsewhere)).status).toBe(404);
    expect((await admin.get(`${path}?report=perhaps`)).status).toBe(422);
  });
});

test('the file is asked for again with its tag, and follows every save; so is the report', async () => {
  const { path, store } = await world();
  for (const asked of [path, `${path}?report=true`]) {
    const { headers } = await admin.get(asked);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
    });
    const known = { 'if-none-match': String(headers['etag']) };
    expect((await admin.get(asked, known)).status).toBe(304);
    await store({ competitors: [{ competitor_id: '1', last_name: `Berg ${asked.length}` }] });
    expect((await admin.get(asked, known)).status).toBe(200);
  }
});

const FOLDER = process.env['COMPETITION_DATA_DIR'];
const why = FOLDER ? '' : ' (skipped: COMPETITION_DATA_DIR is not set)';

test.runIf(FOLDER).for<[string, object]>([
  ['full_competition_upload.json', { waId: 1, waEventId: 6, 'detail.wind': 1 }],
  ['rio2016_upload.json', { waId: 1, waEventId: 64, birthdate: 2283, country: 32 }],
])(`a real meeting (%s) has a file that holds${why}`, async ([name, missing]) => {
  const meeting = JSON.parse(await readFile(join(FOLDER!, name), 'utf8')) as Record<string, unknown>;
  const { file, report } = await world({ ...meeting, country_id: 'GBR' });
  const { units, athletes } = await file();
  const { missing_by_field: byField, missing: told, ...counts } = await report();
  expect(counts).toMatchObject({ units: units.length, athletes: athletes.length, left_out: 0 });
  expect([byField, told.filter(({ field }) => field === 'result' || field === 'detail')]).toEqual([
    missing,
    [],
  ]);
});
