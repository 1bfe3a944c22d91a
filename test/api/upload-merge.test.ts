import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const SPRINT = { event_id: 'E1', event_code: '100', name: '100 m', units: [] };
const heat = (fields: Record<string, unknown> = {}) => ({ round: 1, heat: 1, ...fields });
const withSplits = (splits: unknown[]) => ({
  events: [{ ...SPRINT, units: [heat({ results: [{ bib: '1', splits }] })] }],
});
const entering = (events_entered: unknown) => ({ competitors: [{ competitor_id: '1', events_entered }] });
const people = (...ids: string[]) => ({ competitors: ids.map((competitor_id) => ({ competitor_id })) });

describe('a section merges by its key', () => {
  test.for<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    [
      'competitors',
      { competitor_id: '1', first_name: 'Ana', last_name: 'Bo', gender: 'F' },
      { competitor_id: '1', last_name: 'Cruz', nationality: 'ESP' },
      { competitor_id: '1', first_name: 'Ana', last_name: 'Cruz', gender: 'F', nationality: 'ESP' },
    ],
    [
      'teams',
      { team_id: 'T', team_name: 'Town', match_id: 'm' },
      { team_id: 'T', team_name: 'City' },
      { team_id: 'T', team_name: 'City', match_id: 'm' },
    ],
    [
      'relay_teams',
      { event_id: 'R', relay_team_id: 'A', name: 'Town A', runners: ['1', '2'] },
      { event_id: 'R', relay_team_id: 'A', team_id: 'T' },
      { event_id: 'R', relay_team_id: 'A', name: 'Town A', runners: ['1', '2'], team_id: 'T' },
    ],
    [
      'events',
      { event_id: 'E', event_code: '100', name: '100 m', day: 1, units: [] },
      { event_id: 'E', name: 'Hundred', age_groups: ['U20'], units: [] },
      {
        event_id: 'E',
        event_code: '100',
        name: 'Hundred',
        day: 1,
        age_groups: ['U20'],
        lynx_event_no: 1,
        units: [],
      },
    ],
  ])('%s: sent fields replace, the others stay', async ([section, first, second, merged]) => {
    const { store, document } = await uploadsInto(admin);
    await store({ [section]: [first] });
    await store({ [section]: [second] });
    expect((await document())[section]).toEqual([merged]);
  });

  test('units: by round and heat within the event', async () => {
    const { store, unit } = await uploadsInto(admin);
    await store({ events: [{ ...SPRINT, units: [heat({ status: 'running', day: 2 }), heat({ heat: 2 })] }] });
    await store({ events: [{ event_id: 'E1', units: [heat({ heat: '1', status: 'finished' })] }] });
    expect(await unit('E1')).toMatchObject({ status: 'finished', day: 2 });
    expect(await unit('E1', 1, 2)).toMatchObject({ status: 'unscheduled' });
  });

  test('one relay team id in two events is two relay teams', async () => {
    const { store, document } = await uploadsInto(admin);
    const teams = ['R1', 'R2'].map((event_id) => ({ event_id, relay_team_id: 'A', name: event_id }));
    await store({ relay_teams: teams });
    expect((await document()).relay_teams).toEqual(teams);
  });

  test('null clears a field', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({ competitors: [{ competitor_id: '1', first_name: 'Ana', team_id: 'T' }] });
    await store({ competitors: [{ competitor_id: '1', team_id: null }] });
    expect((await document()).competitors).toEqual([
      { competitor_id: '1', first_name: 'Ana', team_id: null },
    ]);
  });
});

describe('sent sub-arrays replace whole', () => {
  test.for<[string, string, Record<string, unknown>, unknown, unknown]>([
    [
      'competitors',
      'events_entered',
      { competitor_id: '1' },
      [{ event_id: 'A' }, { event_id: 'B' }],
      [{ event_id: 'C' }],
    ],
    ['relay_teams', 'runners', { event_id: 'R', relay_team_id: 'A' }, ['1', '2', '3'], ['4']],
    ['events', 'age_groups', { event_id: 'E', units: [] }, ['U18', 'U20'], ['SEN']],
  ])('%s: %s', async ([section, field, key, before, after]) => {
    const { store, document } = await uploadsInto(admin);
    await store({ [section]: [{ ...key, [field]: before }] });
    expect((await document())[section][0][field]).toEqual(before);
    await store({ [section]: [{ ...key, [field]: after }] });
    expect((await document())[section][0][field]).toEqual(after);
    await store({ [section]: [{ ...key, [field]: [] }] });
    expect((await document())[section][0][field]).toEqual([]);
  });

  test.for<[string, unknown[], unknown[]]>([
    ['results', [{ bib: '1', place: 1, lane: 3 }, { bib: '2' }], [{ bib: '2', performance: '10.5' }]],
    ['trials', [{ bib: '1', round: 1, result: 'x' }], [{ bib: '2', round: 1, result: '5.00' }]],
    ['heights', ['1.50', '1.55'], ['1.60']],
  ])('units: %s', async ([field, before, after]) => {
    const { store, unit } = await uploadsInto(admin);
    await store({ events: [{ ...SPRINT, units: [heat({ [field]: before, status: 'running' })] }] });
    await store({ events: [{ event_id: 'E1', units: [heat({ [field]: after })] }] });
    expect(await unit('E1')).toMatchObject({ [field]: after, status: 'running' });
    expect((await unit('E1'))[field]).toHaveLength(1);
  });

  test('splits, with the result they belong to', async () => {
    const { store, unit } = await uploadsInto(admin);
    await store(
      withSplits([
        { distance: 200, elapsedTime: '30' },
        { distance: 400, elapsedTime: '62' },
      ]),
    );
    await store(withSplits([{ distance: 400, elapsedTime: '61' }]));
    expect((await unit('E1')).results).toEqual([
      { bib: '1', splits: [{ distance: 400, elapsedTime: '61' }] },
    ]);
  });

  test('entries follow the competitor they came with', async () => {
    const { id, store } = await uploadsInto(admin);
    const entered = async () =>
      (
        await api.db.$client.query(
          'select event_id, event_code from entries where competition_id = $1 order by position',
          [id],
        )
      ).rows;
    await store(
      entering([
        { event_id: 'A', event_code: 'LJ' },
        { event_id: 'B', qp: null },
      ]),
    );
    expect(await entered()).toEqual([
      { event_id: 'A', event_code: 'LJ' },
      { event_id: 'B', event_code: '' },
    ]);
    await store({ competitors: [{ competitor_id: '1', first_name: 'Ana' }] });
    expect(await entered()).toHaveLength(2);
    await store(entering([{ event_id: 'C' }]));
    expect(await entered()).toEqual([{ event_id: 'C', event_code: '' }]);
  });
});

describe('what is not mentioned stays', () => {
  const everything = {
    competitors: [{ competitor_id: '1' }, { competitor_id: '2' }],
    teams: [{ team_id: 'T' }, { team_id: 'U' }],
    relay_teams: [{ event_id: 'E1', relay_team_id: 'A' }],
    events: [
      { ...SPRINT, units: [heat(), heat({ heat: 2 })] },
      { event_id: 'E2', units: [] },
    ],
  };

  test.for<[string, unknown]>([
    [
      'an upload of one of each',
      { ...everything, competitors: [{ competitor_id: '2' }], teams: [{ team_id: 'U' }] },
    ],
    ['an upload of a new event', { events: [{ event_id: 'E3', units: [] }] }],
    ['empty arrays', { competitors: [], teams: [], relay_teams: [], events: [] }],
    ['nulls', { competitors: null, teams: null, relay_teams: null, events: null }],
    ['an event without units', { events: [{ event_id: 'E1', units: [] }] }],
    ['an event with null units', { events: [{ event_id: 'E1', units: null }] }],
  ])('through %s', async ([, upload]) => {
    const { store, document } = await uploadsInto(admin);
    await store(everything);
    const before = await document();
    await store(upload);
    const after = await document();
    for (const section of ['competitors', 'teams', 'relay_teams', 'events']) {
      expect(after[section]).toEqual(expect.arrayContaining(before[section]));
    }
  });

  test('and keeps its order; what is new comes last', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(people('3', '1'));
    await store(people('2', '1', '0'));
    const ids = (await document()).competitors.map((one: { competitor_id: string }) => one.competitor_id);
    expect(ids).toEqual(['3', '1', '2', '0']);
  });
});

describe('unknown fields', () => {
  test('of everything but competitors come back in public as they were sent', async () => {
    const { store, document } = await uploadsInto(admin);
    const odd = { remark: 'über', list: [1, { deep: null }], flag: false, number: 1.5 };
    await store({
      teams: [{ team_id: 'T', ...odd }],
      relay_teams: [{ event_id: 'E1', relay_team_id: 'A', ...odd }],
      events: [
        {
          ...SPRINT,
          ...odd,
          units: [heat({ ...odd, results: [{ bib: '1', ...odd }], trials: [{ bib: '1', ...odd }] })],
        },
      ],
    });
    const { teams, relay_teams, events } = await document();
    const [unit] = events[0].units;
    for (const one of [teams[0], relay_teams[0], events[0], unit, unit.results[0], unit.trials[0]]) {
      expect(one).toMatchObject(odd);
    }
  });
});

describe('references that lead nowhere', () => {
  test('are accepted: results matter more than start lists', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({
      competitors: [
        { competitor_id: '1', team_id: 'gone', events_entered: [{ event_id: '1', event_code: '3k' }] },
      ],
      relay_teams: [{ event_id: 'nowhere', relay_team_id: 'A', team_id: 'gone', runners: ['99'] }],
      events: [{ ...SPRINT, parent: 'nothing', units: [heat({ results: [{ bib: '77', place: 1 }] })] }],
    });
    const { events } = await document();
    expect(events[0].units[0].results).toEqual([{ bib: '77', place: 1 }]);
  });
});
