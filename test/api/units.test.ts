import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const heat = (fields: Record<string, unknown> = {}) => ({ round: 1, heat: 1, ...fields });
const event = (unit: Record<string, unknown>, fields: Record<string, unknown> = {}) => ({
  events: [{ event_id: 'E', event_code: '100', name: '100 m Women', ...fields, units: [heat(unit)] }],
});

describe('the unit record', () => {
  test('has these fields when nothing but its round and heat is sent', async () => {
    const { store, unit, page } = await uploadsInto(admin);
    await store(event({}));
    expect(await unit('E')).toStrictEqual({
      event_id: 'E',
      event_code: '100',
      event_name: '100 m Women',
      round: 1,
      heat: 1,
      round_no: 1,
      heat_no: 1,
      heat_name: 'Final',
      status: 'unscheduled',
      results_status: 'empty',
      scheduled_start_time: null,
      wind_assistance: null,
      heights: [],
      results: [],
      trials: [],
      channel: `${page.slice(1).replaceAll('/', '-')}-overview-E-1-1`,
      revision: expect.any(Number),
      updated_at: '2026-06-01T12:00:00.000Z',
    });
  });

  test('keeps what was sent, in exact types', async () => {
    const { store, unit } = await uploadsInto(admin);
    await store(
      event({
        status: 'Getting Ready',
        results_status: 'official',
        heat_name: 'A race',
        scheduled_start_time: '15:45',
        wind_assistance: -4.1,
        heights: ['1.50', 1.55],
        distance: 100,
        showPoints: true,
        results: [{ bib: 12, place: '1', points: '9', performance: 10.52, lane: 4, rawTime: null }],
        trials: [{ bib: 12, round: '1', result: 6.2, wind: 0.3 }],
      }),
    );
    expect(await unit('E')).toMatchObject({
      status: 'Getting Ready',
      results_status: 'official',
      heat_name: 'A race',
      scheduled_start_time: '15:45',
      wind_assistance: '-4.1',
      heights: ['1.50', '1.55'],
      distance: 100,
      showPoints: true,
      results: [{ bib: '12', place: 1, points: 9, performance: '10.52', lane: 4, rawTime: null }],
      trials: [{ bib: '12', round: 1, result: '6.2', wind: 0.3 }],
    });
  });

  test('ignores sent names that the service computes', async () => {
    const { store, unit, page } = await uploadsInto(admin);
    const computed = {
      event_id: 'other',
      event_code: 'PV',
      event_name: 'Other',
      round_no: 7,
      heat_no: 8,
      channel: 'mine',
      revision: -1,
      updated_at: 'never',
      too_large: true,
      url: 'https://example.org',
    };
    await store(event(computed));
    const { revision, ...shown } = await unit('E');
    expect(revision).toBeGreaterThan(0);
    expect(shown).toMatchObject({ event_id: 'E', event_code: '100', round_no: 1, heat_no: 1 });
    expect(shown.channel).toBe(`${page.slice(1).replaceAll('/', '-')}-overview-E-1-1`);
    expect(shown).not.toHaveProperty('url');
    expect(shown).not.toHaveProperty('too_large');
  });

  test('places are kept as sent: equal times in different places, and places that do not follow the marks', async () => {
    const { store, unit } = await uploadsInto(admin);
    const results = [
      { bib: '2', place: 3, performance: '12.52' },
      { bib: '1', place: 2, performance: '12.52' },
      { bib: '4', place: 1, performance: '12.99' },
      { bib: '3', performance: 'DQ R 163.3a' },
    ];
    await store(event({ results }));
    expect((await unit('E')).results).toEqual(results);
  });
});

describe('results_status', () => {
  test.for([
    'empty',
    'seeded',
    'in_progress',
    'provisional',
    'provisional_results',
    'official',
    'official_results',
  ])('%s is returned as it was sent', async (results_status) => {
    const { store, unit } = await uploadsInto(admin);
    await store(event({ results_status }));
    expect((await unit('E')).results_status).toBe(results_status);
  });

  test.for(['final', 'Official', 7])('%j is a 422 with its path', async (results_status) => {
    const { upload } = await uploadsInto(admin);
    const { status, body } = await upload(event({ results_status }));
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'events', 0, 'units', 0, 'results_status']);
  });

  test('is derived at each save until someone sends it, and then stays', async () => {
    const { store, unit } = await uploadsInto(admin);
    const steps: [Record<string, unknown>, string][] = [
      [{}, 'empty'],
      [{ results: [{ bib: '1' }, { bib: '2', performance: '' }] }, 'seeded'],
      [{ results: [{ bib: '1', performance: '10.50' }, { bib: '2' }] }, 'provisional'],
      [{ results: [] }, 'empty'],
      [{ results: [{ bib: '1' }] }, 'seeded'],
      [{ results_status: 'in_progress' }, 'in_progress'],
      [{ results: [{ bib: '1', performance: '10.50' }] }, 'in_progress'],
      [{ results: [] }, 'in_progress'],
      [{ results_status: 'official' }, 'official'],
      [{ results_status: 'empty', results: [{ bib: '1', performance: '10.50' }] }, 'empty'],
      [{ results_status: null }, 'provisional'],
      [{ results_status: 'official' }, 'official'],
      [{ results_status: '' }, 'provisional'],
    ];
    for (const [sent, expected] of steps) {
      await store(event(sent));
      expect((await unit('E')).results_status).toBe(expected);
    }
  });
});

describe('names behind the bibs', () => {
  const people = {
    competitors: [
      { competitor_id: '1', first_name: 'Ana', last_name: 'Bo', team_id: 'T' },
      { competitor_id: '2', last_name: 'Cruz' },
      { competitor_id: '3', team_id: 'gone' },
    ],
    teams: [
      { team_id: 'T', team_name: 'Town' },
      { team_id: 'U', team_name: '' },
      { team_id: 'V', team_name: 'Village' },
    ],
  };

  test('are those of the competitor and the team, where they are known', async () => {
    const { store, unit } = await uploadsInto(admin);
    await store({ ...people, ...event({ results: ['1', '2', '3', '4'].map((bib) => ({ bib })) }) });
    expect((await unit('E')).results).toEqual([
      { bib: '1', athlete_name: 'Ana Bo', team_name: 'Town' },
      { bib: '2', athlete_name: 'Cruz' },
      { bib: '3' },
      { bib: '4' },
    ]);
  });

  test('in a relay are those of the relay team of that event, then of the team', async () => {
    const { store, unit } = await uploadsInto(admin);
    const relay_teams = [
      { relay_team_id: 'TA', event_id: 'E', name: 'Town A', team_id: 'T' },
      { relay_team_id: 'TB', event_id: 'E', team_id: 'T' },
      { relay_team_id: 'TC', event_id: 'other', name: 'Elsewhere' },
      { relay_team_id: 'T', event_id: 'other', name: 'Elsewhere too' },
      { relay_team_id: 'V', event_id: 'E' },
    ];
    const results = ['TA', 'TB', 'TC', 'T', 'V', '1'].map((bib) => ({ bib }));
    await store({ ...people, relay_teams, ...event({ results }, { event_code: '4X100' }) });
    expect((await unit('E')).results).toEqual([
      { bib: 'TA', team_name: 'Town A' },
      { bib: 'TB', team_name: 'Town' },
      { bib: 'TC' },
      { bib: 'T', team_name: 'Town' },
      { bib: 'V', team_name: 'Village' },
      { bib: '1' },
    ]);
  });

  test('that were sent are kept where nothing resolves, and give way where something does', async () => {
    const { store, unit } = await uploadsInto(admin);
    const sent = { athlete_name: 'Sent Name', team_name: 'Sent Team' };
    await store({ ...people, ...event({ results: ['1', '2', '9'].map((bib) => ({ bib, ...sent })) }) });
    expect((await unit('E')).results).toEqual([
      { bib: '1', athlete_name: 'Ana Bo', team_name: 'Town' },
      { bib: '2', athlete_name: 'Cruz', team_name: 'Sent Team' },
      { bib: '9', ...sent },
    ]);
  });

  test('are text, or absent, whatever was sent', async () => {
    const { store, unit, upload } = await uploadsInto(admin);
    await store(event({ results: [{ bib: '9', athlete_name: 12, team_name: null }] }));
    expect((await unit('E')).results[0].athlete_name).toBe('12');
    expect((await unit('E')).results[0].team_name).toBeNull();
    const { status } = await upload(event({ results: [{ bib: '9', athlete_name: { first: 'A' } }] }));
    expect(status).toBe(422);
  });
});

describe('addresses of units', () => {
  test.for([
    'E',
    '003',
    'ä b',
    'x?y#z',
    '100%',
    'a.b',
    '.a',
    '👟',
    "O'Brien",
    '+1',
    'a\\b',
    'event',
    'json',
    'csv',
  ])('an event with the id %s is found', async (event_id) => {
    const { store, unit } = await uploadsInto(admin);
    await store({ events: [{ event_id, units: [heat()] }] });
    expect(await unit(event_id)).toMatchObject({ event_id, round_no: 1, heat_no: 1 });
  });

  test.for([
    ['', 'Field required'],
    ['  ', 'Field required'],
    ['.', 'dots'],
    ['..', 'dots'],
    ['a/b', 'slashes'],
    ['a\tb', 'control'],
    ['x'.repeat(65), ''],
  ])('the event id %j is a 422', async ([event_id]) => {
    const { upload } = await uploadsInto(admin);
    const { status, body } = await upload({ events: [{ event_id, units: [] }] });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'events', 0, 'event_id']);
  });

  test.for(['E/1/2', 'E/2/1', 'F/1/1', 'E/0/1', 'E/1/01', 'E/1/x', 'E/1.0/1', 'E/-1/1', 'E/1/99999'])(
    'no unit lives at %s',
    async (place) => {
      const { store, page } = await uploadsInto(admin);
      await store(event({}));
      const { status, body } = await api.get(`${page}/event/${place}/json/`);
      expect(status).toBe(404);
      expect(body.detail).toEqual(expect.any(String));
    },
  );

  test.for<[string, unknown]>([
    ['round', 0],
    ['round', 1001],
    ['heat', 1.5],
    ['heat', ''],
    ['heat', null],
  ])('a unit with %s %j is a 422 with its path', async ([field, value]) => {
    const { upload } = await uploadsInto(admin);
    const { status, body } = await upload(event({ [field]: value }));
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'events', 0, 'units', 0, field]);
  });
});
