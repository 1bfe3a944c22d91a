import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createHashThread } from '../../src/accounts/hash-thread.ts';
import { Busy } from '../../src/errors.ts';
import type { StartThread } from '../../src/threads.ts';
import { startBuiltHashWorker as start } from '../helpers/app.ts';

function watched(idleMs?: number) {
  const threads: Worker[] = [];
  const startWorker: StartThread = (options) => {
    const thread = start(options);
    threads.push(thread);
    return thread;
  };
  const errors: unknown[] = [];
  const log = { error: (line: unknown) => void errors.push(line) };
  const passwords = createHashThread({ log }, { startWorker, ...(idleMs !== undefined && { idleMs }) });
  onTestFinished(() => passwords.close());
  return { passwords, threads, errors };
}

test('passwords are hashed and looked at in one thread, however many come at once, and answered each for itself', async () => {
  const { passwords, threads } = watched();
  expect(threads).toHaveLength(0);
  const hash = await passwords.hash('correct horse');
  expect(hash).toMatch(/^\$argon2id\$/);
  const asked = ['correct horse', 'Correct horse', 'correct horse', ''];
  const answers = await Promise.all(asked.map((password) => passwords.verify(hash, password)));
  expect(answers).toEqual([true, false, true, false]);
  expect(await passwords.verify(null, 'correct horse')).toBe(false);
  expect(threads).toHaveLength(1);
});

test('what cannot be looked at is an error of whoever asked, and of nobody else', async () => {
  const { passwords, threads } = watched();
  const asked = [passwords.verify('no hash at all', 'x'), passwords.verify(null, 'x')];
  const [spoilt, next] = await Promise.allSettled(asked);
  expect(spoilt).toMatchObject({ status: 'rejected' });
  expect(next).toEqual({ status: 'fulfilled', value: false });
  expect(threads).toHaveLength(1);
});

test.runIf(process.platform === 'linux')(
  'the thread comes after all others of the process, which keep their priority',
  async () => {
    const before = nicenesses();
    const { passwords } = watched();
    await passwords.verify(null, 'correct horse');
    const { 10: behind, ...others } = nicenesses();
    expect(behind).toBe((before[10] ?? 0) + 1);
    expect(Object.keys(others)).toEqual(Object.keys(before).filter((niceness) => niceness !== '10'));
  },
);

/** How many threads of this process have each niceness. */
function nicenesses(): Record<string, number> {
  const tasks = readdirSync('/proc/self/task');
  const counts: Record<string, number> = {};
  for (const task of tasks) {
    // After the name, which may hold spaces, the seventeenth field.
    const niceness = readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[16]!;
    counts[niceness] = (counts[niceness] ?? 0) + 1;
  }
  return counts;
}

test('a thread without work ends, and the next password starts another', async () => {
  const { passwords, threads } = watched(20);
  await passwords.verify(null, 'correct horse');
  await once(threads[0]!, 'exit');
  expect(await passwords.verify(null, 'correct horse')).toBe(false);
  expect(threads).toHaveLength(2);
});

test('whoever waits for a thread that ends is told to come back, and the next one is served', async () => {
  const { passwords, threads, errors } = watched();
  await passwords.verify(null, 'correct horse');
  const waiting = ['one', 'two', 'three'].map((password) => passwords.verify(null, password));
  const refused = Promise.allSettled(waiting);
  await threads[0]!.terminate();
  expect((await refused).at(-1)).toMatchObject({ status: 'rejected', reason: expect.any(Busy) });
  expect(await passwords.verify(null, 'correct horse')).toBe(false);
  expect(threads).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('a thread that cannot start is told to the operator', async () => {
  const errors: unknown[] = [];
  const passwords = createHashThread(
    { log: { error: (line: unknown) => void errors.push(line) } },
    { startWorker: (options) => new Worker('throw new Error("No program")', { ...options, eval: true }) },
  );
  await expect(passwords.hash('correct horse')).rejects.toBeInstanceOf(Busy);
  expect(errors).toHaveLength(1);
});
