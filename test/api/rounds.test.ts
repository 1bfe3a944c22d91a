import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

type Unit = { round: number; heat: number; heat_name: string };

/** The units of an event as "round/heat". */
async function unitsOf(
  document: () => Promise<{ events: { event_id: string; units: Unit[] }[] }>,
  eventId = 'E',
) {
  const event = (await document()).events.find(({ event_id }) => event_id === eventId);
  return event!.units.map(({ round, heat }) => `${round}/${heat}`);
}

const event = (fields: Record<string, unknown>) => ({
  events: [{ event_id: 'E', event_code: '100', ...fields }],
});
const named = (heat_name: unknown) => event({ rounds: '1', units: [{ round: 1, heat: 1, heat_name }] });

describe('rounds is the number of heats in each round', () => {
  test.for<[unknown, string[]]>([
    ['3,2,1', ['1/1', '1/2', '1/3', '2/1', '2/2', '3/1']],
    [' 2 , 1 ', ['1/1', '1/2', '2/1']],
    ['1', ['1/1']],
    [2, ['1/1', '1/2']],
    ['', []],
    ['  ', []],
    [null, []],
  ])('%j', async ([rounds, expected]) => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds }));
    expect(await unitsOf(document)).toEqual(expected);
  });

  test('absent: no unit is made', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({}));
    expect(await unitsOf(document)).toEqual([]);
  });

  test('in a create too', async () => {
    const { document } = await uploadsInto(admin, event({ rounds: '2,1' }));
    expect(await unitsOf(document)).toEqual(['1/1', '1/2', '2/1']);
  });

  test('up to a thousand units', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds: '999,1' }));
    expect(await unitsOf(document)).toHaveLength(1000);
  });
});

test('a unit made so is unscheduled, empty, and named', async () => {
  const { store, unit } = await uploadsInto(admin);
  await store(event({ rounds: '2,1' }));
  expect(await unit('E', 2, 1)).toMatchObject({
    status: 'unscheduled',
    results_status: 'empty',
    heat_name: 'Final',
    results: [],
    trials: [],
    heights: [],
  });
});

describe('other text is a 422 with its path', () => {
  test.for([
    'one',
    '1;2',
    '1,,2',
    ',',
    '0',
    '1,0',
    '-1',
    '1.5',
    '8,3,1,',
    '1001',
    '999,2',
    '1e2',
    '٣',
    2.5,
    -1,
    true,
    ['1'],
  ])('%j', async (rounds) => {
    const { upload, document } = await uploadsInto(admin);
    const { status, body } = await upload(event({ rounds }));
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', 'events', 0, 'rounds']);
    expect((await document()).events).toEqual([]);
  });
});

describe('units are made from rounds', () => {
  test('not when they are sent, not even an empty list of them', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds: '3', units: [{ round: 1, heat: 2 }] }));
    expect(await unitsOf(document)).toEqual(['1/2']);
    const other = await uploadsInto(admin);
    await other.store(event({ rounds: '3', units: [] }));
    expect(await unitsOf(other.document)).toEqual([]);
  });

  test('when units is null: that is as good as absent', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds: '2', units: null }));
    expect(await unitsOf(document)).toEqual(['1/1', '1/2']);
  });

  test('later, when rounds grow; what is there keeps its contents', async () => {
    const { store, document, unit } = await uploadsInto(admin);
    await store(event({ rounds: '1' }));
    await store(event({ units: [{ round: 1, heat: 1, status: 'finished' }] }));
    await store(event({ rounds: '2,1' }));
    expect(await unitsOf(document)).toEqual(['1/1', '1/2', '2/1']);
    expect(await unit('E')).toMatchObject({ status: 'finished', heat_name: 'Heat 1' });
  });

  test('and none is taken away when rounds shrink', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds: '2,1' }));
    await store(event({ rounds: '1' }));
    expect(await unitsOf(document)).toEqual(['1/1', '1/2', '2/1']);
  });

  test('not for a combined event, which has its standings alone', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({
      events: [
        { event_id: 'M', event_code: 'TRI', rounds: '3', results: [{ bib: '1' }] },
        { event_id: 'M1', event_code: '100', rounds: '1', parent: 'M' },
        { event_id: 'X', event_code: '200', rounds: '1', parent: '' },
      ],
    });
    expect(await unitsOf(document, 'M')).toEqual(['1/1']);
    expect(await unitsOf(document, 'M1')).toEqual(['1/1']);
    expect(await unitsOf(document, 'X')).toEqual(['1/1']);
  });

  test('nor when the part came in an earlier upload', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({ events: [{ event_id: 'M1', event_code: '100', parent: 'M' }] });
    await store({ events: [{ event_id: 'M', event_code: 'TRI', rounds: '2' }] });
    expect(await unitsOf(document, 'M')).toEqual(['1/1']);
  });

  test('nor for a race that another names as its parent', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({
      events: [
        { event_id: 'M', event_code: '100', rounds: '2' },
        { event_id: 'M1', event_code: '100', rounds: '1', parent: 'M' },
      ],
    });
    expect(await unitsOf(document, 'M')).toEqual([]);
  });

  test('but a parent takes units that are sent', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({
      events: [
        { event_id: 'M', event_code: 'TRI', rounds: '1', units: [{ round: 1, heat: 1 }] },
        { event_id: 'M1', event_code: '100', parent: 'M' },
      ],
    });
    expect(await unitsOf(document, 'M')).toEqual(['1/1']);
  });
});

const unitsWith = (...heats: number[]) =>
  heats.flatMap((count, index) =>
    Array.from({ length: count }, (_, heat) => ({ round: index + 1, heat: heat + 1 })),
  );
const heatNames = async (document: () => Promise<{ events: { units: Unit[] }[] }>) =>
  (await document()).events[0]!.units.map(({ heat_name }) => heat_name);

describe('rounds that list the numbers of the rounds', () => {
  test.for<[string, string, number[], string[]]>([
    ['100', '1,2', [1, 1], ['Heat 1', 'Final']],
    ['100', '1,2,3', [2, 1, 1], ['Heat 1', 'Heat 2', 'Semi-final 1', 'Final']],
    ['LJ', '1, 2, 3', [1, 1, 1], ['Round 1 Qualification', 'Round 2 Qualification', 'Final']],
    // As heats in each round they fit, or are not yet contradicted.
    ['100', '1,2', [1, 2], ['Heat 1', 'Final 1', 'Final 2']],
    ['100', '1,1', [1, 1], ['Heat 1', 'Final']],
    ['100', '2', [1], ['Final 1']],
    ['LJ', '1,2,3', [1, 1], ['Round 1 Qualification', 'Round 2 Qualification A']],
  ])('leave the names to the units: %s with %s and units %j', async ([event_code, rounds, heats, names]) => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ event_code, rounds, units: unitsWith(...heats) }));
    expect(await heatNames(document)).toEqual(names);
  });

  test('ask for no units once some are sent', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds: '1,2,3', units: unitsWith(1, 1, 1) }));
    await store(event({ rounds: '1,2,3', name: 'Renamed' }));
    expect(await unitsOf(document)).toEqual(['1/1', '2/1', '3/1']);
  });

  test('are heats in each round where they come alone, and where they change', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ rounds: '1,1' }));
    await store(event({ rounds: '1,2' }));
    expect(await unitsOf(document)).toEqual(['1/1', '2/1', '2/2']);
    const other = await uploadsInto(admin, event({ rounds: '1,2' }));
    expect(await unitsOf(other.document)).toEqual(['1/1', '2/1', '2/2']);
  });

  test('name the final alike on every path', async () => {
    const { store, path, unit } = await uploadsInto(admin);
    await store(event({ rounds: '1,2', units: unitsWith(1, 1) }));
    const patched = await admin.patch(`${path}/events/E/units/2/1`, { status: 'finished' });
    expect(patched.body.heat_name).toBe('Final');
    expect((await unit('E', 2)).heat_name).toBe('Final');
    await store(event({ units: [{ round: 2, heat: 2 }] }));
    expect((await unit('E', 2)).heat_name).toBe('Final 1');
  });
});

describe('heat_name, when none was sent', () => {
  test.for<[string, string, string[]]>([
    ['100', '1', ['Final']],
    ['100', '2', ['Final 1', 'Final 2']],
    ['100', '2,1', ['Heat 1', 'Heat 2', 'Final']],
    ['100', '3,2,1', ['Heat 1', 'Heat 2', 'Heat 3', 'Semi-final 1', 'Semi-final 2', 'Final']],
    [
      '100',
      '2,1,1,2',
      ['Round 1 Heat 1', 'Round 1 Heat 2', 'Round 2 Heat 1', 'Semi-final 1', 'Final 1', 'Final 2'],
    ],
    ['LJ', '1,2,1', ['Round 1 Qualification', 'Round 2 Qualification A', 'Round 2 Qualification B', 'Final']],
    ['4x100', '2,1', ['Heat 1', 'Heat 2', 'Final']],
    ['LJ', '2,1', ['Qualification A', 'Qualification B', 'Final']],
    ['HJ', '1,1', ['Qualification', 'Final']],
    ['SP7.26K', '2,1', ['Qualification A', 'Qualification B', 'Final']],
  ])('%s with rounds %s', async ([event_code, rounds, expected]) => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ event_code, rounds }));
    expect((await document()).events[0].units.map((unit: Unit) => unit.heat_name)).toEqual(expected);
  });

  test('counts the units where there are no rounds', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(event({ units: [1, 2, 3].map((round) => ({ round, heat: 1 })) }));
    const names = (await document()).events[0].units.map((unit: Unit) => unit.heat_name);
    expect(names).toEqual(['Heat 1', 'Semi-final 1', 'Final']);
  });

  test('gives way to one that is sent, and comes back when that is cleared', async () => {
    const { store, unit } = await uploadsInto(admin);
    for (const [sent, shown] of [
      ['A race', 'A race'],
      [7, '7'],
      ['', 'Final'],
      ['B race', 'B race'],
      [null, 'Final'],
    ]) {
      await store(named(sent));
      expect((await unit('E')).heat_name).toBe(shown);
    }
  });
});
