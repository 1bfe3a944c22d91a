import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { startClock } from '../../src/db/clock.ts';
import { createTestDatabase } from '../helpers/db.ts';

const DAY_MS = 24 * 3600_000;

/** A clock on a machine that is wrong by as much as the test says. */
async function world() {
  const database = await createTestDatabase();
  const db = connect(database.url, () => {});
  const wrong = { wallMs: DAY_MS, steadyMs: 0 };
  const differences: number[] = [];
  const clock = await startClock(db, {
    onDifference: (seconds) => differences.push(seconds),
    machine: {
      steadyMs: () => performance.now() + wrong.steadyMs,
      wallMs: () => Date.now() + wrong.wallMs,
    },
  });
  onTestFinished(async () => {
    clock.stop();
    await db.$client.end();
    await database.drop();
  });
  // The database of the tests is on this machine.
  const errorMs = () => Math.abs(clock.now().getTime() - Date.now());
  return { wrong, differences, errorMs };
}

test('the time is the database’s, and how far the machine is from it is told', async () => {
  const { errorMs, differences } = await world();
  expect(errorMs()).toBeLessThan(1000);
  expect(differences).toEqual([DAY_MS / 1000]);
});

test('a machine’s clock that is set while the process runs changes nothing', async () => {
  const { errorMs, wrong } = await world();
  wrong.wallMs = -DAY_MS;
  expect(errorMs()).toBeLessThan(1000);
});

test('after a sleep of the machine the database is asked at once', async () => {
  const { errorMs, wrong } = await world();
  // Asleep the steady clock stood still.
  wrong.steadyMs -= 3600_000;
  errorMs();
  await expect.poll(errorMs).toBeLessThan(1000);
});
