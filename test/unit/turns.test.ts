// Turns at the connections of a pool: who waits for whom, and who does not.
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { inTurn, type Turn } from '../../src/db/turns.ts';

/** Work that goes on until it is told to end, on a pool of so many connections. */
function pool(max: number) {
  const connections = { options: { max } } as unknown as Pool;
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const all: Promise<string>[] = [];
  const begin = (name: string, turn: Turn) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve())),
      );
    };
    const settled = inTurn(connections, turn, work).then(
      () => 'done',
      () => 'refused',
    );
    all.push(settled);
  };
  return {
    /** What has begun by now. */
    begun: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return begun;
    },
    begin,
    end: (name: string, error?: Error) => ends.get(name)!(error),
    all,
  };
}

test('saves of one unit come one after another, in the order in which they were sent', async () => {
  const { begin, begun, end, all } = pool(10);
  for (const name of ['first', 'second', 'third']) begin(name, { of: 'meeting', alone: 'heat 1' });
  expect(await begun()).toEqual(['first']);
  end('first');
  expect(await begun()).toEqual(['first', 'second']);
  end('second', new Error('refused'));
  expect(await begun()).toEqual(['first', 'second', 'third']);
  end('third');
  await expect(Promise.all(all)).resolves.toEqual(['done', 'refused', 'done']);
});

test('those that wait for a unit hold up no other unit, and no connection', async () => {
  const { begin, begun, end, all } = pool(4);
  for (const name of ['first', 'second', 'third', 'fourth']) begin(name, { of: 'meeting', alone: 'heat 1' });
  begin('beside', { of: 'meeting', alone: 'heat 2' });
  begin('elsewhere', { of: 'another', alone: 'heat 1 there' });
  expect(await begun()).toEqual(['first', 'beside', 'elsewhere']);
  for (const name of ['first', 'second', 'third', 'fourth']) {
    end(name);
    await begun();
  }
  end('beside');
  end('elsewhere');
  await expect(Promise.all(all)).resolves.not.toContain('refused');
});

test('one competition never has all connections', async () => {
  const { begin, begun, end, all } = pool(4);
  for (const name of ['1', '2', '3']) begin(name, { of: 'meeting' });
  begin('elsewhere', { of: 'another' });
  expect(await begun()).toEqual(['1', '2', 'elsewhere']);
  end('1');
  expect(await begun()).toEqual(['1', '2', 'elsewhere', '3']);
  for (const name of ['2', '3', 'elsewhere']) end(name);
  await expect(Promise.all(all)).resolves.not.toContain('refused');
});
