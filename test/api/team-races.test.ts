import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const teams = [{ team_id: 'HTH', team_name: 'Harbour Town Harriers' }];
const race = (event_code: string, bib: string) => ({
  teams,
  events: [
    {
      event_id: 'X',
      event_code,
      units: [
        { round: 1, heat: 1, results: [{ bib, place: 1, performance: '24:10' }], results_status: 'official' },
      ],
    },
  ],
});

describe('a race of teams', () => {
  test('names the team that a bib stands for, also as the winner', async () => {
    const { store, unit } = await uploadsInto(admin, { push: true });
    const read = outboxReader(api.db);
    await read();
    await store(race('XC', 'HTH'));
    expect((await unit('X')).results).toEqual([
      { bib: 'HTH', place: 1, performance: '24:10', team_name: 'Harbour Town Harriers' },
    ]);
    const arrived = (await read()).find(({ event }) => event === 'results_arrived');
    expect(arrived!.data.winner_name).toBe('Harbour Town Harriers');
  });

  test('knows the athlete before the team of the same id', async () => {
    const { store, unit } = await uploadsInto(admin);
    const competitors = [{ competitor_id: 'HTH', first_name: 'Ana', last_name: 'Bo' }];
    await store({ competitors, ...race('XC', 'HTH') });
    expect((await unit('X')).results[0]).toMatchObject({ athlete_name: 'Ana Bo' });
    expect((await unit('X')).results[0]).not.toHaveProperty('team_name');
  });

  test.for(['SMR', 'DMR', 'smr', '4x100'])('%s is a relay, run by teams', async (code) => {
    const { store, unit } = await uploadsInto(admin);
    const competitors = [{ competitor_id: 'HTH', first_name: 'Ana', last_name: 'Bo' }];
    await store({ competitors, ...race(code, 'HTH') });
    expect((await unit('X')).results[0]).toMatchObject({ team_name: 'Harbour Town Harriers' });
    expect((await unit('X')).results[0]).not.toHaveProperty('athlete_name');
  });
});

test.for([
  ['hj', 'HJ'],
  ['4X400', '4x400'],
  ['12x200h', '12x200H'],
  ['sp7.26k', 'SP7.26K'],
])('the event code %s is shown as %s', async ([sent, shown]) => {
  const { store, unit } = await uploadsInto(admin);
  await store(race(sent!, '1'));
  expect((await unit('X')).event_code).toBe(shown);
});

test('a unit is in progress while attempts come in, until it is said to be finished', async () => {
  const { store, unit } = await uploadsInto(admin);
  const save = (fields: Record<string, unknown>) =>
    store({ events: [{ event_id: 'F', event_code: 'LJ', units: [{ round: 1, heat: 1, ...fields }] }] });
  await save({ results: [{ bib: '1' }] });
  expect((await unit('F')).status).toBe('unscheduled');
  await save({ trials: [{ bib: '1', round: 1, result: '6.00' }] });
  expect((await unit('F')).status).toBe('in_progress');
  await save({ status: 'finished' });
  expect((await unit('F')).status).toBe('finished');
});
