import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { outboxReader, type Pushed } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const heat = (fields: Record<string, unknown> = {}) => ({ round: 1, heat: 1, ...fields });
const upload = (event_code: string, unit: Record<string, unknown>) => ({
  events: [{ event_id: 'E', event_code, units: [heat(unit)] }],
});
const names = (events: Pushed[]) => events.map(({ event }) => event);

async function world({ push = true } = {}) {
  const uploads = await uploadsInto(admin, { push });
  await uploads.store({
    competitors: [
      { competitor_id: '1', first_name: 'Ana', last_name: 'Bo' },
      { competitor_id: '2', first_name: 'Cy', last_name: 'Dee' },
    ],
    relay_teams: [{ relay_team_id: 'TA', event_id: 'E', name: 'Town A' }],
  });
  const pushed = outboxReader(api.db);
  await pushed();
  return { ...uploads, pushed, root: uploads.page.slice(1).replaceAll('/', '-') };
}
const highJump = (result: string, more = {}) => ({ bib: '1', height: '1.80', result, ...more });

describe('push turned off', () => {
  test('publishes nothing, and turning it on publishes nothing of what was', async () => {
    const { store, pushed, path } = await world({ push: false });
    await store(upload('LJ', { results_status: 'official', trials: [{ bib: '1', round: 1, result: 'x' }] }));
    await admin.patch(`${path}/settings`, { push_notifications: true });
    await store(upload('LJ', {}));
    expect(await pushed()).toEqual([]);
    await store(upload('LJ', { status: 'finished' }));
    expect(names(await pushed())).toEqual(['unit']);
    await admin.patch(`${path}/settings`, { push_notifications: false });
    await store(upload('LJ', { status: 'running' }));
    expect(await pushed()).toEqual([]);
  });

  test('is how a competition is created, whatever comes with it', async () => {
    const pushed = outboxReader(api.db);
    await pushed();
    await uploadsInto(admin, { ...upload('LJ', { results_status: 'official' }), push_notifications: true });
    expect(await pushed()).toEqual([]);
  });
});

describe('the unit event', () => {
  test('is one per saved unit, on its channel, with the bytes of its JSON', async () => {
    const { store, pushed, root, page } = await world();
    await store({ events: [{ event_id: 'E', event_code: '100', rounds: '2,1' }] });
    const events = await pushed();
    expect(events.map(({ event, channel }) => [event, channel])).toEqual([
      ['unit', `${root}-overview-E-1-1`],
      ['unit', `${root}-overview-E-1-2`],
      ['unit', `${root}-overview-E-2-1`],
    ]);
    for (const { text, data } of events) {
      const at = `${page}/event/E/${String(data.round_no)}/${String(data.heat_no)}/json/`;
      expect((await api.get(at)).text).toBe(text);
    }
  });

  test('comes for a save in any status', async () => {
    const { store, pushed } = await world();
    for (const results_status of ['empty', 'seeded', 'official', 'in_progress']) {
      await store(upload('100', { results_status }));
      expect(names(await pushed()).filter((name) => name === 'unit')).toHaveLength(1);
    }
  });

  test('does not come when nothing changed', async () => {
    const { store, pushed } = await world();
    const sent = upload('LJ', {
      results: [{ bib: '1', place: 1 }],
      trials: [{ bib: '1', round: 1, result: 'x' }],
    });
    await store(sent);
    await pushed();
    await store(sent);
    expect(await pushed()).toEqual([]);
  });

  test('has a channel that push servers allow, whatever the event is called', async () => {
    const { store, pushed, root } = await world();
    await store({ events: [{ event_id: 'Stab/å'.replace('/', ' '), units: [heat()] }] });
    expect((await pushed())[0]!.channel).toBe(`${root}-overview-Stab=20=C3=A5-1-1`);
  });
});

describe('latest_attempt', () => {
  test('of a throw or horizontal jump has these fields', async () => {
    const { store, pushed, root } = await world();
    await store(upload('lj', { trials: [{ bib: '1', round: '2', result: 6.01, wind: 0.3 }] }));
    const [, attempt, ...rest] = await pushed();
    expect(rest).toEqual([]);
    expect(attempt).toMatchObject({ event: 'latest_attempt', channel: `${root}-overview` });
    expect(attempt!.data).toStrictEqual({
      event_id: 'E',
      round_no: 1,
      heat_no: 1,
      heat_name: 'Final',
      event_code: 'LJ',
      bib: '1',
      round: 2,
      result: '6.01',
      athlete_name: 'Ana Bo',
      revision: expect.any(Number),
    });
  });

  test('of a high jump or pole vault has the other shape, and an upper case code', async () => {
    const { store, pushed } = await world();
    const trials = [highJump('x'), { bib: '2', height: '1.80', result: 'o' }, highJump('x'), highJump('o')];
    await store(upload('hj', { trials }));
    const events = await pushed();
    expect(events.slice(1).map(({ data }) => [data.bib, data.attempts_at_height, data.result])).toEqual([
      ['1', 'x', 'x'],
      ['2', 'o', 'o'],
      ['1', 'xx', 'x'],
      ['1', 'xxo', 'o'],
    ]);
    expect(events[4]!.data).toStrictEqual({
      event_id: 'E',
      round_no: 1,
      heat_no: 1,
      heat_name: 'Final',
      event_code: 'HJ',
      bib: '1',
      height: '1.80',
      attempts_at_height: 'xxo',
      attempt: 3,
      result: 'o',
      athlete_name: 'Ana Bo',
      revision: expect.any(Number),
    });
  });

  test('a jump-off at the same height counts its own attempts', async () => {
    const { store, pushed } = await world();
    const trials = [
      { bib: '1', height: '2.00', result: 'x' },
      { bib: '1', height: '2.00', result: 'o', jump_off: 1 },
    ];
    await store(upload('HJ', { trials }));
    const [unit, ...attempts] = await pushed();
    expect(attempts.map(({ data }) => [data.attempts_at_height, data.attempt, data.jump_off])).toEqual([
      ['x', 1, undefined],
      ['o', 1, 1],
    ]);
    expect(attempts.map(({ data }) => data.revision)).toEqual([unit!.data.revision, unit!.data.revision]);
  });

  test('names nobody when the bib is nobody', async () => {
    const { store, pushed } = await world();
    await store(upload('SP', { trials: [{ bib: '99', round: 1, result: 'x' }] }));
    expect((await pushed())[1]!.data.athlete_name).toBe('');
  });

  test.for<[string, string, Record<string, unknown>]>([
    ['a throw without its round', 'SP', { bib: '1', result: '12.00' }],
    ['a jump with round 0', 'LJ', { bib: '1', round: 0, result: '6.00' }],
    ['a high jump without its height', 'HJ', { bib: '1', round: 1, result: 'o' }],
    ['a height in another event', 'SHJ', { bib: '1', height: '1.20', result: 'o' }],
  ])('%s is stored without an event', async ([, code, trial]) => {
    const { store, pushed, unit } = await world();
    await store(upload(code, { trials: [trial] }));
    expect((await unit('E')).trials).toEqual([trial]);
    expect(names(await pushed())).toEqual(['unit']);
  });

  test('comes for new and changed attempts only, in the order of the array', async () => {
    const { store, pushed } = await world();
    const first = [
      { bib: '1', round: 1, result: 'x' },
      { bib: '2', round: 1, result: '6.00' },
    ];
    await store(upload('LJ', { trials: first }));
    await pushed();
    const [, second] = first;
    await store(
      upload('LJ', {
        trials: [second, { ...first[0], result: '5.90' }, { bib: '1', round: 2, result: '-' }],
      }),
    );
    expect((await pushed()).slice(1).map(({ data }) => [data.bib, data.round, data.result])).toEqual([
      ['1', 1, '5.90'],
      ['1', 2, '-'],
    ]);
    await store(upload('LJ', { trials: [second] }));
    expect(names(await pushed())).toEqual(['unit']);
  });

  test('does not come for a finished series that is imported whole', async () => {
    const { store, pushed } = await world();
    const trials = [{ bib: '1', round: 1, result: '6.00' }];
    const results = [{ bib: '1', place: 1, performance: '6.00' }];
    await store(upload('LJ', { results_status: 'official', results, trials }));
    expect(names(await pushed())).toEqual(['unit', 'results_arrived']);
    await store(upload('LJ', { trials: [...trials, { bib: '1', round: 2, result: 'x' }] }));
    expect(names(await pushed())).toEqual(['unit']);
  });

  test('comes for the last attempts of a live series that ends with the save', async () => {
    const { store, pushed } = await world();
    const trials = [{ bib: '1', round: 1, result: '6.00' }];
    await store(upload('LJ', { results_status: 'in_progress', trials }));
    await pushed();
    await store(
      upload('LJ', {
        results_status: 'provisional',
        results: [{ bib: '1', place: 1, performance: '6.10' }],
        trials: [...trials, { bib: '1', round: 2, result: '6.10' }],
      }),
    );
    expect(names(await pushed())).toEqual(['unit', 'latest_attempt', 'results_arrived']);
  });
});
