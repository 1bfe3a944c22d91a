import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { makeCompetition } from '../bench/competition.ts';
import { BIG, SMALL } from '../bench/shapes.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type Environment, startProgram } from '../helpers/program.ts';

let world: TestApp;
beforeAll(async () => {
  world = await startTestApp();
});
afterAll(async () => world.close());

function startBench(env: Environment, args: string[]) {
  const bench = startProgram('test/bench/main.ts', env, args, ['--import', 'tsx']);
  onTestFinished(async () => {
    await bench.kill('SIGKILL');
  });
  return bench;
}

it('finds nothing to warn of in the competitions of the benchmark', async () => {
  const client = await world.as();
  for (const shape of [BIG, SMALL]) {
    const answer = await client.post('/api/v1/competitions/test', makeCompetition(shape, 'judged'));
    expect(answer).toMatchObject({ status: 200, body: { valid: true, warnings: [] } });
  }
});

it('measures the rows asked for, and prints them and nothing else as JSON', async () => {
  const args = ['--quick', '--built', '--json', '--only', '7', '--only', '2'];
  const bench = startBench({ TEST_DATABASE_URL: inject('adminUrl') }, args);
  expect(await bench.ended).toBe(0);
  const measured = {
    name: expect.stringMatching(/, ms$/),
    value: expect.any(Number),
    floor: expect.any(Number),
    ratio: expect.any(Number),
    met: expect.any(Boolean),
  };
  expect(JSON.parse(bench.written.stdout)).toEqual([
    { row: 2, target: '<= 0.25', ...measured },
    { row: 7, target: '<= 5', ...measured },
  ]);
}, 120_000);

it('says which rows there are when asked for another', async () => {
  const bench = startBench({}, ['--only', '99']);
  expect(await bench.ended).toBe(1);
  expect(bench.written.stderr).toContain('There is no row 99; there are 1, 2, 3');
}, 120_000);
