import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareQueries } from '../../src/shared-queries.ts';

/** Questions that were asked, each answered when told to. */
function world() {
  const asked: { keys: string[]; answer: (answers?: Map<string, string>) => void; fail: () => void }[] = [];
  const query = shareQueries<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const all = new Map(keys.map((key) => [key, `${key}${asked.length}`]));
        asked.push({
          keys,
          answer: (answers = all) => resolve(answers),
          fail: () => reject(new Error('no database')),
        });
      }),
  );
  return { asked, query };
}

test('those who ask together share one query, and each key is in it once', async () => {
  const { asked, query } = world();
  const answers = Promise.all([query('a'), query('b'), query('a')]);
  await nextTurn();
  expect(asked.map(({ keys }) => keys)).toEqual([['a', 'b']]);
  asked[0]!.answer();
  expect(await answers).toEqual(['a0', 'b0', 'a0']);
});

test('who asks while a query runs is answered by the next one, not by an older answer', async () => {
  const { asked, query } = world();
  const first = query('a');
  await nextTurn();
  const later = Promise.all([query('a'), query('a')]);
  await nextTurn();
  expect(asked).toHaveLength(1);
  asked[0]!.answer();
  expect(await first).toBe('a0');
  await nextTurn();
  asked[1]!.answer();
  expect(await later).toEqual(['a1', 'a1']);
  expect(asked).toHaveLength(2);
});

test('a failed query fails those who shared it, and no others', async () => {
  const { asked, query } = world();
  const first = query('a');
  await nextTurn();
  const later = query('a');
  asked[0]!.fail();
  await expect(first).rejects.toThrow('no database');
  await nextTurn();
  asked[1]!.answer();
  expect(await later).toBe('a1');
});

test('what the query does not know is undefined', async () => {
  const { asked, query } = world();
  const answer = query('a');
  await nextTurn();
  asked[0]!.answer(new Map());
  expect(await answer).toBeUndefined();
});
