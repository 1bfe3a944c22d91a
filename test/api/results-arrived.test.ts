import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const WAITING = ['empty', 'seeded', 'in_progress'];
const ARRIVED = ['provisional', 'provisional_results', 'official', 'official_results'];
const STATES = [...WAITING, ...ARRIVED];
const upload = (unit: Record<string, unknown>, fields: Record<string, unknown> = {}) => ({
  events: [{ event_id: 'E', event_code: '100', ...fields, units: [{ round: 1, heat: 1, ...unit }] }],
});

async function world(fields: Record<string, unknown> = {}) {
  const uploads = await uploadsInto(admin, { push: true, ...fields });
  const read = outboxReader(api.db);
  await read();
  const arrived = async () => (await read()).filter(({ event }) => event === 'results_arrived');
  return { ...uploads, arrived, overview: `${uploads.page.slice(1).replaceAll('/', '-')}-overview` };
}

const results = [
  { bib: '1', place: 1, performance: '10.50' },
  { bib: '2', place: 2, performance: '10.60' },
];
const heatAt = (index: number, results_status: string) => ({
  round: 1,
  heat: index + 1,
  results_status,
  results,
});

test('has these fields, on the overview channel', async () => {
  const { store, arrived, overview } = await world();
  await store({ competitors: [{ competitor_id: '1', first_name: 'Ana', last_name: 'Bo' }] });
  await store(upload({ results, results_status: 'official' }));
  const [event, ...rest] = await arrived();
  expect(rest).toEqual([]);
  expect(event!.channel).toBe(overview);
  expect(event!.data).toStrictEqual({
    event_id: 'E',
    round_no: 1,
    heat_no: 1,
    heat_name: 'Final',
    winner_performance: '10.50',
    winner_name: 'Ana Bo',
    revision: expect.any(Number),
  });
});

const PAIRS = STATES.flatMap((from) => STATES.map((to) => [from, to] as const));
const saved = (side: 0 | 1) => ({
  events: [
    { event_id: 'E', event_code: '100', units: PAIRS.map((pair, index) => heatAt(index, pair[side])) },
  ],
});

describe('the transition', () => {
  test('comes out of a waiting state into one with results, and at no other', async () => {
    const { upload: send, arrived } = await world();
    await send(saved(0));
    await arrived();
    await send(saved(1));
    const seen = new Set((await arrived()).map(({ data }) => data.heat_no as number));
    for (const [index, [from, to]] of PAIRS.entries()) {
      const expected = WAITING.includes(from) && ARRIVED.includes(to);
      expect([from, to, seen.has(index + 1)]).toEqual([from, to, expected]);
    }
  });

  test.for(STATES)("a unit's first save as %s counts from empty", async (results_status) => {
    const { store, arrived } = await world();
    await store(upload({ results_status, results }));
    expect(await arrived()).toHaveLength(ARRIVED.includes(results_status) ? 1 : 0);
  });

  test('waits for the first results when the unit was declared official without any', async () => {
    const { store, arrived } = await world();
    await store(upload({ results_status: 'official' }));
    expect(await arrived()).toEqual([]);
    await store(upload({ results }));
    expect((await arrived()).map(({ data }) => data.winner_performance)).toEqual(['10.50']);
    await store(upload({ results: results.toReversed() }));
    expect(await arrived()).toEqual([]);
  });

  test('comes when the status is derived, too', async () => {
    const { store, arrived } = await world();
    await store(upload({ results: [{ bib: '1' }] }));
    expect(await arrived()).toEqual([]);
    await store(upload({ results }));
    expect(await arrived()).toHaveLength(1);
  });

  test('comes again after the unit went back to in_progress', async () => {
    const { store, arrived } = await world();
    for (const results_status of ['official', 'in_progress', 'official']) {
      await store(upload({ results, results_status }));
    }
    expect(await arrived()).toHaveLength(2);
  });

  test('does not come for a corrected result', async () => {
    const { store, arrived } = await world();
    await store(upload({ results, results_status: 'provisional' }));
    await arrived();
    await store(upload({ results: results.toReversed(), results_status: 'official' }));
    expect(await arrived()).toEqual([]);
  });
});

describe('the winner', () => {
  const people = {
    competitors: [
      { competitor_id: '1', first_name: 'Ana', last_name: 'Bo' },
      { competitor_id: '2', first_name: 'Cy', last_name: 'Dee' },
    ],
    teams: [{ team_id: 'T', team_name: 'Town' }],
    relay_teams: [{ relay_team_id: 'TA', event_id: 'E', name: 'Town A' }],
  };

  test.for<[string, string, unknown[], string, string]>([
    [
      'the lowest place, wherever it stands',
      '100',
      [
        { bib: '1', place: 2 },
        { bib: '2', place: 1, performance: '9.9' },
      ],
      'Cy Dee',
      '9.9',
    ],
    [
      'the lowest place there is',
      '100',
      [
        { bib: '1', place: 4, performance: '11' },
        { bib: '2', place: 5 },
      ],
      'Ana Bo',
      '11',
    ],
    [
      'all of a tie',
      'HJ',
      [
        { bib: '1', place: 1, performance: '1.80' },
        { bib: '2', place: 1, performance: '1.80' },
      ],
      'Ana Bo / Cy Dee',
      '1.80',
    ],
    ['a relay team', '4x100', [{ bib: 'TA', place: 1, performance: '45.0' }], 'Town A', '45.0'],
    ['a team that ran a relay', '4x100', [{ bib: 'T', place: 1, performance: '45.0' }], 'Town', '45.0'],
    ['a name that was sent', '100', [{ bib: '7', place: 1, athlete_name: 'Sent Name' }], 'Sent Name', ''],
    ['somebody unknown', '100', [{ bib: '7', place: 1, performance: '10.0' }], '', '10.0'],
    [
      'a known and an unknown one',
      '100',
      [
        { bib: '7', place: 1 },
        { bib: '2', place: 1 },
      ],
      'Cy Dee',
      '',
    ],
    ['nobody without places', '100', [{ bib: '1', performance: '10.0' }], '', ''],
  ])('is %s', async ([, event_code, sent, winner_name, winner_performance]) => {
    const { store, arrived } = await world();
    await store({ ...people, ...upload({ results: sent, results_status: 'official' }, { event_code }) });
    expect((await arrived())[0]!.data).toMatchObject({ winner_name, winner_performance });
  });
});
