import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

type Mark = [bib: string, result: string];
/** Long jumps as they were taken, round by round. */
const rounds = (...series: Mark[][]) =>
  series.flatMap((marks, index) => marks.map(([bib, result]) => ({ bib, round: index + 1, result })));
const tried = (height: string, ...marks: Mark[]) =>
  marks.flatMap(([bib, symbols]) => Array.from(symbols, (result) => ({ bib, height, result })));

type Trial = { bib: string; result: string };
const best = (trials: Trial[], bib: string) =>
  trials
    .filter((trial) => trial.bib === bib && trial.result !== 'x')
    .map(({ result }) => result)
    .toSorted()
    .at(-1);

describe('a client that uploads results and trials after each throw, and says nothing of states', () => {
  test('has each attempt announced, and the results once, at the end', async () => {
    const world = await uploadsInto(admin, { push: true });
    const read = outboxReader(api.db);
    await read();
    const order = [1, 2, 3].flatMap((round) =>
      ['1', '2'].map((bib) => ({ bib, round, result: `14.${round}${bib}` })),
    );
    const seen: string[][] = [];
    for (let count = 1; count <= order.length; count += 1) {
      const trials = order.slice(0, count);
      const results = ['1', '2'].map((bib) => ({ bib, performance: best(trials, bib) ?? '' }));
      await world.store({
        events: [
          { event_id: 'F', event_code: 'SP', units: [{ round: 1, heat: 1, rounds: 3, results, trials }] },
        ],
      });
      const events = await read();
      seen.push(
        events.map(({ event, data }) => (event === 'latest_attempt' ? `${data.bib} ${data.result}` : event)),
      );
      expect((await world.unit('F')).results_status).toBe(
        count < order.length ? 'in_progress' : 'provisional',
      );
    }
    const attempts = order.map(({ bib, result }) => `${bib} ${result}`);
    expect(seen.flatMap((events) => events.filter((event) => event !== 'unit'))).toEqual([
      ...attempts,
      'results_arrived',
    ]);
  });

  test('imports a finished series whole without a replay', async () => {
    const world = await uploadsInto(admin, { push: true });
    const read = outboxReader(api.db);
    await read();
    const trials = rounds([['1', '6.00']], [['1', 'x']], [['1', '6.10']]);
    const results = [{ bib: '1', place: 1, performance: '6.10' }];
    await world.store({
      events: [
        { event_id: 'F', event_code: 'LJ', units: [{ round: 1, heat: 1, rounds: 3, results, trials }] },
      ],
    });
    expect((await read()).map(({ event }) => event)).toEqual(['unit', 'results_arrived']);
  });
});

test('a corrected mark is told from a repeat by its revision, an attempt by its id', async () => {
  const { attempt } = await fieldUnit(admin);
  const read = outboxReader(api.db);
  await read();
  const { body } = await attempt({ bib: '1', round: 1, result: '6.00' });
  await attempt({ bib: '1', round: 1, result: '6.02' });
  const [first, second] = (await read()).filter(({ event }) => event === 'latest_attempt');
  expect(first!.data).toMatchObject({ attempt_id: body.attempt.attempt_id, revision: body.unit.revision });
  expect(second!.data.attempt_id).toBe(first!.data.attempt_id);
  expect(second!.data.revision).toBeGreaterThan(first!.data.revision as number);
});

describe('the state of a unit with attempts, until somebody sends one', () => {
  const people = ['1', '2', '3'].map((bib) => ({ bib }));
  const six = (marks: Mark[]) => Array.from({ length: 6 }, () => marks);
  const A: Mark = ['1', '6.00'];
  const B: Mark = ['2', '5.90'];
  const C: Mark = ['3', '5.80'];
  test.for<[string, string, Record<string, unknown>, string]>([
    [
      'an attempt is missing in the round',
      'LJ',
      { trials: rounds(...six([A, B, C]).slice(0, 5), [A, B]) },
      'in_progress',
    ],
    ['all have had six', 'LJ', { trials: rounds(...six([A, B, C])) }, 'provisional'],
    [
      'all have had the three of the unit',
      'LJ',
      { rounds: 3, trials: rounds([A, B, C], [A, B, C], [A, B, C]) },
      'provisional',
    ],
    [
      'those who qualified have had six, and one was out after three',
      'LJ',
      { trials: rounds([A, B, C], [A, B, C], [A, B, C], [A, B], [A, B], [A, B]) },
      'provisional',
    ],
    [
      'the one who has not thrown retired',
      'LJ',
      { rounds: 2, trials: rounds([A, B, ['3', 'r']], [A, B]) },
      'provisional',
    ],
    ['the unit is finished', 'LJ', { status: 'finished', trials: rounds([A]) }, 'provisional'],
    [
      'one can still jump',
      'HJ',
      { trials: tried('1.80', ['1', 'o'], ['2', 'xxx'], ['3', 'xxx']) },
      'in_progress',
    ],
    ['all are out', 'HJ', { trials: tried('1.80', ['1', 'xxx'], ['2', 'xxx'], ['3', 'xxx']) }, 'provisional'],
  ])('%s, in %s', async ([, code, unit, expected]) => {
    const { store, unit: read } = await uploadsInto(admin);
    await store({
      events: [{ event_id: 'F', event_code: code, units: [{ round: 1, heat: 1, results: people, ...unit }] }],
    });
    expect((await read('F')).results_status).toBe(expected);
  });

  test('who did not start keeps nobody waiting', async () => {
    const { store, unit } = await uploadsInto(admin);
    const results = [{ bib: '1' }, { bib: '2', performance: 'DNS' }];
    const trials = rounds([A], [A], [A]);
    await store({
      events: [
        { event_id: 'F', event_code: 'LJ', units: [{ round: 1, heat: 1, rounds: 3, results, trials }] },
      ],
    });
    expect((await unit('F')).results_status).toBe('provisional');
  });
});

describe('a unit that is read, changed and written back', () => {
  test('keeps what the service made up as made up', async () => {
    const { patch, current, store } = await fieldUnit(admin, { unit: { results: [] } });
    const before = await current();
    expect(before).toMatchObject({ results_status: 'empty', status: 'unscheduled', heat_name: 'Final' });
    await patch({ ...before, results: [{ bib: '1', performance: '6.00' }] });
    expect(await current()).toMatchObject({ results_status: 'provisional' });
    await store({ events: [{ event_id: 'F1', units: [{ round: 2, heat: 1 }] }] });
    expect((await current()).heat_name).toBe('Qualification');
  });

  test('keeps names that follow from bibs, and marks that follow from attempts', async () => {
    const { patch, current, store, attempt } = await fieldUnit(admin, { event: { max_field_attempts: 2 } });
    for (const round of [1, 2]) await attempt({ bib: '1', round, result: 'x' });
    for (const round of [1, 2]) await attempt({ bib: '2', round, result: '6.00' });
    await patch({ results_status: 'official' });
    const before = await current();
    expect(before.results[0]).toMatchObject({ bib: '1', athlete_name: 'Anna B1', performance: 'NM' });
    await patch(before);
    await store({ competitors: [{ competitor_id: '1', last_name: 'Renamed' }] });
    expect((await current()).results[0].athlete_name).toBe('Anna Renamed');
  });

  test('takes a value that differs as a statement', async () => {
    const { patch, current } = await fieldUnit(admin, { unit: { results: [] } });
    await patch({ ...(await current()), results_status: 'seeded', heat_name: 'Pool A' });
    await patch({ results: [{ bib: '1', performance: '6.00' }] });
    expect(await current()).toMatchObject({ results_status: 'seeded', heat_name: 'Pool A' });
  });
});

describe('trials that come by PATCH or upload', () => {
  const series = rounds([
    ['1', '6.00'],
    ['2', '6.20'],
  ]);

  test('move the standings of a unit that is recorded attempt by attempt', async () => {
    const { attempt, patch, upload, standings } = await fieldUnit(admin);
    await attempt({ bib: '1', round: 1, result: '6.00' });
    await patch({ trials: series });
    expect(await standings()).toEqual([
      ['1', 2, '6.00'],
      ['2', 1, '6.20'],
    ]);
    const trials = [...series, { bib: '1', round: 2, result: '6.30' }];
    await upload({ events: [{ event_id: 'F1', units: [{ round: 1, heat: 1, trials }] }] });
    expect(await standings()).toEqual([
      ['1', 1, '6.30'],
      ['2', 2, '6.20'],
    ]);
  });

  test('make the standings of a start list, too', async () => {
    const { patch, upload, standings } = await fieldUnit(admin);
    const results = [{ bib: '1' }, { bib: '2' }];
    await upload({ events: [{ event_id: 'F1', units: [{ round: 1, heat: 1, results, trials: series }] }] });
    expect(await standings()).toEqual([
      ['1', 2, '6.00'],
      ['2', 1, '6.20'],
    ]);
    await patch({ results, trials: series.slice(0, 1) });
    expect(await standings()).toEqual([
      ['1', 1, '6.00'],
      ['2', null, null],
    ]);
  });

  test('leave the places of other units as they were supplied', async () => {
    const results = [
      { bib: '1', place: 1, performance: '7.00' },
      { bib: '2', place: 2, performance: '6.90' },
    ];
    const { patch, standings } = await fieldUnit(admin, { unit: { results } });
    await patch({ trials: series });
    expect(await standings()).toEqual([
      ['1', 1, '7.00'],
      ['2', 2, '6.90'],
    ]);
  });
});

describe('an athlete without a mark when the unit is official', () => {
  const FOULS = [{ bib: '1', round: 1, result: 'x' }];
  test.for<[string, string, Record<string, unknown>, (string | null)[]]>([
    ['has no mark after fouls', 'LJ', { trials: FOULS, results_status: 'official' }, ['NM', null]],
    [
      'did not start when the unit is finished',
      'LJ',
      { trials: FOULS, results_status: 'official', status: 'finished' },
      ['NM', 'DNS'],
    ],
    ['is still awaited while the unit goes on', 'LJ', { trials: FOULS }, [null, null]],
    [
      'has no height',
      'HJ',
      { trials: tried('1.80', ['1', 'x'], ['2', 'o']), results_status: 'official_results' },
      ['NH', '1.80'],
    ],
    [
      'stays blank after a pass alone',
      'LJ',
      { trials: [{ bib: '1', round: 1, result: '-' }], results_status: 'official' },
      [null, null],
    ],
  ])('%s (%s)', async ([, code, unit, performances]) => {
    const { standings } = await fieldUnit(admin, { code, unit });
    expect((await standings()).map(([, , performance]) => performance)).toEqual(performances);
    const without = (await standings()).filter(([, , performance]) => !/^\d/.test(String(performance)));
    expect(without.map(([, place]) => place)).toEqual(without.map(() => null));
  });
});
