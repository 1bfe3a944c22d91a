import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

let api: TestApp;
let admin: Client;
beforeAll(async () => {
  api = await startTestApp();
  admin = await api.as('ADMIN_GBR');
});
afterAll(() => api.close());

const bar = (height: string, ...bibs: string[]) => bibs.map((bib) => ({ bib, height }));

describe('throws and horizontal jumps', () => {
  test('an attempt is stored with id, number and time, and the places follow', async () => {
    const { attempt, standings, current } = await fieldUnit(admin);
    const first = await attempt({ bib: '1', round: 1, result: '6,1', wind: '+0,4' });
    expect(first.status).toBe(201);
    expect(first.body.attempt).toEqual({
      bib: '1',
      round: 1,
      result: '6.10',
      wind: '+0.4',
      attempt_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: 1,
      recorded_at: api.clock.now.toISOString(),
    });
    expect(first.body.unit).toEqual(await current());
    expect(first.headers['etag']).toBe(`"${first.body.unit.revision}"`);
    await attempt({ bib: '2', round: 1, result: '6.20' });
    expect(await standings()).toEqual([
      ['1', 2, '6.10'],
      ['2', 1, '6.20'],
    ]);
  });

  test('the same again changes nothing, another result corrects it', async () => {
    const { attempt, current } = await fieldUnit(admin);
    const pushed = outboxReader(api.db);
    const first = await attempt({ bib: '1', round: 1, result: '6.10' });
    await pushed();
    const again = await attempt({ bib: '1', round: '1', result: 6.1 });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await pushed()).toEqual([]);
    const corrected = await attempt({ bib: '1', round: 1, result: 'X' });
    expect(corrected).toMatchObject({
      status: 200,
      body: { attempt: { ...first.body.attempt, result: 'x' } },
    });
    expect((await pushed()).map(({ event }) => event)).toEqual(['unit', 'latest_attempt']);
    expect((await current()).trials).toHaveLength(1);
  });

  test('each is pushed as latest_attempt, also into a unit whose results are official', async () => {
    const { attempt, patch } = await fieldUnit(admin);
    const pushed = outboxReader(api.db);
    await patch({ results_status: 'official' });
    await pushed();
    await attempt({ bib: '2', round: 3, result: '6.31' });
    const [, latest] = await pushed();
    expect(latest).toMatchObject({
      event: 'latest_attempt',
      data: {
        event_id: 'F1',
        round_no: 1,
        heat_no: 1,
        heat_name: 'Final',
        event_code: 'LJ',
        bib: '2',
        round: 3,
        result: '6.31',
        athlete_name: 'Anna B2',
      },
    });
  });

  test('an entered athlete without a result row gets one', async () => {
    const { attempt, standings } = await fieldUnit(admin);
    await attempt({ bib: '3', round: 1, result: '7.00' });
    expect(await standings()).toEqual([
      ['1', null, null],
      ['2', null, null],
      ['3', 1, '7.00'],
    ]);
  });

  test('no mark after the last round is NM, without a place', async () => {
    const { attempt, standings } = await fieldUnit(admin, { unit: { rounds: 2 } });
    await attempt({ bib: '1', round: 1, result: 'x' });
    expect((await standings())[0]).toEqual(['1', null, null]);
    await attempt({ bib: '1', round: 2, result: 'x' });
    expect((await standings())[0]).toEqual(['1', null, 'NM']);
  });

  test('retiring ends a series', async () => {
    const { attempt } = await fieldUnit(admin);
    await attempt({ bib: '1', round: 1, result: 'r' });
    expect((await attempt({ bib: '1', round: 2, result: '6.00' })).status).toBe(409);
    expect((await attempt({ bib: '1', round: 1, result: '6.00' })).status).toBe(200);
  });

  test.for([
    ['no mark at all', { bib: '1', round: 1, result: 'far' }, 'result'],
    ['a clearance', { bib: '1', round: 1, result: 'o' }, 'result'],
    ['three decimals', { bib: '1', round: 1, result: '6.123' }, 'result'],
    ['no result', { bib: '1', round: 1 }, 'result'],
    ['no round', { bib: '1', result: '6.00' }, 'round'],
    ['round zero', { bib: '1', round: 0, result: '6.00' }, 'round'],
    ['a round beyond the last', { bib: '1', round: 4, result: '6.00' }, 'round'],
    ['an unknown bib', { bib: '99', round: 1, result: '6.00' }, 'bib'],
  ] as const)('is a 422 with %s', async ([, body, field]) => {
    const { attempt, current } = await fieldUnit(admin, { event: { max_field_attempts: 3 } });
    const answer = await attempt(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([expect.objectContaining({ loc: ['body', field] })]);
    expect((await current()).trials).toEqual([]);
  });
});

describe('high jump and pole vault', () => {
  test('each attempt adds to those at the height, and the event says so', async () => {
    const { attempt } = await fieldUnit(admin, { code: 'hj' });
    const pushed = outboxReader(api.db);
    await pushed();
    for (const result of ['X', 'P']) await attempt({ bib: '1', height: '1,8', result });
    const latest = (await pushed()).filter(({ event }) => event === 'latest_attempt');
    expect(latest.map(({ data }) => data)).toEqual([
      expect.objectContaining({ event_code: 'HJ', height: '1.80', attempts_at_height: 'x', result: 'x' }),
      expect.objectContaining({ event_code: 'HJ', height: '1.80', attempts_at_height: 'x-', result: '-' }),
    ]);
  });

  test('places follow by count-back, and a jump-off decides a tie for the first', async () => {
    const { attempt, standings } = await fieldUnit(admin, { code: 'PV' });
    for (const jump of bar('4.00', '1', '2')) await attempt({ ...jump, result: 'o' });
    for (let n = 0; n < 3; n++)
      for (const jump of bar('4.10', '1', '2')) await attempt({ ...jump, result: 'x' });
    expect(await standings()).toEqual([
      ['1', 1, '4.00'],
      ['2', 1, '4.00'],
    ]);
    await attempt({ bib: '1', height: '4.10', result: 'x', jump_off: 1 });
    await attempt({ bib: '2', height: '4.10', result: 'x', jump_off: 1 });
    await attempt({ bib: '1', height: '4.05', result: 'x', jump_off: 2 });
    await attempt({ bib: '2', height: '4.05', result: 'o', jump_off: 2 });
    expect(await standings()).toEqual([
      ['1', 2, '4.00'],
      ['2', 1, '4.00'],
    ]);
  });

  test('`attempt` makes a repeated request harmless and corrects', async () => {
    const { attempt, current } = await fieldUnit(admin, { code: 'HJ' });
    const jump = { bib: '1', height: '1.80', result: 'x', attempt: 1 };
    expect((await attempt(jump)).status).toBe(201);
    expect((await attempt(jump)).status).toBe(200);
    expect((await attempt({ ...jump, result: 'o' })).status).toBe(200);
    expect((await current()).trials).toEqual([expect.objectContaining({ height: '1.80', result: 'o' })]);
    expect((await attempt({ ...jump, height: '1.85', attempt: 2 })).status).toBe(409);
    expect((await attempt({ ...jump, attempt: 4 })).status).toBe(422);
  });

  test.for([
    ['a fourth attempt at a height', ['1.80 x', '1.80 x', '1.80 -'], '1.80 x'],
    ['a lower bar than before', ['1.80 x'], '1.75 o'],
    ['a height that is cleared', ['1.80 o'], '1.80 x'],
    ['a height that was passed', ['1.80 -'], '1.80 o'],
    ['after three failures in a row', ['1.80 x', '1.80 -', '1.85 x', '1.85 x'], '1.90 o'],
    ['after retiring', ['1.80 o', '1.85 r'], '1.90 o'],
  ] as const)('%s is a 409 that names the rule', async ([, before, then]) => {
    const { attempt, current } = await fieldUnit(admin, { code: 'HJ' });
    const jump = (text: string) => {
      const [height, result] = text.split(' ');
      return attempt({ bib: '1', height, result });
    };
    for (const text of before) expect((await jump(text)).status).toBe(201);
    const unit = await current();
    const refused = await jump(then);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/^Bib 1: \w/) } });
    expect(await current()).toEqual(unit);
  });

  test.for([
    [{ bib: '1', result: 'o' }, 'height'],
    [{ bib: '1', height: 'high', result: 'o' }, 'height'],
    [{ bib: '1', height: '1.80', result: '1.80' }, 'result'],
  ] as const)('%j is a 422', async ([body, field]) => {
    const { attempt } = await fieldUnit(admin, { code: 'HJ' });
    expect((await attempt(body)).body.detail).toEqual([expect.objectContaining({ loc: ['body', field] })]);
  });

  test('only an athlete’s last attempt can be taken back', async () => {
    const { attempt, takeBack, standings } = await fieldUnit(admin, { code: 'HJ' });
    const first = (await attempt({ bib: '1', height: '1.80', result: 'o' })).body.attempt.attempt_id;
    const second = (await attempt({ bib: '1', height: '1.85', result: 'o' })).body.attempt.attempt_id;
    expect((await takeBack(first)).status).toBe(409);
    const answer = await takeBack(second);
    expect(answer).toMatchObject({ status: 200, body: { unit: { trials: [{ attempt_id: first }] } } });
    expect((await standings())[0]).toEqual(['1', 1, '1.80']);
    expect((await takeBack(second)).status).toBe(404);
  });
});

describe('any attempt', () => {
  test('with an Idempotency-Key is recorded once, for a day', async () => {
    const { attempt, current } = await fieldUnit(admin, { code: 'HJ' });
    const jump = { bib: '1', height: '1.80', result: 'x' };
    const key = { 'idempotency-key': 'tablet-7/42' };
    const first = await attempt(jump, key);
    expect(first.status).toBe(201);
    const [again, andAgain] = await Promise.all([attempt(jump, key), attempt(jump, key)]);
    for (const answer of [again, andAgain]) expect(answer).toMatchObject({ status: 200, body: first.body });
    expect((await current()).trials).toHaveLength(1);
    expect((await attempt({ ...jump, result: 'o' }, key)).status).toBe(422);
    api.clock.advance(25 * 3600 * 1000);
    admin = await api.as('ADMIN_GBR');
    expect(
      (await admin.post(`${(await fieldUnit(admin, { code: 'HJ' })).path}/attempts`, jump, key)).status,
    ).toBe(201);
  });

  test('two tablets at once: each attempt is stored once and numbered', async () => {
    const { attempt, current } = await fieldUnit(admin);
    const rounds = [1, 2, 3, 4, 5, 6];
    const answers = await Promise.all(
      rounds.flatMap((round) => ['1', '2'].map((bib) => attempt({ bib, round, result: `6.0${round}` }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(201));
    const { trials } = await current();
    expect(trials.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  });

  test('moves a unit that was empty or seeded to in_progress, and leaves results states alone', async () => {
    const { attempt, patch, current } = await fieldUnit(admin, { unit: { results_status: 'seeded' } });
    await attempt({ bib: '1', round: 1, result: '6.00' });
    expect((await current()).results_status).toBe('in_progress');
    await patch({ results_status: 'provisional' });
    await attempt({ bib: '1', round: 2, result: '6.10' });
    expect((await current()).results_status).toBe('provisional');
  });

  test('of a unit without a sent status makes it in_progress, until all are taken back', async () => {
    const { attempt, takeBack, current } = await fieldUnit(admin);
    expect((await current()).results_status).toBe('seeded');
    const { body } = await attempt({ bib: '1', round: 1, result: '6.00' });
    expect((await current()).results_status).toBe('in_progress');
    await takeBack(body.attempt.attempt_id);
    expect(await current()).toMatchObject({ results_status: 'seeded', trials: [] });
  });

  test('keeps its id when the series is sent again, which changes nothing', async () => {
    const { attempt, patch, upload, current } = await fieldUnit(admin);
    await attempt({ bib: '1', round: 1, result: '6.00' });
    const before = await current();
    const series = [{ bib: '1', round: 1, result: '6.00' }];
    await patch({ trials: series });
    await upload({ events: [{ event_id: 'F1', units: [{ round: 1, heat: 1, trials: series }] }] });
    expect(await current()).toEqual(before);
    await patch({ trials: [...series, { bib: '2', round: 1, result: 'x', attempt_id: 'mine' }] });
    const [first, second] = (await current()).trials;
    expect(first).toEqual(before.trials[0]);
    expect(second).toEqual({ bib: '2', round: 1, result: 'x' });
  });

  test('is known only when the endpoint recorded it: ids that come with an upload are ignored, in new units too', async () => {
    const trials = [
      { bib: '1', round: 1, result: '6.00', attempt_id: 'mine', sequence: 9, recorded_at: 'then' },
    ];
    const { current, takeBack } = await fieldUnit(admin, { unit: { trials } });
    expect((await current()).trials).toEqual([{ bib: '1', round: 1, result: '6.00' }]);
    expect((await takeBack('mine')).status).toBe(404);
  });

  test('leaves places alone that were set by hand, or stand beside results from elsewhere', async () => {
    const results = [
      { bib: '1', place: 1, performance: '7.00' },
      { bib: '2', place: 2 },
    ];
    for (const unit of [
      { results },
      {
        results: [
          { bib: '1', place: 2 },
          { bib: '2', place: 1 },
        ],
        override_places: true,
      },
    ]) {
      const { attempt, standings } = await fieldUnit(admin, { unit });
      const places = (await standings()).map(([, place]) => place);
      await attempt({ bib: '2', round: 1, result: '8.00' });
      expect((await standings()).map(([, place]) => place)).toEqual(places);
      expect((await standings())[1]![2]).toBe('8.00');
    }
  });

  test('places others beside an athlete who did not start, and refuses one of theirs', async () => {
    const { attempt, standings } = await fieldUnit(admin, {
      unit: { results: [{ bib: '1', performance: 'DNS' }, { bib: '2' }] },
    });
    await attempt({ bib: '2', round: 1, result: '6.00' });
    expect(await standings()).toEqual([
      ['1', null, 'DNS'],
      ['2', 1, '6.00'],
    ]);
    expect((await attempt({ bib: '1', round: 1, result: '6.00' })).status).toBe(409);
  });

  test('is refused in a track event, in a unit that is not there, and to strangers', async () => {
    const { path, attempt } = await fieldUnit(admin, { code: '100' });
    const body = { bib: '1', round: 1, result: '6.00' };
    expect((await attempt(body)).status).toBe(422);
    expect((await admin.post(`${path.replace(/1\/1$/, '1/2')}/attempts`, body)).status).toBe(404);
    expect((await (await api.as()).post(`${path}/attempts`, body)).status).toBe(403);
    expect((await api.post(`${path}/attempts`, body)).status).toBe(401);
  });
});

test('a result, or a wind, recorded for an attempt that was uploaded without one is kept', async () => {
  const { store, path } = await uploadsInto(admin);
  const trials = [
    { bib: '1', round: 1 },
    { bib: '1', round: 2, result: '6.00' },
  ];
  const unit = { round: 1, heat: 1, results: [{ bib: '1' }], trials };
  await store({ events: [{ event_id: 'L', event_code: 'LJ', units: [unit] }] });
  const url = `${path}/events/L/units/1/1/attempts`;
  await admin.post(url, { bib: '1', round: 1, result: '6.21' });
  const { body } = await admin.post(url, { bib: '1', round: 2, result: '6.00', wind: '+0.4' });
  expect(body.unit.trials).toMatchObject([{ result: '6.21' }, { result: '6.00', wind: '+0.4' }]);
});
