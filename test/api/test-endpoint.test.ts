import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { UPLOAD_EXAMPLE } from '../../src/competitions/examples.ts';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { snapshot } from '../helpers/snapshot.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
const plain = await api.as();
afterAll(api.close);

const check = (body: unknown) => plain.post('/api/v1/competitions/test', body);
type Warning = { loc: (string | number)[]; msg: string; type: string };
const warningsOf = async (body: unknown) => {
  const answer = await check(body);
  expect(answer.status).toBe(200);
  return (answer.body.warnings as Warning[]).map(({ loc, type }) => `${type} ${loc.join('.')}`);
};

describe('a valid payload', () => {
  test('is answered with the record as create would answer it, and nothing is stored', async () => {
    const sent = { ...UPLOAD_EXAMPLE, id: randomUUID(), wa_rankings_category_id: 'DF', latitude: '51.5' };
    const before = await snapshot(api.db);
    const { status, body } = await check(sent);
    expect(status).toBe(200);
    expect(body).toStrictEqual({ valid: true, warnings: [], competition: expect.any(Object) });
    expect(await snapshot(api.db)).toEqual(before);
    const created = await admin.post('/api/v1/competitions/', sent);
    expect(created.body).toEqual(body.competition);
  });

  test('may be of a country that the account has no rights in', async () => {
    expect(await warningsOf(competition({ country_id: 'FRA' }))).toEqual([]);
  });

  test('may be judged by any account, as often as it likes', async () => {
    const sent = competition();
    const answers = await Promise.all(Array.from({ length: 5 }, () => check(sent)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('warnings name', () => {
  test('fields that the service does not know, once per kind of object', async () => {
    const unit = {
      round: 1,
      heat: 1,
      oddUnit: 1,
      results: [
        { bib: '1', laneNo: 4 },
        { bib: '2', laneNo: 5 },
      ],
      trials: [{ bib: '1', wnid: 1 }],
    };
    const sent = competition({
      full_nmae: 'typo',
      competitors: [
        { competitor_id: '1', firstName: 'A' },
        { competitor_id: '2', firstName: 'B', shoe: 43 },
      ],
      teams: [{ team_id: 'T', colour: 'red' }],
      relay_teams: [{ relay_team_id: 'TA', event_id: 'E', colour: 'red' }],
      events: [{ event_id: 'E', event_code: 'LJ', day: 1, units: [unit] }],
    });
    expect((await warningsOf(sent)).filter((warning) => !warning.startsWith('unresolved'))).toEqual([
      'unknown_field body.full_nmae',
      'hidden body.full_nmae',
      'unknown_field body.competitors.0.firstName',
      'hidden body.competitors.0.firstName',
      'unknown_field body.competitors.1.shoe',
      'hidden body.competitors.1.shoe',
      'unknown_field body.teams.0.colour',
      'unknown_field body.relay_teams.0.colour',
      'unknown_field body.events.0.day',
      'unknown_field body.events.0.units.0.oddUnit',
      'unknown_field body.events.0.units.0.results.0.laneNo',
      'unknown_field body.events.0.units.0.trials.0.wnid',
    ]);
  });

  test('a field that every object inherits is unknown, too', async () => {
    expect(await warningsOf(competition({ constructor: 1 }))).toEqual([
      'unknown_field body.constructor',
      'hidden body.constructor',
    ]);
  });

  test('references that lead nowhere in this upload', async () => {
    const sent = competition({
      competitors: [
        { competitor_id: '1', team_id: 'none', events_entered: [{ event_id: 'E' }, { event_id: 'gone' }] },
        { competitor_id: '2', team_id: '' },
      ],
      teams: [{ team_id: 'T' }],
      relay_teams: [{ relay_team_id: 'TA', event_id: 'lost', team_id: 'nobody', runners: ['1', '9'] }],
      events: [
        {
          event_id: 'E',
          event_code: '100',
          parent: 'nowhere',
          units: [{ round: 1, heat: 1, results: [{ bib: '1' }, { bib: '7' }] }],
        },
        {
          event_id: 'R',
          event_code: '4x100',
          parent: '',
          units: [{ round: 1, heat: 1, results: [{ bib: 'T' }, { bib: 'TX' }] }],
        },
      ],
    });
    expect(await warningsOf(sent)).toEqual([
      'unresolved body.competitors.0.team_id',
      'unresolved body.competitors.0.events_entered.1.event_id',
      'unresolved body.relay_teams.0.event_id',
      'unresolved body.relay_teams.0.team_id',
      'unresolved body.relay_teams.0.runners.1',
      'unresolved body.events.0.parent',
      'unresolved body.events.0.units.0.results.1.bib',
      'unresolved body.events.1.units.0.results.1.bib',
    ]);
  });

  test('a year of birth that is not that of the date of birth', async () => {
    const sent = competition({
      competitors: [
        { competitor_id: '1', date_of_birth: '2008-03-01', year_of_birth: 2008 },
        { competitor_id: '2', date_of_birth: '2008-03-01', year_of_birth: '2009' },
        { competitor_id: '3', date_of_birth: '', year_of_birth: 2009 },
      ],
    });
    expect(await warningsOf(sent)).toEqual(['contradiction body.competitors.1.year_of_birth']);
  });

  test('a duplicate, a taken id and a taken slug', async () => {
    const sent = competition({ id: randomUUID() });
    await admin.post('/api/v1/competitions/', sent);
    expect(await warningsOf(sent)).toEqual(['duplicate body.full_name', 'taken body.id', 'taken body.slug']);
    expect(await warningsOf({ ...competition(), slug: sent.slug })).toEqual(['taken body.slug']);
  });

  test('a thousand of them at most', async () => {
    const competitors = Array.from({ length: 1500 }, (_, n) => ({ competitor_id: `${n}`, team_id: `T${n}` }));
    expect(await warningsOf(competition({ competitors }))).toHaveLength(1000);
  });
});

describe('a payload that create refuses', () => {
  test.for<[string, unknown]>([
    ['nothing', {}],
    ['a wrong date', competition({ date: '2026-02-30' })],
    ['a key twice', competition({ teams: [{ team_id: 'T' }, { team_id: 'T' }] })],
    ['wrong rounds', competition({ events: [{ event_id: 'E', rounds: 'x' }] })],
    [
      'a result without a bib',
      competition({ events: [{ event_id: 'E', units: [{ round: 1, heat: 1, results: [{}] }] }] }),
    ],
  ])('is refused in the same words: %s', async ([, sent]) => {
    const judged = await check(sent);
    const refused = await admin.post('/api/v1/competitions/', sent);
    expect(judged.status).toBe(422);
    expect(judged.body).toEqual(refused.body);
  });
});
