import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import {
  AFTER_SHOT,
  listed,
  PEOPLE,
  SHOT,
  triathlon,
  unitOf,
  combinedMeeting,
  type Fields,
} from '../helpers/triathlon.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const meeting = (sent?: Fields) => combinedMeeting(admin, sent);

describe('the standings of a combined event', () => {
  test('are a unit like any other, with the points of its parts, places and names', async () => {
    const { unit, at, page, document } = await meeting();
    const shown = await unit('M01');
    expect(shown).toMatchObject({
      event_id: 'M01',
      event_code: 'TRI',
      heat_name: 'Final',
      status: 'in_progress',
      results_status: 'in_progress',
      channel: `${page.slice(1).replaceAll('/', '-')}-overview-M01-1-1`,
      results: [
        {
          bib: '1',
          place: 1,
          points: 915,
          performance: '915',
          athlete_name: 'Ida B1',
          team_name: 'Harbour Town',
        },
        { bib: '2', place: 2, points: 794 },
        { bib: '3', athlete_name: 'Ida B3' },
      ],
    });
    expect(shown.results[2]).not.toHaveProperty('points');
    expect((await admin.get(at('M01'))).body).toEqual(shown);
    const event = (await document()).events[0];
    expect(event).toMatchObject({ results: listed, units: [shown] });
  });

  test('list everybody in the parts by points when nobody says who takes part', async () => {
    const { standings } = await meeting(triathlon());
    expect(await standings()).toEqual(AFTER_SHOT);
  });

  test('leave out who only starts in a part, when somebody says who takes part', async () => {
    const { standings } = await meeting(triathlon({ combined: { results: [{ bib: '2' }] } }));
    expect(await standings()).toEqual([['2', 1, 794, '794']]);
  });

  test('are there when the parts come later, with the results that were sent before', async () => {
    const { events, ...people } = triathlon({ combined: { results: listed } });
    const { store, standings } = await meeting({ ...people, events: events.slice(0, 1) });
    await store({ events: events.slice(1) });
    expect(await standings()).toEqual(AFTER_SHOT);
  });

  test('take points sent with a part, but not the 0 of who has no table', async () => {
    const shot = [
      { ...SHOT[0], athlonPoints: 1000, points: 12 },
      { ...SHOT[1], points: 0 },
      { bib: '3', performance: 'NM' },
    ];
    const { standings } = await meeting(triathlon({ shot }));
    expect(await standings()).toEqual([
      ['1', 1, 1000, '1000'],
      ['2', 2, 794, '794'],
      ['3', 3, 0, '0'],
    ]);
  });

  test('share a place at equal points; who does not start in a part has none', async () => {
    const shot = [SHOT[0]!, { ...SHOT[0], bib: '2' }, { bib: '3', performance: 'DNS' }];
    const { standings } = await meeting(triathlon({ shot }));
    expect(await standings()).toEqual([
      ['1', 1, 915, '915'],
      ['2', 1, 915, '915'],
      ['3', null, 0, '0'],
    ]);
  });

  test('go by the athlete where the events are for everybody', async () => {
    const { standings, store } = await meeting(triathlon({ genders: 'MF' }));
    expect((await standings())[0]).toEqual(['1', 1, 915, '915']);
    await store({ competitors: [{ ...PEOPLE[0], gender: 'M' }] });
    expect((await standings())[0]).toEqual(['1', 1, 839, '839']);
  });

  test('count of several rounds of a part the last', async () => {
    const { store, standings } = await meeting();
    await store({
      events: [{ event_id: 'F1', units: [{ ...unitOf([{ bib: '1', performance: '14.00' }]), round: 2 }] }],
    });
    expect((await standings()).slice(0, 2)).toEqual([
      ['1', 1, 794, '794'],
      ['2', 1, 794, '794'],
    ]);
  });
});

describe('what was sent', () => {
  test('stands, and only the rest follows from the parts', async () => {
    const results = [
      { bib: '1', points: 900, note: 'protest' },
      { bib: '2', place: 7 },
      { bib: '3', performance: 'DNF' },
    ];
    const { standings, unit, patch } = await meeting(triathlon({ combined: { results } }));
    await patch('T1', { results: [{ bib: '2', performance: '25.00' }] });
    expect(await standings()).toEqual([
      ['1', 2, 900, '900'],
      ['2', 7, 1681, '1681'],
      ['3', null, null, 'DNF'],
    ]);
    expect((await unit('M01')).results[0].note).toBe('protest');
  });

  test('is no statement when it comes back as it was read', async () => {
    const { standings, patch, unit, at } = await meeting(triathlon());
    const { revision: _revision, ...read } = await unit('M01');
    expect((await admin.patch(at('M01'), read)).body).toMatchObject(read);
    await patch('F1', { results: [{ bib: '1', performance: '14.00' }, SHOT[1]] });
    expect((await standings())[0]).toEqual(['1', 1, 794, '794']);
  });

  test('to the unit itself stands too; places set by hand are alone', async () => {
    const { standings, patch } = await meeting();
    const results = [{ bib: '2', place: 1 }, { bib: '1' }];
    const { body } = await patch('M01', { results, override_places: true });
    expect(body.results).toMatchObject([
      { bib: '2', place: 1, points: 794, athlete_name: 'Ida B2' },
      { bib: '1', points: 915, athlete_name: 'Ida B1' },
    ]);
    expect(await standings()).toEqual([
      ['2', 1, 794, '794'],
      ['1', null, 915, '915'],
    ]);
  });

  test('as event and as unit goes together', async () => {
    const combined = { results: listed, units: [{ round: 1, heat: 1, status: 'on the way' }] };
    const { standings, unit } = await meeting(triathlon({ combined }));
    expect(await standings()).toEqual(AFTER_SHOT);
    expect((await unit('M01')).status).toBe('on the way');
  });

  test('is refused with its path when it is no list of results, and warned about when it leads nowhere', async () => {
    const { upload, document } = await meeting();
    const before = await document();
    const refused = await upload({ events: [{ event_id: 'M01', results: [{ place: 1.5 }] }] });
    expect(refused.status).toBe(422);
    expect(refused.body.detail.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([
      'body.events.0.results.0.bib',
      'body.events.0.results.0.place',
    ]);
    expect(await document()).toEqual(before);
    const judged = await admin.post('/api/v1/competitions/test', {
      full_name: 'Judged',
      country_id: 'GBR',
      date: '2026-07-01',
      ...triathlon({ combined: { results: [{ bib: '9', piont: 1 }] } }),
    });
    expect(judged.body.warnings.map(({ loc }: { loc: unknown[] }) => loc.join('.'))).toEqual([
      'body.events.0.results.0.piont',
      'body.events.0.results.0.bib',
    ]);
  });
});

const all = (mark: string) => listed.map(({ bib }) => ({ bib, performance: mark }));

const series = (rounds: number) =>
  Array.from({ length: rounds }, (_, index) => ({ bib: '1', round: index + 1, result: '6.00' }));

describe('the state of a combined event', () => {
  test('is in progress until every part has its results; then they arrive, once', async () => {
    const { patch, unit } = await meeting(triathlon());
    const pushed = outboxReader(api.db);
    await pushed();
    await patch('F2', { results: all('6.00') });
    expect((await pushed()).filter(({ data, event }) => event !== 'unit' && data.event_id === 'M01')).toEqual(
      [],
    );
    await patch('T1', { results: all('25.00') });
    const arrived = async () =>
      (await pushed()).filter(({ event, data }) => event === 'results_arrived' && data.event_id === 'M01');
    expect((await arrived()).map(({ data }) => data)).toMatchObject([
      { winner_name: 'Ida B1', winner_performance: '2652' },
    ]);
    expect((await unit('M01')).results_status).toBe('provisional');
    await patch('T1', { results: all('25.10') });
    await patch('M01', { results_status: 'official' });
    expect(await arrived()).toEqual([]);
  });

  test('is seeded before the first points', async () => {
    const { unit } = await meeting(triathlon({ shot: listed }));
    expect(await unit('M01')).toMatchObject({ results_status: 'seeded', status: 'unscheduled' });
  });
});

const jumps = (rounds: number, fields: Fields = {}, event: Fields = {}) => ({
  ...triathlon(),
  events: [
    { event_id: 'M01', event_code: 'TRI' },
    {
      event_id: 'F2',
      event_code: 'LJ',
      parent: 'M01',
      ...event,
      units: [unitOf([{ bib: '1' }], { ...fields, trials: series(rounds) })],
    },
  ],
});

describe('a long jump within a combined event', () => {
  test('has three rounds', async () => {
    const { attempt, unit } = await meeting(jumps(2));
    expect((await unit('F2')).results_status).toBe('in_progress');
    expect((await attempt({ bib: '1', round: 3, result: '6.10' })).status).toBe(201);
    expect((await unit('F2')).results_status).toBe('provisional');
    expect(await attempt({ bib: '1', round: 4, result: '6.20' })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'round'], msg: 'This unit has 3 rounds of attempts' }] },
    });
  });

  test.for<[string, Fields, Fields, number]>([
    ['its unit says so', { rounds: 4 }, { max_field_attempts: 2 }, 4],
    ['its event says so', {}, { max_field_attempts: 4 }, 4],
    ['it is part of nothing', {}, { parent: null }, 6],
  ])('has another number when %s', async ([, fields, event, rounds]) => {
    const { attempt } = await meeting(jumps(3, fields, event));
    expect((await attempt({ bib: '1', round: rounds, result: '6.10' })).status).toBe(201);
    expect((await attempt({ bib: '1', round: rounds + 1, result: '6.10' })).status).toBe(422);
  });
});

test('a competitor’s page has their combined event, also when only the parts name them', async () => {
  const { page } = await meeting(triathlon());
  const { body } = await admin.get(`${page}/competitor/2/json/`);
  expect(body.results).toContainEqual(expect.objectContaining({ event_id: 'M01', place: 2, points: 794 }));
});

describe('events that name each other or themselves as parents', () => {
  test.for([
    [{ event_id: 'A', event_code: 'DEC', parent: 'A', rounds: '1' }],
    [
      { event_id: 'A', event_code: 'DEC', parent: 'B' },
      { event_id: 'B', event_code: 'DEC', parent: 'A', units: [unitOf([{ bib: '1', points: 7 }])] },
    ],
  ])('are stored and saved', async (events) => {
    const { upload, path } = await meeting({ events });
    expect((await upload({ events: [{ event_id: 'A', units: [unitOf(listed)] }] })).status).toBe(200);
    const saved = await admin.patch(`${path}/events/A/units/1/1`, { results: [{ bib: '1', points: 3 }] });
    expect(saved.status).toBe(200);
  });
});
