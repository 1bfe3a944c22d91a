import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

type Fields = Record<string, unknown>;
const upload = (results: Fields[], unit: Fields = {}) => ({
  events: [{ event_id: 'E', event_code: '100', units: [{ round: 1, heat: 1, ...unit, results }] }],
});
const RESULT = ['body', 'events', 0, 'units', 0, 'results', 0];

describe('points', () => {
  test.for<[unknown, number]>([
    [4.5, 4.5],
    ['4.5', 4.5],
    ['4.50', 4.5],
    [' 7 ', 7],
    ['7.0', 7],
    [0.1 + 0.2, 0.3],
    [3.333, 3.333],
    [-2.5, -2.5],
    ['-0', 0],
  ])('%j are stored as %j', async ([points, shown]) => {
    const { store, unit, page } = await uploadsInto(admin);
    await store(upload([{ bib: '1', points }]));
    expect((await unit('E')).results).toStrictEqual([{ bib: '1', points: shown }]);
    const { text } = await api.get(`${page}/event/E/1/1/json/`);
    expect(text).toContain(`"points":${shown}}`);
  });

  test.for<unknown>([1.2345, '4.0001', 'many', '4.5.', '1e3', 2_000_000, true])(
    '%j are a 422 with their path',
    async (points) => {
      const { upload: send } = await uploadsInto(admin);
      const { status, body } = await send(upload([{ bib: '1', points }]));
      expect(status).toBe(422);
      expect(body.detail).toEqual([expect.objectContaining({ loc: [...RESULT, 'points'] })]);
    },
  );

  test('that come back as they were shown change nothing', async () => {
    const { store, unit } = await uploadsInto(admin);
    await store(upload([{ bib: '1', points: '4.50' }]));
    const before = await unit('E');
    await store(upload([{ bib: '1', points: 4.5 }]));
    expect(await unit('E')).toEqual(before);
  });
});

describe('a place', () => {
  test('is a number where it is one, with the text beside it that it was sent as', async () => {
    const { store, unit } = await uploadsInto(admin);
    const results = [
      { bib: '1', place: '1=' },
      { bib: '2', place: '=1' },
      { bib: '3', place: '3.' },
      { bib: '4', place: '4' },
      { bib: '5', place: 'DQ' },
      { bib: '6', place: '-' },
      { bib: '7', place: '' },
    ];
    await store(upload(results));
    expect((await unit('E')).results).toStrictEqual([
      { bib: '1', place: 1, place_text: '1=' },
      { bib: '2', place: 1, place_text: '=1' },
      { bib: '3', place: 3, place_text: '3.' },
      { bib: '4', place: 4 },
      { bib: '5', place: null, place_text: 'DQ' },
      { bib: '6', place: null, place_text: '-' },
      { bib: '7', place: null },
    ]);
  });

  test.for<[unknown, string]>([
    ['x'.repeat(21), 'Too big: expected string to have <=20 characters'],
    ['1\t=', 'May not contain control characters'],
    [0, 'Too small: expected number to be >=1'],
    ['1.5', 'Must be a whole number, or a text such as 1= or DQ'],
    [[1], 'Must be a whole number, or a text such as 1= or DQ'],
  ])('%j is a 422 with its path', async ([place, msg]) => {
    const { upload: send, unit } = await uploadsInto(admin);
    const { status, body } = await send(upload([{ bib: '1', place }]));
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: [...RESULT, 'place'], msg })]);
    expect((await unit('E')).detail).toBeDefined();
  });

  test('sent again, or sent back as it was shown, changes nothing', async () => {
    const { store, unit, path } = await uploadsInto(admin, { push: true });
    const sent = upload([
      { bib: '1', place: '1=' },
      { bib: '2', place: 'DNS' },
    ]);
    await store(sent);
    const pushed = outboxReader(api.db);
    await pushed();
    const before = await unit('E');
    await store(sent);
    await store(upload(before.results));
    await admin.patch(`${path}/events/E/units/1/1`, { results: before.results });
    expect(await unit('E')).toEqual(before);
    expect(await pushed()).toEqual([]);
  });

  test('sent later replaces number and text', async () => {
    const { store, unit, path } = await uploadsInto(admin);
    const places = async () => {
      const { results } = await unit('E');
      return [results[0].place ?? null, results[0].place_text ?? null];
    };
    await store(upload([{ bib: '1', place: '1=' }]));
    await store(upload([{ bib: '1', place: 'DQ' }]));
    expect(await places()).toEqual([null, 'DQ']);
    const { results } = await unit('E');
    await admin.patch(`${path}/events/E/units/1/1`, { results: [{ ...results[0], place: 2 }] });
    expect(await places()).toEqual([2, null]);
  });

  test('that two share makes both winners', async () => {
    const { store } = await uploadsInto(admin, { push: true });
    const pushed = outboxReader(api.db);
    const results = [
      { bib: '3', place: '3', performance: '11.00', athlete_name: 'Cy' },
      { bib: '1', place: '1=', performance: '10.50', athlete_name: 'Ana' },
      { bib: '4', place: 'DQ', performance: '10.40', athlete_name: 'Di' },
      { bib: '2', place: '1=', performance: '10.50', athlete_name: 'Bo' },
    ];
    await store(upload(results, { results_status: 'official' }));
    const arrived = (await pushed()).find(({ event }) => event === 'results_arrived');
    expect(arrived!.data).toMatchObject({ winner_name: 'Ana / Bo', winner_performance: '10.50' });
  });

  test('has its names in the older naming', async () => {
    const { store, page } = await uploadsInto(admin);
    await store(upload([{ bib: '1', place: '1=', points: 4.5 }]));
    const { body } = await api.get(`${page}/event/E/1/1/json/?case=camel`);
    expect(body.results).toEqual([{ bib: '1', place: 1, placeText: '1=', points: 4.5 }]);
  });
});

describe('who is disqualified by the place', () => {
  const jumps = [
    { bib: '1', round: 1, result: '7.00' },
    { bib: '2', round: 1, result: '6.50' },
  ];

  test('stays so when attempts move the others, and holds no place of theirs', async () => {
    const { attempt, patch, current } = await fieldUnit(admin, { unit: { trials: jumps } });
    await patch({
      results: [
        { bib: '1', place: 'DQ', performance: '7.00' },
        { bib: '2', place: 1, performance: '6.50' },
      ],
    });
    await attempt({ bib: '2', round: 2, result: '6.60' });
    expect((await current()).results).toMatchObject([
      { bib: '1', place: null, place_text: 'DQ', performance: '7.00' },
      { bib: '2', place: 1, performance: '6.60' },
    ]);
  });

  test('jumps no more, and has neither a mark nor DNS put in at the end', async () => {
    const { attempt, patch, current } = await fieldUnit(admin, {
      unit: { trials: [{ bib: '3', round: 1, result: '6.00' }] },
    });
    await patch({ status: 'finished', results: [{ bib: '1', place: 'DQ' }, { bib: '2' }] });
    const refused = await attempt({ bib: '1', round: 1, result: '7.00' });
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: 'Bib 1: the athlete is out (DQ)' },
    });
    expect((await current()).results).toMatchObject([
      { bib: '1', place_text: 'DQ' },
      { bib: '2', performance: 'DNS' },
    ]);
    expect((await current()).results[0]).not.toHaveProperty('performance');
  });
});
