import { expect, test } from 'vitest';
import { inSlices } from '../../src/in-slices.ts';

test('items are mapped in order, whatever the size of a slice', async () => {
  const items = [1, 2, 3, 4, 5];
  for (const size of [1, 2, 5, 9]) {
    expect(await inSlices(items, size, (item) => item * 2)).toEqual([2, 4, 6, 8, 10]);
  }
});

test('others have their turn between slices, and only there', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('another request'));
  await inSlices(['a', 'b', 'c'], 2, (item) => order.push(item));
  expect(order).toEqual(['a', 'b', 'another request', 'c']);
});
