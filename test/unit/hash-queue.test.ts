import { expect, it } from 'vitest';
import { createHashQueue } from '../../src/accounts/hash-queue.ts';
import { TooMany } from '../../src/errors.ts';

/** Work that runs until it is let go, and how much of it ran at the same moment. */
function crowd() {
  const inTurn = createHashQueue();
  const running: (() => void)[] = [];
  let most = 0;
  const ask = (address: string) =>
    inTurn(address, async () => {
      await new Promise<void>((done) => {
        most = Math.max(most, running.push(done));
      });
      return 'hashed' as const;
    }).catch((error: unknown) => {
      if (error instanceof TooMany) return error.retryAfterSeconds;
      throw error;
    });
  const finish = async () => {
    while (running.length > 0) {
      running.shift()!();
      await new Promise((turn) => setImmediate(turn));
    }
  };
  return { ask, finish, most: () => most };
}

it('of a hundred at a time two run at once, some wait their turn, and the others are told when to come back', async () => {
  const { ask, finish, most } = crowd();
  const answers = Array.from({ length: 100 }, (_, n) => ask(`192.0.2.${n}`));
  await finish();
  const got = await Promise.all(answers);
  expect(got.filter((answer) => answer === 'hashed')).toHaveLength(60);
  expect(got.slice(60)).toEqual(Array(40).fill(2));
  expect(most()).toBe(2);
  const again = ask('192.0.2.1');
  await finish();
  expect(await again).toBe('hashed');
});

it('a crowd at one address leaves places for others', async () => {
  const { ask, finish } = crowd();
  const crowded = Array.from({ length: 100 }, () => ask('192.0.2.1'));
  const other = ask('192.0.2.2');
  await finish();
  expect(await other).toBe('hashed');
  expect((await Promise.all(crowded)).filter((answer) => answer === 'hashed')).toHaveLength(40);
});

it('work that fails gives its place back', async () => {
  const inTurn = createHashQueue();
  const fail = () => inTurn('192.0.2.1', () => Promise.reject(new Error('no')));
  for (let n = 0; n < 80; n++) await expect(fail()).rejects.toThrow('no');
  expect(await inTurn('192.0.2.1', async () => 'hashed')).toBe('hashed');
});
