// Pieces of JSON text, one at a time: a large document is never in memory whole. Pure.

/** A member that holds a list, with the comma before it. */
export function* list(name: string, items: Iterable<string>): Iterable<string> {
  yield `,"${name}":[`;
  yield* separated(items);
  yield ']';
}

/** The items with commas between them. */
export function* separated(items: Iterable<string>): Iterable<string> {
  let first = true;
  for (const item of items) {
    yield first ? item : `,${item}`;
    first = false;
  }
}

export function* chained<Item>(...lists: Iterable<Item>[]): Iterable<Item> {
  for (const items of lists) yield* items;
}

export function* mapped<From>(items: Iterable<From>, change: (item: From) => string): Iterable<string> {
  for (const item of items) yield change(item);
}
