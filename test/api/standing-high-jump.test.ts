import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { fieldUnit } from '../helpers/field-unit.ts';
import { outboxReader } from '../helpers/outbox.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const world = (unit = {}) => fieldUnit(admin, { code: 'shj', bibs: ['1', '2', '3'], unit });
const jump = (bib: string, height: string, result: string) => ({ bib, height, result });

test('a standing high jump is judged by heights: count-back, three failures in a row, NH at the end', async () => {
  const { attempt, standings, patch, current } = await world();
  for (const [bib, height, result] of [
    ['1', '1,5', 'X'],
    ['1', '1.50', 'o'],
    ['2', '1.50', 'o'],
    ['3', '1.50', 'x'],
    ['1', '1.55', 'o'],
    ['2', '1.55', 'x'],
    ['2', '1.55', 'o'],
  ] as const)
    expect((await attempt(jump(bib, height, result))).status).toBe(201);
  expect(await standings()).toEqual([
    ['1', 1, '1.55'],
    ['2', 2, '1.55'],
    ['3', null, null],
  ]);
  expect((await current()).results_status).toBe('in_progress');
  expect((await attempt(jump('1', '1.50', 'o'))).status).toBe(409);
  await attempt(jump('3', '1.50', 'x'));
  await attempt(jump('3', '1.50', 'x'));
  expect(await attempt(jump('3', '1.55', 'o'))).toMatchObject({
    status: 409,
    body: { detail: 'Bib 3: the athlete is out after three failures in a row' },
  });
  for (const bib of ['1', '2'])
    for (let failed = 0; failed < 3; failed++) await attempt(jump(bib, '1.60', 'x'));
  expect((await current()).results_status).toBe('provisional');
  await patch({ status: 'finished' });
  expect((await standings())[2]).toEqual(['3', null, 'NH']);
});

test.for([
  ['height', { bib: '1', round: 1, result: 'o' }],
  ['height', { bib: '1', height: 'high', result: 'o' }],
  ['result', { bib: '1', height: '1.50', result: '1.50' }],
] as const)('an attempt needs a height and a symbol: %s in %j', async ([field, sent]) => {
  const { attempt } = await world();
  const { status, body } = await attempt(sent);
  expect(status).toBe(422);
  expect(body.detail[0].loc).toEqual(['body', field]);
});

test('its attempts are pushed with their round alone, never by height', async () => {
  const { attempt, current } = await world();
  const pushed = outboxReader(api.db);
  await pushed();
  await attempt(jump('1', '1.50', 'x'));
  expect((await pushed()).map(({ event }) => event)).toEqual(['unit']);
  await attempt({ ...jump('1', '1.50', 'o'), round: 2 });
  const [, latest] = await pushed();
  expect(latest).toMatchObject({
    event: 'latest_attempt',
    data: { event_code: 'SHJ', bib: '1', round: 2, result: 'o' },
  });
  expect(latest!.data).not.toHaveProperty('height');
  expect(latest!.data).not.toHaveProperty('attempts_at_height');
  expect((await current()).trials).toMatchObject([{ height: '1.50' }, { height: '1.50', round: 2 }]);
});
