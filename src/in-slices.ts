// Work on much at once, a large upload or many events, cut into slices: other requests are served in between.
import { setImmediate as turn } from 'node:timers/promises';

/** Maps the items in order, `size` of them at a time. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  size: number,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await turn();
    for (const item of items.slice(from, from + size)) results.push(map(item));
  }
  return results;
}
